import { screen } from '@testing-library/react';
import { PointerEventsCheckLevel, userEvent } from '@testing-library/user-event';
import type { User } from '#contract/users.ts';
import { type Answer, type Answers, aUser as aSession, type Sent, serveApi } from './fake-api.ts';
import { aUser } from './fake-users.ts';
import { renderApp } from './render-app.tsx';

/** The administrator who looks. */
export const BOSS: User = aUser({
  id: 'boss',
  username: 'boss@example.com',
  email: 'boss@example.com',
  fullName: 'Boss Bright',
  role: 'admin',
});
export const ANN: User = aUser();
/** Registered, and nothing else yet. */
export const NINA: User = aUser({
  id: 'nina',
  username: 'nina@example.com',
  email: 'nina@example.com',
  fullName: 'Nina New',
  approved: false,
  emailVerified: false,
  verifiesBy: 'link',
});

/** The call that changes something, answered as the server does; anything else it would do is up to the list. */
export const DONE: Answer = { body: ANN };

interface Opened {
  readonly user: ReturnType<typeof userEvent.setup>;
  readonly sent: Sent[];
  /** What was called besides reads, in order. */
  readonly writes: () => Sent[];
  /** How often the list was read. */
  readonly reads: () => number;
  /** What the list answers from now on. */
  readonly show: (users: readonly User[]) => void;
  readonly where: () => string;
}

/** The Users screen as the boss sees it. */
export async function openUsers(
  users: readonly User[] = [BOSS, ANN, NINA],
  more: Answers = {},
  address = '/users',
): Promise<Opened> {
  let list = users;
  const sent = serveApi({
    'GET /api/user': { body: aSession({ id: 'boss', username: 'boss@example.com', role: 'admin' }) },
    'GET /api/users': () => ({ body: list }),
    ...more,
  });
  const router = renderApp(address);
  const heading = { level: 1, name: 'User Management', hidden: true };
  await screen.findByRole('heading', heading);
  return {
    // A modal dialog that goes leaves its block on the page for a while in jsdom, unlike in browsers.
    user: userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never }),
    sent,
    writes: () => sent.filter(({ call }) => !call.startsWith('GET')),
    reads: () => sent.filter(({ call }) => call === 'GET /api/users').length,
    show: (next) => {
      list = next;
    },
    where: () => router.state.location.href,
  };
}

/** Opens the menu of a user and presses one of its entries. */
export async function choose(
  user: ReturnType<typeof userEvent.setup>,
  name: string,
  entry: string,
): Promise<void> {
  await user.click(await screen.findByRole('button', { name: `User Actions for ${name}` }));
  await user.click(await screen.findByRole('menuitem', { name: entry }));
}
