import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Tags } from 'lucide-react';
import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type Answer, type Answers, aUser, refusal, SIGNED_OUT, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { call } from '#web/lib/api.ts';
import { reportLogout } from '#web/lib/session.ts';
import { toast } from '#web/lib/use-toast.ts';
import type { Screen } from './navigation.ts';

afterEach(() => vi.unstubAllGlobals());

async function save(): Promise<void> {
  try {
    await call(z.unknown(), 'POST', '/api/things', { name: 'typed' });
    toast('Saved', 'It is.');
  } catch (error) {
    toast('Not saved', String(error));
  }
}

const SCREENS: readonly Screen[] = [
  {
    path: '/',
    label: 'Things',
    icon: Tags,
    access: 'user',
    component: () => (
      <>
        <h1 tabIndex={-1}>Things</h1>
        <input aria-label="Name" />
        <button type="button" onClick={() => void save()}>
          Save
        </button>
      </>
    ),
  },
];

async function saveSignedOut(answers: Answers = {}) {
  let isLoggedIn = false;
  const logIn = (): Answer => {
    isLoggedIn = true;
    return { body: aUser() };
  };
  const sent = serveApi({
    'GET /api/user': { body: aUser() },
    'POST /api/things': () => (isLoggedIn ? { body: {} } : SIGNED_OUT),
    'POST /api/login': logIn,
    ...answers,
  });
  const router = renderApp('/', SCREENS);
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('Name'), 'half a na');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Your session has ended' }));
  return { user, dialog, sent, logIn, where: () => router.state.location.pathname };
}

const typed = () => screen.getByLabelText<HTMLInputElement>('Name').value;
const saves = (sent: readonly { call: string }[]) =>
  sent.filter(({ call: one }) => one === 'POST /api/things');

test('a session that ends at a save asks for the password over the page, and the save goes through', async () => {
  const { user, dialog, sent } = await saveSignedOut();
  expect(dialog.getByLabelText<HTMLInputElement>('Email address').value).toBe('sam@example.com');
  await user.type(dialog.getByLabelText('Password'), 'right{Enter}');
  await screen.findByText('Saved');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(typed()).toBe('half a na');
  expect(saves(sent)).toEqual([
    { call: 'POST /api/things', body: { name: 'typed' } },
    { call: 'POST /api/things', body: { name: 'typed' } },
  ]);
});

test.each([
  ['goes on once the same user is logged in in another tab', 'u-1', 2],
  ['ends once another user is', 'u-2', 1],
])('a save of a user without a password %s', async (_name, id, times) => {
  let found: Answer = { body: aUser({ isProviderOnly: true }) };
  const { user, dialog, sent, logIn } = await saveSignedOut({ 'GET /api/user': () => found });
  expect(dialog.queryByLabelText('Password')).toBeNull();
  found = SIGNED_OUT;
  await user.click(dialog.getByRole('button', { name: 'Continue' }));
  await dialog.findByText('Not logged in yet');
  logIn();
  found = { body: aUser({ isProviderOnly: true, id }) };
  await user.click(dialog.getByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(saves(sent)).toHaveLength(times);
});

test('a user who may not log in with a password is led to the login page', async () => {
  const { dialog } = await saveSignedOut({
    'GET /api/openid': { body: { provider: 'Shop login', directLogin: 'administrators' } },
  });
  await dialog.findByRole('link', { name: 'Open the login page' });
  expect(dialog.queryByLabelText('Password')).toBeNull();
});

test('a wrong password stays in the dialog', async () => {
  const { user, dialog, sent } = await saveSignedOut({
    'POST /api/login': refusal(401, 'invalid_credentials', 'Wrong email address or password.'),
  });
  await user.type(dialog.getByLabelText('Password'), 'wrong{Enter}');
  await dialog.findByText('Wrong email address or password.');
  expect(saves(sent)).toHaveLength(1);
});

test('a second factor is asked for once the server requires it', async () => {
  let isRequested = false;
  const { user, dialog, sent } = await saveSignedOut({
    'POST /api/login': () => {
      if (isRequested) return refusal(401, 'invalid_credentials', 'Wrong code.');
      isRequested = true;
      return refusal(401, 'two_factor_required', '2FA token required');
    },
  });
  await user.type(dialog.getByLabelText('Password'), 'right{Enter}');
  const code = await dialog.findByLabelText('2FA code');
  await waitFor(() => expect(document.activeElement).toBe(code));
  await user.type(code, '123 456{Enter}');
  await dialog.findByText('Wrong code.');
  expect(sent.at(-1)?.body).toEqual({
    username: 'sam@example.com',
    password: 'right',
    twoFactorToken: '123456',
  });
});

test('after closing, typed text stays, the save shows its failure, and the next one asks again', async () => {
  const { user } = await saveSignedOut();
  await user.keyboard('{Escape}');
  await screen.findByText('Not saved');
  expect(typed()).toBe('half a na');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByRole('dialog', { name: 'Your session has ended' });
});

test('a different user goes to the login page', async () => {
  const { user, dialog, where } = await saveSignedOut();
  await user.click(dialog.getByRole('button', { name: 'Log in as a different user' }));
  await screen.findByRole('tab', { name: 'Register' });
  expect(where()).toBe('/auth');
});

test('a Logout in another tab clears the data here', async () => {
  const { where } = await saveSignedOut();
  act(() => reportLogout());
  await screen.findByRole('tab', { name: 'Register' });
  expect(where()).toBe('/auth');
});
