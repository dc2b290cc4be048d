import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { anAccount, GUARDED, HERE, openAccount, PHONE } from '#tests/support/account-screen.tsx';
import { aUser, refusal } from '#tests/support/fake-api.ts';
import { recheckSession } from '#web/lib/session.ts';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

const region = (name: string) => screen.findByRole('region', { name });
const sees = async (...texts: string[]): Promise<void> => {
  for (const text of texts) expect((await screen.findAllByText(text)).length).toBeGreaterThan(0);
};

test('the page is in the sidebar, and shows the user and the fields that cannot be changed', async () => {
  await openAccount();
  const link = within(screen.getByRole('complementary')).getByRole('link', { name: /Account & security$/ });
  expect(link.getAttribute('href')).toBe('/account');
  const profile = within(await region('Profile'));
  expect(profile.getByText('sam@example.com')).toBeTruthy();
  expect(profile.getByText('User')).toBeTruthy();
  expect(profile.getByText(/so they cannot be changed/)).toBeTruthy();
  expect(profile.queryByLabelText('Email address')).toBeNull();
});

test('name and phone number are saved, and nothing is sent without a change', async () => {
  const { user, writes } = await openAccount(anAccount(), {
    'PUT /api/account/profile': (body) => ({ body: aUser(body as object) }),
  });
  const form = within(await screen.findByRole('form', { name: 'Profile' }));
  const save = form.getByRole<HTMLButtonElement>('button', { name: 'Save profile' });
  expect(save.disabled).toBe(true);
  const name = form.getByLabelText('Full name');
  expect(name.getAttribute('autocomplete')).toBe('name');
  await user.clear(name);
  await user.click(save);
  await form.findByText('Enter your full name');
  await user.type(name, 'Sam Smith');
  await user.click(save);
  await sees('Profile saved');
  expect(writes()).toEqual([{ call: 'PUT /api/account/profile', body: { fullName: 'Sam Smith' } }]);
});

test('an outdated stored number does not block a new name; a new invalid number shows the rule', async () => {
  const odd = anAccount();
  const { user, writes } = await openAccount(
    { ...odd, profile: { ...odd.profile, phoneNumber: 'abc' } },
    { 'PUT /api/account/profile': (body) => ({ body: aUser({ phoneNumber: 'abc', ...(body as object) }) }) },
  );
  const form = within(await screen.findByRole('form', { name: 'Profile' }));
  const phone = form.getByLabelText<HTMLInputElement>('Phone number');
  await user.type(form.getByLabelText('Full name'), 'son{Enter}');
  await sees('Profile saved');
  await user.type(phone, 'd{Enter}');
  await form.findByText(/^Enter a phone number with at least 5 digits, such as/);
  expect(document.activeElement).toBe(phone);
  await user.clear(phone);
  await user.type(phone, '555.0100 ext. 12{Enter}');
  await waitFor(() => expect(writes()).toHaveLength(2));
  expect(writes().map(({ body }) => body)).toEqual([
    { fullName: 'Sam Sellerson' },
    { fullName: 'Sam Sellerson', phoneNumber: '555.0100 ext. 12' },
  ]);
});

test('the weekly summary is one switch away, and saved with the stored name', async () => {
  const { user, writes } = await openAccount(anAccount(), { 'PUT /api/account/profile': { body: aUser() } });
  await user.click(await screen.findByRole('switch', { name: /^Weekly summary/ }));
  const { fullName } = aUser();
  await waitFor(() =>
    expect(writes()).toEqual([{ call: 'PUT /api/account/profile', body: { fullName, weeklySummary: true } }]),
  );
});

test('server errors of the profile are shown under their field', async () => {
  const { user } = await openAccount(anAccount(), {
    'PUT /api/account/profile': refusal(400, 'validation_failed', 'Check it.', {
      phoneNumber: 'Not a phone number',
    }),
  });
  const phone = await screen.findByLabelText('Phone number');
  await user.type(phone, ' x1{Enter}');
  await screen.findByText('Not a phone number');
  await waitFor(() => expect(document.activeElement).toBe(phone));
  await sees('Could not save the profile');
});

