import { vi } from 'vitest';
import type { ErrorCode } from '#contract/errors.ts';
import type { SessionUser } from '#contract/session.ts';

export interface Answer {
  status?: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** Answers by "METHOD /path"; a function sees what was sent and may take its time. */
export type Answers = Record<string, Answer | ((sent: unknown) => Answer | Promise<Answer>)>;

export interface Sent {
  call: string;
  body: unknown;
}

/** Requests of every page besides its own; not among the sent ones unless a test lists it. */
const AROUND: Answers = {
  'GET /api/alerts': { body: { unseen: 0, alerts: [] } },
  'GET /api/books': { body: { closedUntil: null, timeZone: 'UTC' } },
  'GET /api/first-admin': { body: { way: 'taken' } },
  'GET /api/openid': { body: { provider: null, directLogin: 'all' } },
  'GET /api/openid/settings': {
    body: { values: null, version: null, updatedAt: null, redirectUri: 'http://here.test/auth/return' },
  },
};

/**
 * Puts these answers in the place of the network. Whatever is not listed answers 404. @returns what was sent, in order
 */
export function serveApi(answers: Answers): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const call = `${init.method} ${path}`;
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    if (answers[call] !== undefined || AROUND[call] === undefined) sent.push({ call, body });
    const found = answers[call] ?? AROUND[call] ?? refusal(404, 'not_found', `No answer for ${call}`);
    const answer = typeof found === 'function' ? await found(body) : found;
    return new Response(bodyOf(answer), { status: answer.status ?? 200, headers: answer.headers ?? {} });
  });
  return sent;
}

/** JSON, unless the answer comes piece by piece. */
function bodyOf({ body }: Answer): BodyInit {
  if (body instanceof ReadableStream) return body;
  return body === undefined ? '' : JSON.stringify(body);
}

/** An error body as the server writes it. */
export function refusal(
  status: number,
  code: ErrorCode,
  message: string,
  fields?: Record<string, string>,
): Answer {
  return { status, body: { message, code, requestId: 'req-7', ...(fields === undefined ? {} : { fields }) } };
}

export const SIGNED_OUT = refusal(401, 'not_signed_in', 'Log in to continue.');

/** A user with an approved account, no admin by default. */
export function aUser(given: Partial<SessionUser> = {}): SessionUser {
  return {
    id: 'u-1',
    username: 'sam@example.com',
    email: 'sam@example.com',
    fullName: 'Sam Seller',
    phoneNumber: '+1 555 0100',
    role: 'user',
    approved: true,
    emailVerified: true,
    twoFactorEnabled: false,
    isProviderOnly: false,
    ...given,
  };
}
