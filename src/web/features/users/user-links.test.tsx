import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { refusal } from '#tests/support/fake-api.ts';
import { BOSS, choose, NINA, openUsers } from '#tests/support/users-screen.tsx';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

const LINK = { url: 'http://127.0.0.1:5000/verify-email?token=abc', expiresAt: '2026-11-22T12:00:00.000Z' };
const ANSWERS = { 'POST /api/users/nina/verification-link': { body: LINK } };

async function sees(...texts: string[]): Promise<void> {
  for (const text of texts) expect((await screen.findAllByText(text)).length).toBeGreaterThan(0);
}

test('without a mail server a new link is created, shown and copied', async () => {
  const { user, writes } = await openUsers([BOSS, NINA], ANSWERS);
  await sees('Email not sent:');
  await user.click(screen.getByRole('button', { name: 'Copy link for Nina New' }));
  await screen.findByRole('dialog', { name: 'Verification link' });
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Link').value).toBe(LINK.url));
  await user.click(screen.getByRole('button', { name: 'Copy link' }));
  await sees('Link copied');
  expect(await navigator.clipboard.readText()).toBe(LINK.url);
  expect(writes().map(({ call }) => call)).toEqual(['POST /api/users/nina/verification-link']);
});

test('a browser without a clipboard selects the link instead', async () => {
  const { user } = await openUsers([BOSS, NINA], ANSWERS);
  await user.click(await screen.findByRole('button', { name: 'Copy link for Nina New' }));
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Link').value).toBe(LINK.url));
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'));
  await user.click(screen.getByRole('button', { name: 'Copy link' }));
  await sees('Press Ctrl+C to copy');
  const field = screen.getByLabelText<HTMLInputElement>('Link');
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, LINK.url.length]);
});

test('a failure to create a link shows why and leaves no empty dialog', async () => {
  const { user } = await openUsers([BOSS, NINA], {
    'POST /api/users/nina/verification-link': refusal(409, 'conflict', 'Verified already.'),
  });
  await user.click(await screen.findByRole('button', { name: 'Copy link for Nina New' }));
  await sees('Error', 'Verified already.');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('with a mail server the email can be sent again, also to an approved user', async () => {
  const waiting = { ...NINA, verifiesBy: 'email' as const };
  const early = { ...waiting, id: 'early', fullName: 'Early Bird', approved: true };
  const { user, writes } = await openUsers([BOSS, waiting, early], {
    'POST /api/users/nina/verification-email': { body: waiting },
    'POST /api/users/early/verification-email': { body: early },
  });
  await user.click(await screen.findByRole('button', { name: 'Send email again to Nina New' }));
  await sees('Email sent');
  await choose(user, 'Early Bird', 'Send verification email');
  await waitFor(() =>
    expect(writes().map(({ call }) => call)).toEqual([
      'POST /api/users/nina/verification-email',
      'POST /api/users/early/verification-email',
    ]),
  );
  expect(screen.queryByText('Email not sent:')).toBeNull();
});
