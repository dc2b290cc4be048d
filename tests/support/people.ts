import type { LightMyRequestResponse } from 'fastify';
import { findUserByEmail } from '#db/queries/identity/users.ts';
import { sendEmail } from '#usecases/background/send-email.ts';
import type { Email } from '#usecases/email/mailer.ts';
import type { QueuedEmail } from '#usecases/email/queued-email.ts';
import { approveUser } from '#usecases/identity/accounts/approve-by-operator.ts';
import { openSession } from '#usecases/identity/accounts/sessions.ts';
import { createSetupToken } from '#usecases/identity/accounts/setup-link.ts';
import { aRegistration, cookieOf, type TestApp } from './test-app.ts';

/** A call that an administrator's page makes. */
export function callAs(
  shop: TestApp,
  cookie: string,
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  url: string,
  payload?: object,
): Promise<LightMyRequestResponse> {
  return shop.post(url, payload, { method, headers: { cookie } });
}

/** Registers a user who is waiting: not verified, not approved. @returns the ID */
export async function aWaitingUser(shop: TestApp, email: string): Promise<string> {
  await shop.post('/api/register', aRegistration({ email }));
  return idOf(shop, email);
}

/** Adds a user who can log in. @returns the ID */
export async function aReadyUser(shop: TestApp, email: string, asAdmin = false): Promise<string> {
  await shop.post('/api/register', aRegistration({ email }));
  await approveUser(shop.deps, email, asAdmin);
  return idOf(shop, email);
}

/** The first administrator of a server that others reach, made by the link that start-up prints. @returns the cookie */
export async function adminByLink(shop: TestApp): Promise<string> {
  const setupToken = (await createSetupToken(shop.db, shop.deps.now())) ?? '';
  const form = { ...aRegistration({ email: 'boss@example.com' }), setupToken };
  return cookieOf(await shop.post('/api/register', form));
}

export async function idOf(shop: TestApp, email: string): Promise<string> {
  const user = await findUserByEmail(shop.db, email);
  if (user === null) throw new Error(`no user has registered as ${email}`);
  return user.id;
}

/** A session begun just now without a login, whatever has become of the password. @returns the cookie */
export async function aSessionOf(shop: TestApp, email: string): Promise<string> {
  // Of twenty sessions the oldest ends: no two are of one age.
  shop.advance(1);
  const id = await idOf(shop, email);
  const caller = { address: '127.0.0.1', userAgent: null, requestId: 'r', browser: null };
  const token = await shop.db.transaction((tx) => openSession(tx, id, caller, shop.deps.now()));
  return `pricewright=${token}`;
}

/** Sends what was ordered since the last time, as the job does. @returns the emails */
export async function deliver(shop: TestApp): Promise<Email[]> {
  const emails: Email[] = [];
  const mailer = { send: async (email: Email) => void emails.push(email) };
  const orders = shop.queue.sent.splice(0).filter(({ kind }) => kind === 'mail');
  for (const { data } of orders) await sendEmail({ ...shop.deps, mailer }, data as QueuedEmail);
  return emails;
}

/** The token of the first link in a text. */
export function tokenIn(text: string | undefined): string {
  const token = /\/(?:verify-email|reset-password)\?token=([\w-]{43})\b/.exec(text ?? '')?.[1];
  if (token === undefined) throw new Error(`no link in ${text}`);
  return token;
}
