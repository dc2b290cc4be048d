import type { OwnProgram } from './own-program.ts';

const PASSWORD = 'nine purple cats dance';

/** Where an account is on its way to the first login. */
export type Stage = 'ready' | 'unverified' | 'unapproved' | 'waiting';

/** Another address at every call: no limit per address gets in the way. */
let addresses = 0;
export function anAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/** Registers the first administrator. @returns the cookie */
export async function firstAdmin({ call }: OwnProgram): Promise<string> {
  const answer = await call('POST', '/api/register', { body: formOf('boss@example.com') });
  const cookie = answer.headers.get('set-cookie')?.split(';', 1)[0];
  if (cookie === undefined) throw new Error(await answer.text());
  return cookie;
}

/** Makes so many accounts that have come so far: "ready0@example.com". @returns their names */
export async function accountsAt(
  stage: Stage,
  count: number,
  program: OwnProgram,
  cookie: string,
  called: string = stage,
): Promise<string[]> {
  const names = Array.from({ length: count }, (_, n) => `${called}${n}@example.com`);
  for (const name of names) {
    await good(program.call('POST', '/api/register', { body: formOf(name), from: anAddress() }));
  }
  const users: { id: string; username: string }[] = await (
    await good(program.call('GET', '/api/users', { cookie }))
  ).json();
  for (const { id } of users.filter(({ username }) => names.includes(username))) {
    if (stage === 'ready' || stage === 'unverified') {
      await good(program.call('PUT', `/api/users/${id}/approve`, { cookie }));
    }
    if (stage === 'ready' || stage === 'unapproved') await verify(program, id, cookie);
  }
  return names;
}

/** The link of the email replaces earlier ones when it is written; then another one is requested. */
async function verify({ call }: OwnProgram, id: string, cookie: string): Promise<void> {
  for (;;) {
    const handed = await good(call('POST', `/api/users/${id}/verification-link`, { cookie }));
    const { url } = (await handed.json()) as { url: string };
    const opened = await call('GET', `/api/verify-email/${new URL(url).searchParams.get('token')}`, {
      from: anAddress(),
    });
    if (opened.ok) return;
  }
}

async function good(answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response;
}

function formOf(email: string): object {
  return { username: email, email, password: PASSWORD, fullName: 'Ann Arbor', phoneNumber: '+1 555 0100' };
}
