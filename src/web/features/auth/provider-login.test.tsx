import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { anAccount } from '#tests/support/account-screen.tsx';
import { type Answers, aUser, refusal, SIGNED_OUT, serveApi } from '#tests/support/fake-api.ts';
import { openLogin } from '#tests/support/login-screen.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { BOSS, choose, DONE, openUsers } from '#tests/support/users-screen.tsx';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
  window.location.hash = '';
});

const WITH_PROVIDER: Answers = {
  'GET /api/openid': { body: { provider: 'Shop login', directLogin: 'all' } },
};
// A navigation within this page replaces leaving it.
const LEAVES: Answers = {
  'POST /api/openid/login': { body: { address: new URL('#at-provider', window.location.href).href } },
};

describe('the login page', () => {
  test('has no button without an identity provider', async () => {
    await openLogin();
    expect(screen.queryByRole('button', { name: /^Log in with/ })).toBeNull();
  });

  test('leaves for the provider, and remembers the page that was wanted', async () => {
    const sent = serveApi({ 'GET /api/user': SIGNED_OUT, ...WITH_PROVIDER, ...LEAVES });
    renderApp('/auth?redirect=%2Fskus');
    await userEvent.click(await screen.findByRole('button', { name: 'Log in with Shop login' }));
    await waitFor(() => expect(window.location.hash).toBe('#at-provider'));
    expect(sent).toContainEqual({ call: 'POST /api/openid/login', body: { returnTo: '/skus' } });
  });

  test('says why it did not leave', async () => {
    const { user } = await openLogin({
      ...WITH_PROVIDER,
      'POST /api/openid/login': refusal(503, 'unavailable', 'It is down.'),
    });
    await user.click(screen.getByRole('button', { name: 'Log in with Shop login' }));
    expect((await screen.findByRole('alert')).textContent).toContain('It is down.');
  });
});

describe('the way back', () => {
  const ANSWER = 'POST /api/openid/answer';
  const arrive = (answer: Answers[string]) => {
    const sent = serveApi({
      'GET /api/user': SIGNED_OUT,
      'GET /api/account': { body: anAccount() },
      'GET /api/sessions': { body: [] },
      'GET /api/tokens': { body: [] },
      [ANSWER]: answer,
    });
    return { sent, router: renderApp('/auth/return?code=c%2F1&state=s') };
  };

  test('sends its parameters once, and opens the page that was wanted', async () => {
    const { sent, router } = arrive({ body: { user: aUser(), returnTo: '/account' } });
    await waitFor(() => expect(router.state.location.href).toBe('/account'));
    expect(sent.filter(({ call }) => call === ANSWER)).toEqual([
      { call: ANSWER, body: { query: 'code=c%2F1&state=s' } },
    ]);
  });

  test('removes the code from the address, and says what went wrong', async () => {
    const { router } = arrive(refusal(403, 'not_allowed', 'You are in no group.'));
    await screen.findByRole('heading', { name: 'Login failed' });
    expect(screen.getByText('You are in no group.')).toBeTruthy();
    expect(router.state.location.href).toBe('/auth/return');
    expect(screen.getByRole('link', { name: 'Back to Login' }).getAttribute('href')).toBe('/auth');
  });

  test('says where a confirmed action goes on', async () => {
    arrive({ body: { user: null, returnTo: '/' } });
    await screen.findByRole('heading', { name: 'Login confirmed' });
  });
});

test('a user without a password confirms in another tab, and the call goes on', async () => {
  let isStepUpFresh = false;
  const { user } = await openUsers([BOSS, { ...BOSS, id: 'ann', fullName: 'Ann Arbor', role: 'user' }], {
    ...WITH_PROVIDER,
    'GET /api/user': { body: aUser({ role: 'admin', isProviderOnly: true }) },
    'PUT /api/users/ann/withdraw-approval': () =>
      isStepUpFresh ? DONE : refusal(403, 'step_up_required', 'Once more.'),
  });
  await choose(user, 'Ann Arbor', 'Withdraw Approval');
  const dialog = within(await screen.findByRole('dialog', { name: 'Log in with Shop login again' }));
  const link = dialog.getByRole('link', { name: 'Log in with Shop login' });
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/auth/confirm', '_blank']);
  isStepUpFresh = true;
  await user.click(dialog.getByRole('button', { name: 'Continue' }));
  await screen.findAllByText('Approval withdrawn');
});
