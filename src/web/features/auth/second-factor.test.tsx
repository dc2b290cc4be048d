import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { aUser, refusal } from '#tests/support/fake-api.ts';
import { openLogin } from '#tests/support/login-screen.ts';

afterEach(() => vi.unstubAllGlobals());

test('a user without the phone logs in with a recovery code', async () => {
  const { sent, user, logIn } = await openLogin({
    'POST /api/login': (body) =>
      (body as { twoFactorToken: string }).twoFactorToken === '7K3QM-X2F9D-PA4RT-8WZ5N'
        ? { body: aUser({ twoFactorEnabled: true }) }
        : refusal(401, 'two_factor_required', '2FA token required'),
    'GET /api/stats': { body: null },
  });
  await logIn('right');
  await user.type(await screen.findByLabelText('2FA code'), '123');
  await user.click(screen.getByRole('button', { name: 'Use a recovery code instead' }));
  const field = screen.getByLabelText<HTMLInputElement>('Recovery code');
  expect(screen.queryByLabelText('2FA code')).toBeNull();
  expect([document.activeElement, field.value]).toEqual([field, '']);
  expect(screen.getByText('One of the 10 codes you saved. Each works once.')).toBeTruthy();
  expect(field.getAttribute('inputmode')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Use a code from the app instead' }));
  expect(document.activeElement).toBe(screen.getByLabelText('2FA code'));
  await user.click(screen.getByRole('button', { name: 'Use a recovery code instead' }));
  await user.paste(' 7K3QM-X2F9D-PA4RT-8WZ5N ');
  await user.keyboard('{Enter}');
  await screen.findByRole('heading', { name: 'Dashboard' });
  expect(sent.filter(({ call }) => call === 'POST /api/login')).toHaveLength(2);
});

const REPLACE = refusal(403, 'password_change_required', 'Choose another one.');

test('a new password of an account with a second factor needs a code, which is not that of the login', async () => {
  const { sent, user, logIn } = await openLogin({
    'POST /api/login': REPLACE,
    'POST /api/change-password': (body) => {
      const { twoFactorToken } = body as { twoFactorToken?: string };
      if (twoFactorToken === undefined) return refusal(401, 'two_factor_required', '2FA token required');
      return twoFactorToken === '123456'
        ? { body: aUser({ twoFactorEnabled: true }) }
        : refusal(401, 'invalid_credentials', 'Invalid code.', { twoFactorToken: 'Try the next one.' });
    },
    'GET /api/stats': { body: null },
  });
  await logIn('temporary');
  await user.type(await screen.findByLabelText('New password'), 'quiet owls listen{Enter}');
  const code = await screen.findByLabelText('2FA code');
  await waitFor(() => expect(document.activeElement).toBe(code));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.queryByText('Could not change the password')).toBeNull();
  await user.type(code, '000000{Enter}');
  await screen.findByText('Try the next one.');
  await waitFor(() => expect(document.activeElement).toBe(code));
  await user.clear(code);
  await user.paste('123 456');
  await user.keyboard('{Enter}');
  await screen.findByRole('heading', { name: 'Dashboard' });
  expect(sent.filter(({ call }) => call === 'POST /api/change-password').at(-1)?.body).toEqual({
    username: 'sam@example.com',
    password: 'temporary',
    newPassword: 'quiet owls listen',
    twoFactorToken: '123456',
  });
});
