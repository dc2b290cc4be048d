import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { refusal } from '#tests/support/fake-api.ts';
import { ANN, BOSS, choose, DONE, NINA, openUsers } from '#tests/support/users-screen.tsx';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

const GUARDED = { ...ANN, twoFactorEnabled: true };
const REFUSED = refusal(409, 'conflict', 'Another administrator was faster.');

async function sees(...texts: string[]): Promise<void> {
  for (const text of texts) expect((await screen.findAllByText(text)).length).toBeGreaterThan(0);
}

test('one click approves, the list is reloaded, and Undo reverts it', async () => {
  const { user, writes, reads, show } = await openUsers([BOSS, NINA], {
    'PUT /api/users/nina/approve': DONE,
    'PUT /api/users/nina/withdraw-approval': DONE,
  });
  const approve = await screen.findByRole('button', { name: 'Approve Nina New' });
  show([BOSS, { ...NINA, approved: true }]);
  await user.click(approve);
  const reported = 'User can now access the application once the email address is verified';
  await sees('User approved', reported, 'Active Users (2)');
  expect(reads()).toBe(2);
  // The button was removed with its row: the heading has the focus.
  await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));

  show([BOSS, NINA]);
  await user.keyboard('{Control>}z{/Control}');
  await sees('Approval withdrawn', 'The user needs approval again.', 'Pending Approval (1)');
  expect(reads()).toBe(3);
  expect(writes()).toEqual([
    { call: 'PUT /api/users/nina/approve', body: undefined },
    { call: 'PUT /api/users/nina/withdraw-approval', body: undefined },
  ]);
});

test('an approval that fails says so, and the list is reloaded', async () => {
  const { user, reads } = await openUsers([BOSS, NINA], { 'PUT /api/users/nina/approve': REFUSED });
  await user.click(await screen.findByRole('button', { name: 'Approve Nina New' }));
  await sees('Error', 'Failed to approve user');
  await waitFor(() => expect(reads()).toBe(2));
});

test('a dialog is in the address, which opens it again; closing removes it', async () => {
  const { user, where } = await openUsers([BOSS, ANN], {}, '/users?do=role&user=ann');
  const dialog = within(await screen.findByRole('dialog', { name: /Role/ }));
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(where()).toBe('/users'));
  await choose(user, 'Ann Arbor', 'Reset Password');
  await waitFor(() => expect(where()).toBe('/users?do=reset&user=ann'));
});

test('an address opens neither a dialog with a side effect nor one of a deleted user', async () => {
  const { writes } = await openUsers([BOSS, NINA], {}, '/users?do=link&user=nina');
  await screen.findByRole('button', { name: 'Approve Nina New' });
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(writes()).toEqual([]);
});

test('the menu has the actions that apply to the account', async () => {
  const { user } = await openUsers([{ ...BOSS, twoFactorEnabled: true }, GUARDED]);
  await user.click(await screen.findByRole('button', { name: 'User Actions for Ann Arbor' }));
  await sees('User Actions');
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'Change Role',
    'Reset Password',
    'Disable 2FA',
    'End Sessions',
    'Show in Audit log',
    'Withdraw Approval',
    'Remove User',
  ]);
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'User Actions for Boss Bright' }));
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'Change Role',
    'Reset Password',
    'End Sessions',
    'Show in Audit log',
  ]);
});

test('the menu links to the audit log of the account', async () => {
  const { user, where } = await openUsers([BOSS, ANN]);
  await choose(user, 'Ann Arbor', 'Show in Audit log');
  await waitFor(() => expect(where()).toBe('/audit?kind=user&target=ann'));
});

test('the second factor is reset by one entry of the menu', async () => {
  const { user, writes, show } = await openUsers([BOSS, GUARDED], { 'PUT /api/users/ann/disable-2fa': DONE });
  await screen.findByText('2FA Enabled');
  show([BOSS, ANN]);
  await choose(user, 'Ann Arbor', 'Disable 2FA');
  await sees('2FA disabled', 'Two-factor authentication has been disabled for this user');
  expect(writes()).toEqual([{ call: 'PUT /api/users/ann/disable-2fa', body: undefined }]);
  await waitFor(() => expect(screen.queryByText('2FA Enabled')).toBeNull());
});

test('a failed reset of the second factor says so', async () => {
  const { user } = await openUsers([BOSS, GUARDED], { 'PUT /api/users/ann/disable-2fa': REFUSED });
  await choose(user, 'Ann Arbor', 'Disable 2FA');
  await sees('Error', 'Failed to disable 2FA');
});