const NEW = 'quiet owls listen';

async function fillPasswords(user: Awaited<ReturnType<typeof openAccount>>['user'], current: string) {
  await user.type(await screen.findByLabelText('Current password'), current);
  await user.click(screen.getByLabelText('New password'));
  await user.paste(NEW);
}

test('a new password shows its rules first, is changed, and the fields are empty afterwards', async () => {
  const { user, writes } = await openAccount(anAccount(), { 'POST /api/change-password': { body: aUser() } });
  await screen.findByText(/^At least 8 characters\. Common passwords and passwords based on/);
  const current = screen.getByLabelText<HTMLInputElement>('Current password');
  const chosen = screen.getByLabelText<HTMLInputElement>('New password');
  expect([current, chosen].map((field) => field.getAttribute('autocomplete'))).toEqual([
    'current-password',
    'new-password',
  ]);
  expect(screen.queryByLabelText('2FA code')).toBeNull();
  await fillPasswords(user, 'the old one');
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  await sees('Password changed', 'Other sessions have ended.');
  expect(writes()).toEqual([
    {
      call: 'POST /api/change-password',
      body: { username: 'sam@example.com', password: 'the old one', newPassword: NEW },
    },
  ]);
  await waitFor(() => expect([current.value, chosen.value]).toEqual(['', '']));
});

test('the user is not asked to log in again when the stream ends before the new session has arrived', async () => {
  let answer: () => void = () => undefined;
  const changed = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let isEnded = false;
  let isRenewed = false;
  const { user } = await openAccount(anAccount(), {
    'GET /api/user': () => (isRenewed || !isEnded ? { body: aUser() } : refusal(401, 'not_signed_in', 'x')),
    'POST /api/change-password': async () => {
      isEnded = true;
      await changed;
      isRenewed = true;
      return { body: aUser() };
    },
  });
  await fillPasswords(user, 'the old one');
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  await screen.findByRole('button', { name: 'Changing password...' });
  const recheck = recheckSession();
  answer();
  await recheck;
  await sees('Password changed');
  expect(screen.queryByRole('dialog', { name: 'Your session has ended' })).toBeNull();
});

test.each([
  [
    'a wrong current password',
    refusal(401, 'invalid_credentials', 'x'),
    'Current password',
    'This password is wrong.',
  ],
  [
    'a password that is too easy',
    refusal(400, 'validation_failed', 'x', { newPassword: 'Choose a less common one.' }),
    'New password',
    'Choose a less common one.',
  ],
])('%s is shown at its field', async (_, answer, label, text) => {
  const { user } = await openAccount(anAccount(), { 'POST /api/change-password': answer });
  await fillPasswords(user, 'guess');
  await user.keyboard('{Enter}');
  await screen.findByText(text);
  const field = screen.getByLabelText(label);
  expect(field.getAttribute('aria-invalid')).toBe('true');
  await waitFor(() => expect(document.activeElement).toBe(field));
  await sees('Could not change the password');
});

test('a failure without a field stays on the page', async () => {
  const { user } = await openAccount(anAccount(), {
    'POST /api/change-password': refusal(
      429,
      'too_many_requests',
      'Too many attempts. Try again in 30 seconds.',
    ),
  });
  await fillPasswords(user, 'guess');
  await user.keyboard('{Enter}');
  const alert = within(await region('Password')).getByRole('alert');
  expect(alert.textContent).toContain('Try again in 30 seconds.');
});

