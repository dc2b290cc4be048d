import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { type Answers, refusal, SIGNED_OUT, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';

afterEach(() => vi.unstubAllGlobals());

const CHOSEN = 'eleven quiet owls listen 3';

function open(answers: Answers, address: string) {
  const sent = serveApi({ 'GET /api/user': SIGNED_OUT, ...answers });
  const router = renderApp(address);
  return { sent, where: () => router.state.location.href, user: userEvent.setup() };
}

test('a link is requested for an email address, from the login', async () => {
  const { sent, user, where } = open(
    {
      'GET /api/first-admin': { body: { way: 'taken' } },
      'POST /api/forgot-password': { body: { message: 'If there is one, look there.', sendsEmail: true } },
    },
    '/auth',
  );
  await user.click(await screen.findByRole('link', { name: 'Forgot your password?' }));
  await waitFor(() => expect(where()).toBe('/reset-password'));
  const send = await screen.findByRole('button', { name: 'Send link' });
  await user.type(screen.getByLabelText(/Email address/), 'ann@example.com');
  await user.click(send);
  await screen.findByRole('heading', { level: 1, name: 'Check your email' });
  expect(screen.getAllByText('If there is one, look there.').length).toBeGreaterThan(0);
  expect(sent.find(({ call }) => call === 'POST /api/forgot-password')?.body).toEqual({
    username: 'ann@example.com',
  });
});

test('a server that sends no email does not say to look there', async () => {
  const body = { message: 'It sends none.', sendsEmail: false };
  const { user } = open({ 'POST /api/forgot-password': { body } }, '/reset-password');
  await user.type(await screen.findByLabelText(/Email address/), 'ann@example.com');
  await user.click(screen.getByRole('button', { name: 'Send link' }));
  await screen.findByRole('heading', { level: 1, name: 'Ask an administrator' });
});

test('a new password is chosen, with a code when the server asks for one', async () => {
  let tries = 0;
  const { sent, user } = open(
    {
      'POST /api/reset-password': () =>
        ++tries === 1
          ? {
              status: 401,
              body: { code: 'two_factor_required', error: '2FA token required.', requestId: 'r' },
            }
          : { body: { message: 'It was changed.' } },
    },
    '/reset-password?token=a_b-c',
  );
  await user.type(await screen.findByLabelText(/New password/), CHOSEN);
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  const code = await screen.findByRole('textbox', { name: /code/i });
  await waitFor(() => expect(document.activeElement).toBe(code));
  expect(screen.queryByRole('alert')).toBeNull();
  await user.type(code, '123456');
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  await screen.findByRole('heading', { level: 1, name: 'Password changed' });
  expect(sent.filter(({ call }) => call === 'POST /api/reset-password').map(({ body }) => body)).toEqual([
    { token: 'a_b-c', newPassword: CHOSEN },
    { token: 'a_b-c', newPassword: CHOSEN, twoFactorToken: '123456' },
  ]);
});

test('a link that no longer works leads to a new one, and the typed password stays', async () => {
  const { user, where } = open(
    {
      'POST /api/reset-password': refusal(404, 'not_found', 'It no longer works.'),
    },
    '/reset-password?token=old',
  );
  const field = await screen.findByLabelText<HTMLInputElement>(/New password/);
  await user.type(field, CHOSEN);
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  await screen.findByRole('alert');
  expect(field.value).toBe(CHOSEN);
  await user.click(screen.getByRole('link', { name: 'Request a new link' }));
  await waitFor(() => expect(where()).toBe('/reset-password'));
  await screen.findByRole('button', { name: 'Send link' });
});
