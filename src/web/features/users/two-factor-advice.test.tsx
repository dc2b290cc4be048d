import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { aUser } from '#tests/support/fake-api.ts';
import { openUsers } from '#tests/support/users-screen.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

const advice = () => screen.queryByRole('region', { name: 'Advice' });
const as = (id: string, twoFactorEnabled: boolean) => ({
  'GET /api/user': { body: aUser({ id, role: 'admin', twoFactorEnabled }) },
});

test('an administrator without a second factor sees it once, with a link to the setup', async () => {
  const { user } = await openUsers();
  expect(advice()?.textContent).toContain('Your account has no second factor.');
  const link = screen.getByRole('link', { name: 'Set up two-factor authentication' });
  expect(link.getAttribute('href')).toBe('/account');
  await user.click(screen.getByRole('button', { name: 'Not now' }));
  await waitFor(() => expect(advice()).toBeNull());
});

test('a user who dismissed it does not see it again, another one does', async () => {
  const { user } = await openUsers();
  await user.click(screen.getByRole('button', { name: 'Not now' }));
  document.body.replaceChildren();
  await openUsers(undefined, as('boss', false));
  expect(advice()).toBeNull();
  document.body.replaceChildren();
  await openUsers(undefined, as('other', false));
  expect(advice()).not.toBeNull();
});

test('a user with a second factor does not see it', async () => {
  await openUsers(undefined, as('boss', true));
  expect(advice()).toBeNull();
});
