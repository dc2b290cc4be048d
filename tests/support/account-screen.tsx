import { screen } from '@testing-library/react';
import { PointerEventsCheckLevel, userEvent } from '@testing-library/user-event';
import type { Account } from '#contract/account.ts';
import type { SessionUser } from '#contract/session.ts';
import type { Session } from '#contract/sessions.ts';
import { type Answers, aUser, type Sent, serveApi } from './fake-api.ts';
import { renderApp } from './render-app.tsx';

/** The user's own account, without a second factor by default. */
export function anAccount(over: Partial<Account> = {}): Account {
  const { twoFactorEnabled: _, ...profile } = aUser();
  return {
    profile: { ...profile, createdAt: '2026-01-02T09:00:00.000Z', weeklySummary: false },
    twoFactorEnabled: false,
    twoFactorSince: null,
    recoveryCodesLeft: 0,
    twoFactorRequired: false,
    ...over,
  };
}

/** With a second factor. */
export const GUARDED: Account = anAccount({
  twoFactorEnabled: true,
  twoFactorSince: '2026-11-03T14:05:00.000Z',
  recoveryCodesLeft: 9,
});

/** The browser that looks. */
export const HERE: Session = {
  id: 's-here',
  startedAt: '2026-11-21T12:00:00.000Z',
  lastSeenAt: '2026-11-21T12:30:00.000Z',
  address: '127.0.0.1',
  client: 'Firefox on Linux',
  isCurrent: true,
};
export const PHONE: Session = {
  ...HERE,
  id: 's-phone',
  address: '203.0.113.9',
  client: 'Safari on iPhone',
  isCurrent: false,
};

export const RECOVERY_CODES = Array.from({ length: 10 }, (_, n) => `AAAA${n}-BBBBB-CCCCC-DDDDD`);

interface Opened {
  readonly user: ReturnType<typeof userEvent.setup>;
  readonly sent: Sent[];
  /** What was called besides reads, in order. */
  readonly writes: () => Sent[];
  /** What the account answers from now on. */
  readonly show: (account: Account) => void;
  readonly where: () => string;
  readonly go: (to: string) => void;
}

/** The page of the own account. */
export async function openAccount(account: Account = anAccount(), more: Answers = {}): Promise<Opened> {
  let shown = account;
  const who = (): SessionUser => aUser({ twoFactorEnabled: shown.twoFactorEnabled });
  const sent = serveApi({
    'GET /api/user': () => ({ body: who() }),
    'GET /api/account': () => ({ body: shown }),
    'GET /api/sessions': { body: [HERE] },
    'GET /api/tokens': { body: [] },
    ...more,
  });
  const router = renderApp('/account');
  await screen.findByRole('heading', { level: 1, name: 'Account & security' });
  return {
    // A modal dialog that goes leaves its block on the page for a while in jsdom, unlike in browsers.
    user: userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never }),
    sent,
    writes: () => sent.filter(({ call }) => !call.startsWith('GET')),
    show: (next) => {
      shown = next;
    },
    where: () => router.state.location.pathname,
    go: (to) => void router.navigate({ to }),
  };
}
