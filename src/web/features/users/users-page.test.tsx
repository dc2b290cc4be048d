import { onlineManager } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { aUser as aSession, refusal, serveApi } from '#tests/support/fake-api.ts';
import { aUser } from '#tests/support/fake-users.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { ANN, BOSS, NINA, openUsers } from '#tests/support/users-screen.tsx';
import { setViewport } from '#tests/support/web-setup.ts';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  onlineManager.setOnline(true);
  dismissToasts();
});

const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) });

test('the page says what it is for', async () => {
  await openUsers();
  expect(screen.getByText('Manage user access, permissions, and security settings')).toBeTruthy();
  await waitFor(() => expect(document.title).toBe('Users | Pricewright'));
  expect(screen.getByRole('link', { name: 'Users' })).toBeTruthy();
  expect(await screen.findByText(`${window.location.origin}/auth?tab=register`)).toBeTruthy();
});

test('pending users are separate, with all their data', async () => {
  await openUsers();
  await screen.findByRole('heading', { name: 'Pending Approval (1)' });
  const entry = within(screen.getByRole('listitem', { name: 'Nina New' }));
  for (const text of [
    'Nina New',
    'nina@example.com',
    '+1 555 0100',
    'User',
    'Pending',
    'Email Not Verified',
  ]) {
    expect(entry.getByText(text)).toBeTruthy();
  }
  expect(entry.getByRole('button', { name: 'Approve Nina New' }).textContent).toBe('Approve');
  expect(entry.getByRole('button', { name: 'Reject Nina New' }).textContent).toBe('Reject');
});

test('a user without a name is shown by username, and a verified address is marked', async () => {
  await openUsers([BOSS, { ...NINA, fullName: '', phoneNumber: '', emailVerified: true, verifiesBy: null }]);
  const entry = within(await screen.findByRole('listitem', { name: 'nina@example.com' }));
  expect(entry.getByText('Email Verified')).toBeTruthy();
  expect(entry.queryByText('+1 555 0100')).toBeNull();
  expect(entry.queryByText('Email not sent:')).toBeNull();
});

test('without pending users there is no such card', async () => {
  await openUsers([BOSS, ANN]);
  await screen.findByRole('heading', { name: 'Active Users (2)' });
  expect(screen.queryByText(/Pending Approval/)).toBeNull();
});

test('the table shows users, contact data, role and security', async () => {
  const guarded = aUser({
    id: 'gus',
    fullName: 'Gus Guard',
    email: 'gus@shop.example',
    username: 'gus',
    twoFactorEnabled: true,
    mustChangePassword: true,
  });
  await openUsers([BOSS, ANN, guarded, { ...NINA, approved: true }]);
  await row('Ann Arbor');
  expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual([
    'User Info',
    'Contact',
    'Role',
    'Security',
    'Actions',
  ]);
  const boss = within(await row('Boss Bright'));
  expect(boss.getByRole('img', { name: 'Administrator' })).toBeTruthy();
  expect(boss.getByText('Admin')).toBeTruthy();
  expect(boss.getByText('(you)')).toBeTruthy();
  const ann = within(await row('Ann Arbor'));
  expect(ann.queryByRole('img', { name: 'Administrator' })).toBeNull();
  for (const text of ['User', '2FA Disabled', 'Email Verified', '+1 555 0100']) {
    expect(ann.getByText(text)).toBeTruthy();
  }
  const gus = within(await row('Gus Guard'));
  for (const text of ['gus', 'gus@shop.example', '2FA Enabled', 'New password due']) {
    expect(gus.getByText(text)).toBeTruthy();
  }
  expect(within(await row('Nina New')).getByText('Email Not Verified')).toBeTruthy();
});