test.each([
  ['Reject', 0],
  ['Remove User', 2],
])('%s asks, names the user, and deletes after a confirmation; %i jobs stop', async (way, stoppedJobs) => {
  const who = way === 'Reject' ? NINA : ANN;
  const { user, writes, show } = await openUsers([BOSS, who], {
    [`DELETE /api/users/${who.id}`]: { body: { message: 'x', stoppedJobs } },
  });
  if (way === 'Reject') await user.click(await screen.findByRole('button', { name: 'Reject Nina New' }));
  else await choose(user, 'Ann Arbor', way);
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Are you sure?' }));
  expect(dialog.getByText(who.fullName)).toBeTruthy();
  expect(dialog.getByText(/permanently deletes the user/)).toBeTruthy();
  expect(dialog.getByText(/removes their access/)).toBeTruthy();
  expect(dialog.getByText(/jobs and imports/)).toBeTruthy();
  expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Cancel' }));
  expect(writes()).toEqual([]);
  show([BOSS]);
  await user.click(dialog.getByRole('button', { name: 'Delete User' }));
  await sees('User deleted', 'User has been removed');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(screen.queryByText(who.fullName)).toBeNull();
  await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
});

test.each([
  ['the server’s reason', REFUSED, 'Another administrator was faster.'],
  ['the usual sentence', { status: 502, body: 'a proxy' }, 'Failed to delete user'],
])('a deletion that fails shows %s and keeps the dialog', async (_, answer, text) => {
  const { user } = await openUsers([BOSS, ANN], { 'DELETE /api/users/ann': answer });
  await choose(user, 'Ann Arbor', 'Remove User');
  await user.click(await screen.findByRole('button', { name: 'Delete User' }));
  await sees('Error', text);
  expect(screen.getByRole('alertdialog')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  const menu = await screen.findByRole('button', { name: 'User Actions for Ann Arbor' });
  await waitFor(() => expect(document.activeElement).toBe(menu));
});

test('a new password needs eight characters before it can be submitted', async () => {
  const { user, writes } = await openUsers([BOSS, ANN], { 'PUT /api/users/ann/reset-password': DONE });
  await choose(user, 'Ann Arbor', 'Reset Password');
  const dialog = within(await screen.findByRole('dialog', { name: 'Reset User Password' }));
  const field = dialog.getByLabelText('New Password');
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Reset Password' });
  expect(dialog.getByText('Minimum 8 characters required')).toBeTruthy();
  await user.type(field, 'seven77{Enter}');
  await sees('Invalid password', 'Password must be at least 8 characters');
  expect(confirm.disabled).toBe(true);
  expect(writes()).toEqual([]);
  await user.type(field, '8');
  expect(confirm.disabled).toBe(false);
  await user.click(confirm);
  await sees('Password reset', 'User password has been updated');
  expect(writes()).toEqual([
    { call: 'PUT /api/users/ann/reset-password', body: { newPassword: 'seven778' } },
  ]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a rejected password is an error at its field', async () => {
  const { user } = await openUsers([BOSS, ANN], {
    'PUT /api/users/ann/reset-password': refusal(400, 'validation_failed', 'Too easy.', {
      newPassword: 'Choose a less common one.',
    }),
  });
  await choose(user, 'Ann Arbor', 'Reset Password');
  await user.type(await screen.findByLabelText('New Password'), 'password1{Enter}');
  await sees('Error', 'Failed to reset password', 'Choose a less common one.');
  expect(screen.getByLabelText('New Password').getAttribute('aria-invalid')).toBe('true');
});

test('the role dialog preselects the other role and explains the roles', async () => {
  const { user, writes, show } = await openUsers([BOSS, ANN], { 'PUT /api/users/ann/role': DONE });
  await choose(user, 'Ann Arbor', 'Change Role');
  const dialog = within(await screen.findByRole('dialog', { name: 'Change User Role' }));
  expect(dialog.getByRole<HTMLInputElement>('radio', { name: 'Admin' }).checked).toBe(true);
  expect(
    dialog.getByText('Admins can manage users, settings and all features. Users cannot manage other users.'),
  ).toBeTruthy();
  show([BOSS, { ...ANN, role: 'admin' }]);
  await user.click(dialog.getByRole('button', { name: 'Change Role' }));
  await sees('Role updated', 'User role has been changed');
  expect(writes()).toEqual([{ call: 'PUT /api/users/ann/role', body: { role: 'admin' } }]);
  await waitFor(() => expect(screen.getAllByRole('img', { name: 'Administrator' })).toHaveLength(2));
});

test.each([
  ['Disable 2FA', GUARDED, 'PUT /api/users/ann/disable-2fa', null],
  ['Change Role', ANN, 'PUT /api/users/ann/role', 'Change Role'],
  ['Reset Password', ANN, 'PUT /api/users/ann/reset-password', 'Reset Password'],
  ['Remove User', ANN, 'DELETE /api/users/ann', 'Delete User'],
])('%s reloads the list, whether it succeeded or not', async (entry, who, change, button) => {
  let answer = REFUSED;
  const { user, reads } = await openUsers([BOSS, who], { [change]: () => answer });
  for (const expected of [2, 3]) {
    await choose(user, 'Ann Arbor', entry);
    if (entry === 'Reset Password')
      await user.type(await screen.findByLabelText('New Password'), 'long-enough');
    if (button !== null) await user.click(await screen.findByRole('button', { name: button }));
    await waitFor(() => expect(reads()).toBe(expected));
    if (button !== null && answer === REFUSED)
      await user.click(screen.getByRole('button', { name: 'Cancel' }));
    answer = change.startsWith('DELETE') ? { body: { message: 'x' } } : DONE;
  }
});

test('the current role is not a change', async () => {
  const { user, writes } = await openUsers([BOSS, ANN]);
  await choose(user, 'Ann Arbor', 'Change Role');
  await user.click(await screen.findByRole('radio', { name: 'User' }));
  await user.click(screen.getByRole('button', { name: 'Change Role' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(writes()).toEqual([]);
});

test.each([
  ['the server’s reason', REFUSED, 'Another administrator was faster.'],
  ['the usual sentence', { status: 502, body: 'a proxy' }, 'Failed to update role'],
])('a failed change of role shows %s', async (_, answer, text) => {
  const { user } = await openUsers([BOSS, ANN], { 'PUT /api/users/ann/role': answer });
  await choose(user, 'Ann Arbor', 'Change Role');
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Change Role' }));
  await sees('Error', text);
});

test("changing the own role warns, and the last administrator's even more", async () => {
  const { user, show } = await openUsers([BOSS, { ...ANN, role: 'admin' }]);
  await choose(user, 'Boss Bright', 'Change Role');
  await screen.findByText('This is your own role');
  await user.click(screen.getByRole('radio', { name: 'Admin' }));
  expect(screen.queryByText('This is your own role')).toBeNull();
  await user.keyboard('{Escape}');
  show([BOSS, ANN]);
  await user.click(await screen.findByRole('button', { name: 'Refresh' }));
  await waitFor(() => expect(screen.getAllByRole('img', { name: 'Administrator' })).toHaveLength(1));
  await choose(user, 'Boss Bright', 'Change Role');
  await screen.findByText('This is the last administrator');
});

const PHONE = {
  id: 's-1',
  startedAt: '2026-11-21T12:00:00.000Z',
  lastSeenAt: '2026-11-21T12:30:00.000Z',
  address: '203.0.113.9',
  client: 'Safari on iPhone',
  isCurrent: false,
};

test('the sessions of a user are counted and listed before they end', async () => {
  const { user, writes } = await openUsers([BOSS, ANN], {
    'GET /api/users/ann/sessions': { body: [PHONE, { ...PHONE, id: 's-2', client: null, address: null }] },
    'DELETE /api/users/ann/sessions': { body: { ended: 2 } },
  });
  await choose(user, 'Ann Arbor', 'End Sessions');
  const dialog = within(await screen.findByRole('dialog', { name: 'Sessions of Ann Arbor' }));
  await dialog.findByText('2 sessions');
  expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Safari on iPhone203\.0\.113\.9, /),
    expect.stringMatching(/^Unknown browserUnknown address, /),
  ]);
  expect(writes()).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'End 2 sessions' }));
  await sees('Sessions ended', '2 sessions have ended.');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(writes()).toEqual([{ call: 'DELETE /api/users/ann/sessions', body: undefined }]);
  const menu = screen.getByRole('button', { name: 'User Actions for Ann Arbor' });
  await waitFor(() => expect(document.activeElement).toBe(menu));
});

test('without sessions there is nothing to end', async () => {
  const { user } = await openUsers([BOSS, ANN], { 'GET /api/users/ann/sessions': { body: [] } });
  await choose(user, 'Ann Arbor', 'End Sessions');
  const dialog = within(await screen.findByRole('dialog', { name: 'Sessions of Ann Arbor' }));
  await dialog.findByText('Ann Arbor has no sessions.');
  expect(dialog.queryByRole('button', { name: /^End/ })).toBeNull();
});

test('sessions that fail to end say why', async () => {
  const { user } = await openUsers([BOSS, ANN], {
    'GET /api/users/ann/sessions': { body: [PHONE] },
    'DELETE /api/users/ann/sessions': REFUSED,
  });
  await choose(user, 'Ann Arbor', 'End Sessions');
  await user.click(await screen.findByRole('button', { name: 'End 1 session' }));
  await sees('Error', 'Another administrator was faster.');
  expect(screen.getByRole('dialog', { name: 'Sessions of Ann Arbor' })).toBeTruthy();
});
