import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { type Answers, aUser, refusal, SIGNED_OUT } from '#tests/support/fake-api.ts';
import { ANN, BOSS, choose, DONE, openUsers } from '#tests/support/users-screen.tsx';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

const AGAIN = refusal(403, 'step_up_required', 'Once more.');

/** The Users screen of a user whose step-up has expired; the password is `right password`. */
async function openLate(more: Answers = {}) {
  let isStepUpFresh = false;
  return openUsers([BOSS, ANN], {
    'POST /api/step-up': (body) => {
      isStepUpFresh = (body as { password: string }).password === 'right password';
      return isStepUpFresh
        ? { body: { message: 'x' } }
        : refusal(400, 'validation_failed', 'This password is wrong.', {
            password: 'This password is wrong.',
          });
    },
    'PUT /api/users/ann/withdraw-approval': () => (isStepUpFresh ? DONE : AGAIN),
    'DELETE /api/users/ann': () => (isStepUpFresh ? { body: { message: 'x', stoppedJobs: 0 } } : AGAIN),
    ...more,
  });
}

const question = () => screen.findByRole('dialog', { name: 'Enter your password' });

test('a call that needs the password asks for it and then continues automatically', async () => {
  const { user, writes } = await openLate();
  await choose(user, 'Ann Arbor', 'Withdraw Approval');
  const dialog = within(await question());
  const field = dialog.getByLabelText('Password');
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(field.getAttribute('autocomplete')).toBe('current-password');
  await user.type(field, 'right password{Enter}');
  await screen.findAllByText('Approval withdrawn');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(writes().map(({ call }) => call)).toEqual([
    'PUT /api/users/ann/withdraw-approval',
    'POST /api/step-up',
    'PUT /api/users/ann/withdraw-approval',
  ]);
});

test('the question explains the effect of the call where it is not obvious', async () => {
  const because = 'This lowers the lowest allowed price of 12 live listings.';
  const { user } = await openLate({
    'DELETE /api/users/ann': refusal(403, 'step_up_required', because, { because }),
  });
  await choose(user, 'Ann Arbor', 'Remove User');
  await user.click(await screen.findByRole('button', { name: 'Delete User' }));
  expect((await question()).textContent).toContain(because);
});

test('a wrong password stays in the dialog, an empty one is not sent', async () => {
  const { user, writes } = await openLate();
  await choose(user, 'Ann Arbor', 'Withdraw Approval');
  const dialog = within(await question());
  await user.click(dialog.getByRole('button', { name: 'Continue' }));
  await dialog.findByText('Enter your password', { selector: 'p' });
  await user.type(dialog.getByLabelText('Password'), 'wrong{Enter}');
  await dialog.findByText('This password is wrong.');
  expect(writes().map(({ call }) => call)).toEqual([
    'PUT /api/users/ann/withdraw-approval',
    'POST /api/step-up',
  ]);
});

test('declining changes nothing and shows no error', async () => {
  const { user, writes } = await openLate();
  await choose(user, 'Ann Arbor', 'Withdraw Approval');
  await user.click(within(await question()).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByText('Error')).toBeNull();
  expect(writes()).toHaveLength(1);
});

test('it opens over the dialog that made the call, which continues afterwards', async () => {
  const { user } = await openLate();
  await choose(user, 'Ann Arbor', 'Remove User');
  await user.click(await screen.findByRole('button', { name: 'Delete User' }));
  await user.type(within(await question()).getByLabelText('Password'), 'right password{Enter}');
  await screen.findAllByText('User has been removed');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});

test('a session that has ended is renewed first', async () => {
  const { user } = await openLate({ 'POST /api/step-up': SIGNED_OUT });
  await choose(user, 'Ann Arbor', 'Withdraw Approval');
  await user.type(within(await question()).getByLabelText('Password'), 'right password{Enter}');
  await screen.findByRole('dialog', { name: 'Your session has ended' });
});

test('a user with a second factor may enter a code instead of the password', async () => {
  let isStepUpFresh = false;
  const { user, sent } = await openLate({
    'GET /api/user': { body: aUser({ id: 'boss', role: 'admin', twoFactorEnabled: true }) },
    'POST /api/step-up': (body) => {
      isStepUpFresh = (body as { code?: string }).code === '123456';
      return isStepUpFresh
        ? { body: { message: 'x' } }
        : refusal(400, 'validation_failed', 'x', { code: 'Invalid code.' });
    },
    'PUT /api/users/ann/withdraw-approval': () => (isStepUpFresh ? DONE : AGAIN),
  });
  await choose(user, 'Ann Arbor', 'Withdraw Approval');
  await user.click(within(await question()).getByRole('button', { name: 'Use a 2FA code instead' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Enter a 2FA code' }));
  const code = dialog.getByLabelText('2FA code');
  await waitFor(() => expect(document.activeElement).toBe(code));
  await user.keyboard('{Enter}');
  await dialog.findByText('Enter the code');
  await user.type(code, '000000{Enter}');
  await dialog.findByText('Invalid code.');
  await user.click(dialog.getByRole('button', { name: 'Use your password instead' }));
  const password = within(await question()).getByLabelText('Password');
  await waitFor(() => expect(document.activeElement).toBe(password));
  expect(screen.queryByText('Invalid code.')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Use a 2FA code instead' }));
  await user.type(screen.getByLabelText('2FA code'), '123 456{Enter}');
  await screen.findAllByText('Approval withdrawn');
  const tries = sent.filter(({ call }) => call === 'POST /api/step-up');
  expect(tries.map(({ body }) => body)).toEqual([{ code: '000000' }, { code: '123456' }]);
});

test('a user without a second factor is asked for the password only', async () => {
  const { user } = await openLate();
  await choose(user, 'Ann Arbor', 'Withdraw Approval');
  expect(within(await question()).queryByRole('button', { name: 'Use a 2FA code instead' })).toBeNull();
});
