import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { FirstAdmin } from '#contract/first-admin.ts';
import { aUser, refusal, SIGNED_OUT, serveApi } from '#tests/support/fake-api.ts';
import { openLogin } from '#tests/support/login-screen.ts';
import { renderApp } from '#tests/support/render-app.tsx';

afterEach(() => vi.unstubAllGlobals());

const WRONG = refusal(401, 'invalid_credentials', 'That is not it.');

async function fillRegistration(user: ReturnType<typeof userEvent.setup>) {
  await user.type(await screen.findByLabelText('Full name'), 'Nina New');
  await user.type(screen.getByLabelText('Email address'), 'nina@example.com');
  await user.type(screen.getByLabelText('Phone number'), '+1 555 0101');
  await user.type(screen.getByLabelText('Password'), 'long enough');
  await user.click(screen.getByRole('button', { name: 'Create account' }));
}

test('the page says what the product does', async () => {
  await openLogin();
  for (const name of ['Real-time repricing', 'Cost protection', 'Smart rules engine']) {
    expect(screen.getAllByRole('heading', { name }).length).toBeGreaterThan(0);
  }
  await waitFor(() => expect(document.title).toBe('Log in | Pricewright'));
});

test('an empty login names the fields and focuses the first', async () => {
  const { sent, user, email } = await openLogin();
  await user.click(screen.getByRole('button', { name: 'Login' }));
  await screen.findByText('Enter your email address');
  expect(email.getAttribute('aria-invalid')).toBe('true');
  expect(document.getElementById(email.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Enter your email address',
  );
  await waitFor(() => expect(document.activeElement).toBe(email));
  expect(sent.map(({ call }) => call)).not.toContain('POST /api/login');
});

test('the email address goes out as the username, with an empty code', async () => {
  const { sent, logIn } = await openLogin({ 'POST /api/login': WRONG });
  await logIn('guess');
  await screen.findByRole('alert');
  expect(sent.at(-1)).toEqual({
    call: 'POST /api/login',
    body: { username: 'sam@example.com', password: 'guess', twoFactorToken: '' },
  });
});

test('a failed login keeps the email address, focuses the password, and shows why in toast and form', async () => {
  const { email, password, logIn } = await openLogin({ 'POST /api/login': WRONG });
  await logIn('guess');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('That is not it.');
  expect(screen.getAllByText('Login failed').length).toBeGreaterThanOrEqual(2);
  expect(email.value).toBe('sam@example.com');
  await waitFor(() => expect(document.activeElement).toBe(password));
  expect(screen.queryByLabelText('2FA code')).toBeNull();
});

test("the button says 'Logging in...' and sends once", async () => {
  let answer: (value: typeof WRONG) => void = () => undefined;
  const { sent, user, logIn } = await openLogin({
    'POST /api/login': () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  await logIn('guess');
  const button = await screen.findByRole('button', { name: 'Logging in...' });
  await user.click(button);
  answer(WRONG);
  await screen.findByRole('alert');
  expect(sent.filter(({ call }) => call === 'POST /api/login')).toHaveLength(1);
});

test('the code is asked for only when the server requires it, then sent without spaces', async () => {
  const { sent, user, email, password, logIn } = await openLogin({
    'POST /api/login': (body) =>
      (body as { twoFactorToken: string }).twoFactorToken === '123456'
        ? { body: aUser() }
        : refusal(401, 'two_factor_required', '2FA token required'),
    'GET /api/stats': { body: null },
  });
  await logIn('right');
  const code = await screen.findByLabelText('2FA code');
  await waitFor(() => expect(document.activeElement).toBe(code));
  expect(screen.getByText('Enter 6-digit code', { selector: 'p' })).toBeTruthy();
  expect(code.getAttribute('autocomplete')).toBe('one-time-code');
  expect([email.value, password.value]).toEqual(['sam@example.com', 'right']);
  expect(screen.queryByRole('alert')).toBeNull();
  await user.click(code);
  await user.paste('123 456');
  await user.keyboard('{Enter}');
  await screen.findByRole('heading', { name: 'Dashboard' });
  expect(sent.filter(({ call }) => call === 'POST /api/login').at(-1)?.body).toMatchObject({
    twoFactorToken: '123456',
  });
});

test('a wrong code keeps the field and focuses it', async () => {
  let tries = 0;
  const { user, logIn } = await openLogin({
    'POST /api/login': () => {
      tries += 1;
      return tries === 1
        ? refusal(401, 'two_factor_required', '2FA token required')
        : refusal(401, 'invalid_credentials', 'The code is wrong.', { twoFactorToken: 'Invalid code.' });
    },
  });
  await logIn('right');
  await user.type(await screen.findByLabelText('2FA code'), '000000{Enter}');
  await screen.findByRole('alert');
  expect(screen.getByText('Invalid code.')).toBeTruthy();
  expect(screen.getByLabelText('2FA code').getAttribute('aria-invalid')).toBe('true');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('2FA code')));
});

test('a registration copies the email address into the username; approved means logged in', async () => {
  let isRegistered = false;
  const sent = serveApi({
    'GET /api/user': () => (isRegistered ? { body: aUser({ role: 'admin' }) } : SIGNED_OUT),
    'GET /api/stats': { body: null },
    'POST /api/register': () => {
      isRegistered = true;
      return { body: { username: 'nina@example.com', role: 'admin', approved: true } };
    },
  });
  renderApp('/auth?tab=register');
  await fillRegistration(userEvent.setup());
  await screen.findByRole('heading', { name: 'Dashboard' });
  expect(screen.getByText('Welcome!')).toBeTruthy();
  expect(screen.getByText('Your account has been created successfully.')).toBeTruthy();
  expect(sent.find(({ call }) => call === 'POST /api/register')?.body).toEqual({
    username: 'nina@example.com',
    email: 'nina@example.com',
    password: 'long enough',
    fullName: 'Nina New',
    phoneNumber: '+1 555 0101',
  });
});

test.each([
  ['the server’s message', 'Check your inbox first.', 'Check your inbox first.'],
  ['the usual sentence', undefined, 'Please wait for administrator approval.'],
])('an account that waits for approval sees %s and what happens next', async (_, message, shown) => {
  serveApi({
    'GET /api/user': SIGNED_OUT,
    'POST /api/register': { body: { username: 'nina@example.com', role: 'user', approved: false, message } },
  });
  renderApp('/auth?tab=register');
  const user = userEvent.setup();
  await fillRegistration(user);
  await screen.findByRole('heading', { name: 'What happens next' });
  expect(screen.getAllByText('Registration successful').length).toBeGreaterThanOrEqual(2);
  expect(screen.getAllByText(shown).length).toBeGreaterThanOrEqual(2);
  expect(screen.queryByRole('alert')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Go to Login' }));
  await screen.findByRole('button', { name: 'Login' });
});

test('server errors are shown under their field', async () => {
  serveApi({
    'GET /api/user': SIGNED_OUT,
    'POST /api/register': refusal(400, 'validation_failed', 'Check the fields.', {
      phoneNumber: 'Not a phone number',
    }),
  });
  renderApp('/auth?tab=register');
  await fillRegistration(userEvent.setup());
  await screen.findByText('Not a phone number');
  const phone = screen.getByLabelText('Phone number');
  expect(phone.getAttribute('aria-invalid')).toBe('true');
  await waitFor(() => expect(document.activeElement).toBe(phone));
  expect(screen.queryByRole('alert')).toBeNull();
  // Only in the toast.
  expect(await screen.findByText('Registration failed')).toBeTruthy();
});

const firstAdmin = (way: FirstAdmin['way']) => ({ 'GET /api/first-admin': { body: { way } } });

test('a new installation opens with the registration and says that the first account becomes the administrator', async () => {
  serveApi({ 'GET /api/user': SIGNED_OUT, ...firstAdmin('registration') });
  const router = renderApp('/');
  await screen.findByRole('button', { name: 'Create account' });
  await waitFor(() => expect(router.state.location.pathname).toBe('/auth'));
  const says =
    'There is no administrator yet. The account you create here, on the machine that runs Pricewright, becomes the administrator.';
  expect(screen.getByText(says)).toBeTruthy();
  await userEvent.click(screen.getByRole('tab', { name: 'Login' }));
  await screen.findByRole('button', { name: 'Login' });
  expect(screen.getByText(says)).toBeTruthy();
});

test('from another host a new installation opens with the login and says where the setup link is', async () => {
  await openLogin(firstAdmin('setup_link'));
  expect(screen.getByText('No administrator yet')).toBeTruthy();
  expect(screen.getByText(/the setup link that Pricewright prints when it starts/)).toBeTruthy();
  await userEvent.click(screen.getByRole('tab', { name: 'Register' }));
  await screen.findByRole('button', { name: 'Create account' });
  expect(screen.getByText(/Accounts registered without it need approval/)).toBeTruthy();
});

test('with an administrator there is no text about a first account', async () => {
  await openLogin(firstAdmin('taken'));
  expect(screen.queryByText(/administrator yet|setup link|first account/)).toBeNull();
});

test('the heading is shown at once, and no form before it is known which one comes first', async () => {
  serveApi({ 'GET /api/user': SIGNED_OUT, 'GET /api/first-admin': () => new Promise(() => undefined) });
  renderApp('/auth');
  await screen.findByText('Loading the login page', { selector: 'p *' });
  expect(screen.getByRole('heading', { level: 1 })).toBeTruthy();
  expect(screen.queryByRole('tab')).toBeNull();
});

test('without an answer about the first account the login is shown', async () => {
  await openLogin({ 'GET /api/first-admin': refusal(503, 'unavailable', 'It is away.') });
  expect(screen.queryByText(/administrator yet|setup link|first account/)).toBeNull();
});

test('with an administrator a setup link opens the login, and its token is not sent', async () => {
  const sent = serveApi({
    'GET /api/user': SIGNED_OUT,
    ...firstAdmin('taken'),
    'POST /api/register': { body: { username: 'nina@example.com', role: 'user', approved: false } },
  });
  renderApp('/auth?setup=0123E4');
  await screen.findByRole('button', { name: 'Login' });
  expect(screen.getByText('Setup is complete')).toBeTruthy();
  await userEvent.click(screen.getByRole('tab', { name: 'Register' }));
  await fillRegistration(userEvent.setup());
  await screen.findByRole('heading', { name: 'What happens next' });
  expect(sent.find(({ call }) => call === 'POST /api/register')?.body).not.toHaveProperty('setupToken');
});

test('a setup link opens the registration and sends its token', async () => {
  const sent = serveApi({
    'GET /api/user': SIGNED_OUT,
    ...firstAdmin('setup_link'),
    'POST /api/register': { body: { username: 'nina@example.com', role: 'user', approved: false } },
  });
  renderApp('/auth?setup=0123E4');
  await screen.findByText(/to become the administrator/);
  await fillRegistration(userEvent.setup());
  await screen.findByRole('heading', { name: 'What happens next' });
  expect(sent.find(({ call }) => call === 'POST /api/register')?.body).toMatchObject({
    setupToken: '0123E4',
  });
});

const REPLACE = refusal(403, 'password_change_required', 'Choose another one.');

test('after a reset the login continues with a new password, and then logs in', async () => {
  const { sent, user, logIn } = await openLogin({
    'POST /api/login': REPLACE,
    'POST /api/change-password': (body) =>
      (body as { newPassword: string }).newPassword === 'password123'
        ? refusal(400, 'validation_failed', 'Too easy.', { newPassword: 'Choose a less common one.' })
        : { body: aUser() },
    'GET /api/stats': { body: null },
  });
  await logIn('temporary');
  await screen.findByRole('heading', { name: 'Choose a new password' });
  expect(screen.queryByText('Login failed')).toBeNull();
  const field = screen.getByLabelText('New password');
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(field.getAttribute('autocomplete')).toBe('new-password');
  await user.type(field, 'short{Enter}');
  await screen.findByText('Password must be at least 8 characters');
  await user.clear(field);
  await user.type(field, 'password123{Enter}');
  await screen.findByText('Choose a less common one.');
  await user.clear(field);
  await user.type(field, 'quiet owls listen');
  await user.click(screen.getByRole('button', { name: 'Change password and log in' }));
  await screen.findByRole('heading', { name: 'Dashboard' });
  expect(sent.filter(({ call }) => call === 'POST /api/change-password').at(-1)?.body).toEqual({
    username: 'sam@example.com',
    password: 'temporary',
    newPassword: 'quiet owls listen',
  });
});

test('the way back from the new password leads to the login', async () => {
  const { user, logIn } = await openLogin({ 'POST /api/login': REPLACE });
  await logIn('temporary');
  await user.click(await screen.findByRole('button', { name: 'Back to Login' }));
  await screen.findByRole('button', { name: 'Login' });
});

test("the button says 'Creating account...' while pending", async () => {
  serveApi({ 'GET /api/user': SIGNED_OUT, 'POST /api/register': () => new Promise(() => undefined) });
  renderApp('/auth?tab=register');
  await fillRegistration(userEvent.setup());
  await screen.findByRole('button', { name: 'Creating account...' });
});