test('with a second factor the change of a password asks for a code too', async () => {
  const { user, writes } = await openAccount(GUARDED, {
    'POST /api/change-password': (body) =>
      (body as { twoFactorToken: string }).twoFactorToken === '123456'
        ? { body: aUser({ twoFactorEnabled: true }) }
        : refusal(401, 'invalid_credentials', 'x', { twoFactorToken: 'This code is wrong.' }),
  });
  await fillPasswords(user, 'the old one');
  await user.keyboard('{Enter}');
  await screen.findByText('Enter the code');
  expect(writes()).toEqual([]);
  const code = screen.getByLabelText('2FA code');
  expect(code.getAttribute('autocomplete')).toBe('one-time-code');
  await user.type(code, '000000{Enter}');
  await screen.findByText('This code is wrong.');
  await user.clear(code);
  await user.type(code, '123 456{Enter}');
  await sees('Password changed');
});

test('the sessions are listed, and one of them can be ended', async () => {
  let list = [HERE, PHONE];
  const { user, writes } = await openAccount(anAccount(), {
    'GET /api/sessions': () => ({ body: list }),
    'DELETE /api/sessions/s-phone': () => {
      list = [HERE];
      return { body: { message: 'x' } };
    },
  });
  const card = within(await region('Sessions'));
  const here = await card.findByRole('row', { name: /Firefox on Linux/ });
  expect(within(here).getByText('This session')).toBeTruthy();
  expect(within(here).queryByRole('button')).toBeNull();
  const phone = card.getByRole('row', { name: /Safari on iPhone/ });
  expect(within(phone).getAllByText('203.0.113.9').length).toBeGreaterThan(0);
  await user.click(card.getByRole('button', { name: 'End the session of Safari on iPhone, 203.0.113.9' }));
  await sees('Session ended', 'Safari on iPhone has to log in again.', 'You have no other sessions.');
  expect(card.queryByRole('row', { name: /Safari/ })).toBeNull();
  expect(card.queryByRole('button', { name: 'End all others' })).toBeNull();
  expect(writes()).toEqual([{ call: 'DELETE /api/sessions/s-phone', body: undefined }]);
  // The button disappears with its row.
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Sessions'));
});

test('all other sessions end after a confirmation', async () => {
  let all = [HERE, PHONE, { ...PHONE, id: 's-2', client: null, address: null }];
  const { user, writes } = await openAccount(anAccount(), {
    'GET /api/sessions': () => ({ body: all }),
    'POST /api/sessions/end-others': () => {
      all = [HERE];
      return { body: { ended: 2 } };
    },
  });
  const card = within(await region('Sessions'));
  expect(await card.findByRole('row', { name: /Unknown browser/ })).toBeTruthy();
  await user.click(card.getByRole('button', { name: 'End all others' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'End 2 other sessions?' }));
  expect(writes()).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'End all others' }));
  await sees('Other sessions ended', '2 sessions have to log in again.');
  await waitFor(() => expect(card.queryByRole('row', { name: /Safari/ })).toBeNull());
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Sessions'));
});

test('a session that has already ended says so, and the list is reloaded', async () => {
  const { user, sent } = await openAccount(anAccount(), {
    'GET /api/sessions': { body: [HERE, PHONE] },
    'DELETE /api/sessions/s-phone': refusal(404, 'not_found', 'It is over.'),
  });
  await user.click(await screen.findByRole('button', { name: /^End the session of Safari/ }));
  await sees('Could not end the session', 'It is over.');
  await waitFor(() => expect(sent.filter(({ call }) => call === 'GET /api/sessions')).toHaveLength(2));
});

test('a part that failed to load says so, with a retry', async () => {
  let isBack = false;
  const { user } = await openAccount(anAccount(), {
    'GET /api/account': () => (isBack ? { body: anAccount() } : refusal(503, 'unavailable', 'It is away.')),
    'GET /api/sessions': refusal(500, 'internal', 'It broke.'),
  });
  await sees('Failed to load your account', 'Failed to load your sessions');
  isBack = true;
  const [retry] = screen.getAllByRole('button', { name: 'Retry' });
  if (retry === undefined) throw new Error('no way to try again');
  await user.click(retry);
  await region('Profile');
  expect(screen.queryByText('Failed to load your account')).toBeNull();
});
