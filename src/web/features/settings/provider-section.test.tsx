import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { ProviderSettings } from '#contract/identity-provider.ts';
import { type Answers, refusal } from '#tests/support/fake-api.ts';
import { openSettings, SETTINGS } from '#tests/support/settings-screen.tsx';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

const STORED: ProviderSettings = {
  values: {
    isOn: true,
    issuer: 'https://login.example.com',
    clientId: 'pricewright',
    clientSecret: '********',
    label: 'Shop login',
    scopes: ['openid', 'email'],
    groupsClaim: 'groups',
    adminGroups: ['owners'],
    userGroups: ['sellers', 'buyers'],
    linksAccounts: false,
    createsAccounts: true,
    secondFactor: 'provider',
    factorAcrs: [],
    directLogin: 'all',
  },
  version: 4,
  updatedAt: '2026-01-15T12:00:00.000Z',
  redirectUri: 'https://prices.example.com/auth/return',
};

const open = (stored: ProviderSettings, more: Answers = {}) =>
  openSettings(SETTINGS, { 'GET /api/openid/settings': { body: stored }, ...more });
const form = async () => within(await screen.findByRole('form', { name: 'Login' }));

test('nothing is asked before an identity provider is wanted', async () => {
  const { user } = await open({ ...STORED, values: null, version: null, updatedAt: null });
  expect(screen.queryByRole('form', { name: 'Login' })).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Set up an identity provider' }));
  const fields = await form();
  expect(fields.getByLabelText<HTMLInputElement>('Redirect URI').value).toBe(STORED.redirectUri);
  expect(
    fields.getByRole<HTMLInputElement>('switch', { name: 'Link existing accounts' }).ariaChecked,
  ).not.toBe('true');
});

test('a save sends lists as lists, and keeps the secret', async () => {
  const { user, writes } = await open(STORED, {
    'PUT /api/openid/settings': { body: { ...STORED, version: 5 } },
  });
  const fields = await form();
  await user.type(fields.getByLabelText('Groups that may log in'), '{Enter} packers ');
  await user.click(fields.getByRole('button', { name: 'Save login' }));
  await screen.findByText('Login saved');
  expect(writes()).toEqual([
    {
      call: 'PUT /api/openid/settings',
      body: { ...STORED.values, userGroups: ['sellers', 'buyers', 'packers'], version: 4 },
    },
  ]);
});

test('an error is shown at its field', async () => {
  const { user } = await open(STORED, {
    'PUT /api/openid/settings': refusal(400, 'validation_failed', 'No.', { issuer: 'Not this one.' }),
  });
  const fields = await form();
  await user.click(fields.getByRole('button', { name: 'Save login' }));
  await waitFor(() =>
    expect(
      fields.getByLabelText('Issuer URL').ariaInvalid ??
        fields.getByLabelText('Issuer URL').getAttribute('aria-invalid'),
    ).toBe('true'),
  );
});

test('a test shows what was found out about the typed issuer', async () => {
  const { user, writes } = await open(STORED, {
    'POST /api/openid/test': {
      body: { isUsable: false, findings: [{ isProblem: true, text: 'No response.' }] },
    },
  });
  await user.click((await form()).getByRole('button', { name: 'Test provider' }));
  expect((await screen.findByText('The provider cannot be used')).parentElement?.textContent).toContain(
    'No response.',
  );
  expect(writes()).toEqual([
    { call: 'POST /api/openid/test', body: { issuer: 'https://login.example.com' } },
  ]);
});
