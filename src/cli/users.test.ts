import { expect, test } from 'vitest';
import { AppError } from '#usecases/app-error.ts';
import { type ListedUser, USERS_USAGE, usersCommand } from './users.ts';

const ANN: ListedUser = {
  email: 'ann@example.com',
  fullName: 'Ann Arbor',
  role: 'user',
  approved: false,
  emailVerified: false,
};

async function run(argv: string[], users: ListedUser[] = [ANN]) {
  const out: string[] = [];
  const err: string[] = [];
  const known = (email: string): ListedUser => {
    const user = users.find((candidate) => candidate.email === email);
    if (user) return user;
    throw new AppError('not_found', `No account uses the address ${email}.`);
  };
  const io = { out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
  const code = await usersCommand(argv, io, {
    list: async () => users,
    approve: async (email, asAdmin) => ({
      ...known(email),
      approved: true,
      emailVerified: true,
      role: asAdmin ? 'admin' : 'user',
    }),
    disableTwoFactor: async (email) => known(email),
    unlock: async (email) => known(email),
    unlink: async (email) => known(email),
    turnProviderOff: async () => users.length > 0,
  });
  return { code, out, err };
}

test('approve lets a user log in', async () => {
  expect(await run(['approve', 'ann@example.com'])).toEqual({
    code: 0,
    out: ['ann@example.com can log in.'],
    err: [],
  });
});

test.each([[['approve', 'ann@example.com', '--admin']], [['approve', '--admin', 'ann@example.com']]])(
  '%j makes an administrator',
  async (argv) => {
    expect((await run(argv)).out).toEqual(['ann@example.com can log in and is an administrator.']);
  },
);

test('disable-2fa says what opens the account now', async () => {
  expect(await run(['disable-2fa', 'ann@example.com'])).toEqual({
    code: 0,
    out: [
      'ann@example.com logs in with the password only. Set two-factor authentication up again under Account & security.',
    ],
    err: [],
  });
});

test('unlink says what the next login does', async () => {
  expect((await run(['unlink', 'ann@example.com'])).code).toBe(0);
});

test('unlock says that the waits are over', async () => {
  expect(await run(['unlock', 'ann@example.com'])).toEqual({
    code: 0,
    out: ['ann@example.com can try to log in again now.'],
    err: [],
  });
});

test.each(['approve', 'disable-2fa', 'unlock', 'unlink'])(
  '%s of an unknown address exits with 1 and reports it',
  async (action) => {
    expect(await run([action, 'bob@example.com'])).toEqual({
      code: 1,
      out: [],
      err: ['No account uses the address bob@example.com.'],
    });
  },
);

test.each([
  [[]],
  [['approve']],
  [['approve', 'a@example.com', 'b@example.com']],
  [['approve', 'ann@example.com', '--root']],
  [['list', 'all']],
  [['remove', 'ann@example.com']],
  [['disable-2fa']],
  [['unlock', 'ann@example.com', '--admin']],
  [['disable-2fa', 'ann@example.com', '--admin']],
  [['disable-2fa', 'a@example.com', 'b@example.com']],
])('%j is wrong usage', async (argv) => {
  expect(await run(argv)).toEqual({ code: 2, out: [], err: [USERS_USAGE] });
});

test('list shows what each user waits for, and nothing that rewrites the terminal', async () => {
  const users = [
    { ...ANN, fullName: 'Ann\u001b[2J\nroot' },
    { ...ANN, email: 'b@example.com', approved: true },
    { ...ANN, email: 'c@example.com', approved: true, emailVerified: true, role: 'admin' },
  ];
  expect((await run(['list'], users)).out).toEqual([
    'ann@example.com\tuser\twaits for approval\tAnn?[2J?root',
    'b@example.com\tuser\temail not verified\tAnn Arbor',
    'c@example.com\tadmin\tactive\tAnn Arbor',
  ]);
  expect(await run(['list'], [])).toEqual({ code: 0, out: [], err: ['No accounts yet.'] });
});

test.each([
  [[ANN], 'The identity provider is off. Users log in with their passwords.'],
  [[], 'The identity provider was off already.'],
])('provider-off says what is in force now', async (users, line) => {
  expect(await run(['provider-off'], users)).toEqual({ code: 0, out: [line], err: [] });
  expect((await run(['provider-off', 'ann@example.com'], users)).code).toBe(2);
});
