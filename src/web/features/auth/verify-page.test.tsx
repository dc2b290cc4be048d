import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { type Answers, SIGNED_OUT, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';

afterEach(() => vi.unstubAllGlobals());

const CALL = 'GET /api/verify-email/a_b-c';
const PENDING = 'It is verified, and waits for an administrator.';

function open(answers: Answers, address = '/verify-email?token=a_b-c') {
  const sent = serveApi({ 'GET /api/user': SIGNED_OUT, ...answers });
  const router = renderApp(address);
  return { sent, where: () => router.state.location.href };
}
const said = (urgency: 'polite' | 'assertive') =>
  document.querySelector(`[aria-live=${urgency}]`)?.textContent;

test('the page verifies once and says that the account now waits for approval', async () => {
  const { sent, where } = open({ [CALL]: { body: { message: PENDING } } });
  await screen.findByRole('heading', { level: 1, name: 'Email verified' });
  expect(screen.getByText(PENDING)).toBeTruthy();
  await waitFor(() => expect(said('polite')).toBe(`Email verified. ${PENDING}`));
  expect(sent.filter(({ call }) => call === CALL)).toHaveLength(1);
  await userEvent.click(screen.getByRole('link', { name: 'Go to Login' }));
  await waitFor(() => expect(where()).toBe('/auth'));
});

test('the pending state is shown', async () => {
  let answer: (value: { body: unknown }) => void = () => undefined;
  open({
    [CALL]: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  await screen.findByText('Verifying...');
  expect(document.title).toBe('Verify your email address | Pricewright');
  answer({ body: { message: PENDING } });
  await screen.findByText(PENDING);
});

test.each([
  [
    'the server’s text',
    { status: 404, body: { error: 'Too old.', message: 'Too old.', code: 'not_found', requestId: 'r' } },
    'Too old.',
  ],
  ['Verification failed', { status: 502, body: 'a proxy' }, 'Verification failed'],
])('an error shows %s and is announced at once', async (_, answer, text) => {
  const { where } = open({ [CALL]: answer });
  await screen.findByRole('heading', { level: 1, name: 'Email not verified' });
  expect(screen.getByText(text)).toBeTruthy();
  await waitFor(() => expect(said('assertive')).toBe(`Email not verified. ${text}`));
  await userEvent.click(screen.getByRole('link', { name: 'Back to Login' }));
  await waitFor(() => expect(where()).toBe('/auth'));
});

test('a missing answer has its own message', async () => {
  open({
    [CALL]: () => {
      throw new TypeError('offline');
    },
  });
  await screen.findByText('Failed to verify email');
});

test.each(['/verify-email', '/verify-email?token='])('%s has nothing to verify', async (address) => {
  const { sent } = open({}, address);
  await screen.findByText('No verification token provided');
  expect(screen.getByRole('link', { name: 'Back to Login' })).toBeTruthy();
  expect(sent.filter(({ call }) => call.includes('verify-email'))).toEqual([]);
});
