import type { User } from '#contract/users.ts';

/** An account as administrators see it: an approved user unless said. */
export function aUser(over: Partial<User> = {}): User {
  return {
    id: 'ann',
    username: 'ann@example.com',
    email: 'ann@example.com',
    fullName: 'Ann Arbor',
    phoneNumber: '+1 555 0100',
    role: 'user',
    approved: true,
    emailVerified: true,
    twoFactorEnabled: false,
    mustChangePassword: false,
    verifiesBy: null,
    createdAt: '2026-11-21T12:00:00.000Z',
    ...over,
  };
}
