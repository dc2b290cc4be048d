import type { LightMyRequestResponse } from 'fastify';
import { TOTP } from 'otpauth';
import { callAs } from './people.ts';
import { cookieOf, PASSWORD, type TestApp } from './test-app.ts';

const STEP = 30_000;

/** What an authenticator app with this secret shows, so many steps of 30 seconds from now. */
export function codeOf(shop: TestApp, secret: string, steps = 0): string {
  return new TOTP({ secret }).generate({ timestamp: shop.deps.now() + steps * STEP });
}

/** A code that no app shows within the window. */
export function wrongCodeOf(shop: TestApp, secret: string): string {
  const right = new Set([-1, 0, 1].map((steps) => codeOf(shop, secret, steps)));
  return ['000000', '000001', '000002', '000003'].find((code) => !right.has(code)) ?? '';
}

export function ownCall(shop: TestApp, cookie: string, path: string, body: object) {
  return callAs(shop, cookie, 'POST', `/api/account/two-factor/${path}`, body);
}

/** Begins a second factor. @returns the secret */
export async function startAs(shop: TestApp, cookie: string): Promise<string> {
  return (await ownCall(shop, cookie, 'begin', { password: PASSWORD })).json().secret;
}

export type Enrolled = {
  readonly secret: string;
  /** The session goes on under this one. */
  readonly cookie: string;
  readonly recoveryCodes: readonly string[];
};

/** Sets up a second factor; afterwards the clock is at a time for which no code was used yet. */
export async function enrolAs(shop: TestApp, cookie: string): Promise<Enrolled> {
  const secret = await startAs(shop, cookie);
  const answer = await ownCall(shop, cookie, 'confirm', { code: codeOf(shop, secret) });
  shop.advance(2 * STEP);
  return { secret, cookie: cookieOf(answer), recoveryCodes: answer.json().recoveryCodes };
}

/** A login with a second factor, from a browser of its own. */
export function loginWith(
  shop: TestApp,
  username: string,
  twoFactorToken: string,
  remoteAddress = '127.0.0.1',
): Promise<LightMyRequestResponse> {
  return shop.post('/api/login', { username, password: PASSWORD, twoFactorToken }, { remoteAddress });
}
