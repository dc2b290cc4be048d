import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { type Answers, NOBODY, refusal } from '#tests/support/fake-api.ts';
import { ANN, BOSS, choose, DONE, openUsers } from '#tests/support/users-screen.tsx';
import { dismissToasts } from '#web/lib/use-toast.ts';

vi.setConfig({ testTimeout: 30_000 });
afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

const AGAIN = refusal(403, 'step_up_required', 'Enter your password again to go on.');

/** The Users screen of somebody who signed in a while ago; `right password` is the right one. */
async function openLate(more: Answers = {}) {
  let isProved = false;
  return openUsers([BOSS, ANN], {
    'POST /api/step-up': (body) => {
      isProved = (body as { password: string }).password === 'right password';
      return isProved
        ? { body: { message: 'x' } }
        : refusal(400, 'validation_failed', 'This password is wrong.', {
            password: 'This password is wrong.',
          });
    },
    'PUT /api/users/ann/withdraw-approval': () => (isProved ? DONE : AGAIN),
    'DELETE /api/users/ann': () => (isProved ? { body: { message: 'x' } } : AGAIN),
    ...more,
  });
}

const question = () => screen.findByRole('dialog', { name: 'Enter your password' });

test('a call that needs the password asks for it and then goes on by itself', async () => {
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

test('who does not give it changes nothing and is told nothing', async () => {
  const { user, writes } = await openLate();
  await choose(user, 'Ann Arbor', 'Withdraw Approval');
  await user.click(within(await question()).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByText('Error')).toBeNull();
  expect(writes()).toHaveLength(1);
});

test('it stands over the dialog that asked, which goes on afterwards', async () => {
  const { user } = await openLate();
  await choose(user, 'Ann Arbor', 'Remove User');
  await user.click(await screen.findByRole('button', { name: 'Delete User' }));
  await user.type(within(await question()).getByLabelText('Password'), 'right password{Enter}');
  await screen.findAllByText('User has been removed');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});

test('a session that has ended meanwhile is begun again first', async () => {
  const { user } = await openLate({ 'POST /api/step-up': NOBODY });
  await choose(user, 'Ann Arbor', 'Withdraw Approval');
  await user.type(within(await question()).getByLabelText('Password'), 'right password{Enter}');
  await screen.findByRole('dialog', { name: 'Your session has ended' });
});