test('the search ignores case and accents, shows the number of results, and is in the address', async () => {
  const zoe = aUser({ id: 'zoe', username: 'z', email: 'z@shop.example', fullName: 'Zoë Álvarez' });
  const { user, where } = await openUsers([BOSS, ANN, zoe]);
  await row('Ann Arbor');
  const search = screen.getByRole('searchbox', { name: 'Search users...' });
  expect(search.getAttribute('placeholder')).toBe('Search users...');
  await user.type(search, 'ALVAREZ');
  await waitFor(() => expect(screen.queryByText('Ann Arbor')).toBeNull());
  expect(screen.getByText('Zoë Álvarez')).toBeTruthy();
  await waitFor(() => expect(document.querySelector('[aria-live=polite]')?.textContent).toBe('1 user'));
  expect(where()).toBe('/users?q=ALVAREZ');
  await user.clear(search);
  await user.type(search, 'no such user');
  await screen.findByText('No users found');
  expect(screen.getByRole('heading', { name: 'Active Users (3)' })).toBeTruthy();
});

test('an address with a search opens with it', async () => {
  await openUsers([BOSS, ANN], {}, '/users?q=boss');
  await row('Boss Bright');
  expect(screen.queryByText('Ann Arbor')).toBeNull();
});

test("the loading text is 'Loading users...'", async () => {
  let answer: (value: { body: unknown }) => void = () => undefined;
  await openUsers([], {
    'GET /api/users': () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  await screen.findByText('Loading users...');
  answer({ body: [BOSS] });
  await screen.findByRole('heading', { name: 'Active Users (1)' });
});

test('a list that failed to load says so and can be retried', async () => {
  let isAway = true;
  const { user } = await openUsers([], {
    'GET /api/users': () => (isAway ? refusal(503, 'unavailable', 'It is away.') : { body: [BOSS] }),
  });
  await screen.findByText('Failed to load the users');
  expect(screen.getByText('It is away.')).toBeTruthy();
  isAway = false;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByRole('heading', { name: 'Active Users (1)' });
});

test('Refresh reloads the list', async () => {
  const { user, show } = await openUsers([BOSS]);
  await screen.findByRole('heading', { name: 'Active Users (1)' });
  expect(screen.getByText(/^Updated /)).toBeTruthy();
  show([BOSS, ANN]);
  await user.click(screen.getByRole('button', { name: 'Refresh' }));
  await screen.findByRole('heading', { name: 'Active Users (2)' });
});

test('without a network the rows stay after a failure, and Refresh can be pressed again', async () => {
  let isAway = false;
  const { user } = await openUsers([BOSS], {
    'GET /api/users': () => (isAway ? refusal(503, 'unavailable', 'It is away.') : { body: [BOSS] }),
  });
  const heading = await screen.findByRole('heading', { name: 'Active Users (1)' });
  const refresh = screen.getByRole('button', { name: 'Refresh' });
  isAway = true;
  onlineManager.setOnline(false);
  await user.click(refresh);
  const failure = await screen.findByRole('alert');
  expect(heading.isConnected).toBe(true);
  expect(screen.getByRole('row', { name: new RegExp(BOSS.fullName) })).toBeTruthy();
  expect(refresh.matches(':enabled:not([aria-disabled])')).toBe(true);
  isAway = false;
  await user.click(refresh);
  await waitFor(() => expect(failure.isConnected).toBe(false));
});

test('on a phone each user is a card with the same menu', async () => {
  setViewport(390);
  await openUsers([BOSS, ANN]);
  const list = within(await screen.findByRole('list', { name: 'Active users' }));
  expect(list.getByRole('button', { name: 'User Actions for Ann Arbor' })).toBeTruthy();
  expect(list.getByText('ann@example.com')).toBeTruthy();
});

test('a user without the admin role sees Access Denied, and nothing is loaded', async () => {
  const sent = serveApi({ 'GET /api/user': { body: aSession() } });
  renderApp('/users');
  await screen.findByRole('heading', { name: 'Access Denied' });
  expect(sent.map(({ call }) => call)).not.toContain('GET /api/users');
  expect(screen.queryByRole('link', { name: 'Users' })).toBeNull();
});
