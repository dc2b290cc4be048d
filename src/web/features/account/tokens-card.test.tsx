import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { ApiToken } from '#contract/api-tokens.ts';
import { anAccount, openAccount } from '#tests/support/account-screen.tsx';
import { refusal } from '#tests/support/fake-api.ts';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

const SECRET = `pwt_${'k'.repeat(43)}`;
const TOKEN: ApiToken = {
  id: 't-1',
  name: 'Nightly',
  scopes: ['read', 'engine'],
  callsPerMinute: 120,
  createdAt: '2026-11-21T12:00:00.000Z',
  expiresAt: '2027-02-19T12:00:00.000Z',
  isExpired: false,
  lastUsedAt: null,
  lastNetwork: null,
  username: 'sam@example.com',
  isOwn: true,
};
const card = async () => within(await screen.findByRole('region', { name: 'API tokens' }));

test('a token is made from the form, shown once, and copied', async () => {
  let isMade = false;
  const { user, writes } = await openAccount(anAccount(), {
    'GET /api/tokens': () => ({ body: isMade ? [TOKEN] : [] }),
    'POST /api/tokens': () => {
      isMade = true;
      return { status: 201, body: { id: 't-1', token: SECRET, expiresAt: TOKEN.expiresAt } };
    },
  });
  await user.click((await card()).getByRole('button', { name: 'New token...' }));
  const form = within(await screen.findByRole('dialog', { name: 'New API token' }));
  await user.click(form.getByRole('button', { name: 'Create token' }));
  expect(form.getByLabelText('Name').getAttribute('aria-invalid')).toBe('true');
  expect(writes()).toEqual([]);
  await user.type(form.getByLabelText('Name'), 'Nightly');
  await user.click(form.getByRole('checkbox', { name: 'Repricing' }));
  await user.click(form.getByRole('button', { name: 'Create token' }));
  const shown = within(await screen.findByRole('dialog', { name: 'Your new API token' }));
  expect(shown.getByText(SECRET)).toBeTruthy();
  expect(writes()).toMatchObject([
    { call: 'POST /api/tokens', body: { name: 'Nightly', scopes: ['read', 'engine'], callsPerMinute: 120 } },
  ]);
  await user.click(shown.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(SECRET);
  await user.click(shown.getByRole('button', { name: 'Done' }));
  expect(await (await card()).findByText('Nightly')).toBeTruthy();
  expect(screen.queryByText(SECRET)).toBeNull();
});

test('a name that is taken is said at its field, and a refusal of the server above the form', async () => {
  const answers = [
    refusal(409, 'conflict', 'Taken.', { name: 'Taken.' }),
    refusal(409, 'conflict', 'You have 20 API tokens.'),
  ];
  const { user } = await openAccount(anAccount(), {
    'POST /api/tokens': () => answers.shift() ?? refusal(500, 'internal', 'x'),
  });
  await user.click((await card()).getByRole('button', { name: 'New token...' }));
  const form = within(await screen.findByRole('dialog', { name: 'New API token' }));
  await user.type(form.getByLabelText('Name'), 'Nightly{Enter}');
  await waitFor(() => expect(form.getByLabelText('Name').getAttribute('aria-invalid')).toBe('true'));
  await user.click(form.getByRole('button', { name: 'Create token' }));
  expect((await form.findByRole('alert')).textContent).toContain('You have 20 API tokens.');
});

test('a token is revoked after a question, and the focus goes to the heading', async () => {
  let tokens = [TOKEN];
  const { user, writes } = await openAccount(anAccount(), {
    'GET /api/tokens': () => ({ body: tokens }),
    'DELETE /api/tokens/t-1': () => {
      tokens = [];
      return { body: { message: 'Done.' } };
    },
  });
  await user.click(await (await card()).findByRole('button', { name: 'Revoke Nightly' }));
  const question = within(await screen.findByRole('alertdialog'));
  expect(writes()).toEqual([]);
  await user.click(question.getByRole('button', { name: 'Revoke token' }));
  await waitFor(() => expect(writes()).toMatchObject([{ call: 'DELETE /api/tokens/t-1' }]));
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 2, name: 'API tokens' })),
  );
});
