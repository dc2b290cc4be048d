import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { MARKETPLACE_NAMES, MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { refusal } from '#tests/support/fake-api.ts';
import {
  field,
  openSettings,
  SETTINGS,
  saveAll,
  saveBar,
  someSettings,
} from '#tests/support/settings-screen.tsx';
import { dismissToasts } from '#web/lib/use-toast.ts';
import { CREDENTIAL_GUIDES } from './credential-guides.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

const MASK = '********';
const at = (marketplace: Marketplace) => `/settings?marketplace=${marketplace}`;
/** The visible panel, by its tab. */
const panel = (marketplace: Marketplace) =>
  within(screen.getByRole('tabpanel', { name: MARKETPLACE_NAMES[marketplace] }));
const toggle = (marketplace: Marketplace) =>
  panel(marketplace).getByLabelText(`Enable ${MARKETPLACE_NAMES[marketplace]}`);

const STORED_AMAZON = someSettings({
  marketplaces: {
    amazon: {
      enabled: true,
      sellerId: 'A1',
      lwaClientId: 'amzn1.x',
      lwaClientSecret: MASK,
      refreshToken: MASK,
    },
  },
});

test('one tab for each marketplace, Walmart first, and the number of enabled ones', async () => {
  const { user, router } = await openSettings();
  expect(screen.getByRole('heading', { name: 'Marketplace Integrations' })).toBeTruthy();
  expect(screen.getByText('1 of 6 enabled')).toBeTruthy();
  const tabs = screen.getAllByRole('tab');
  expect(tabs.map((tab) => tab.textContent)).toEqual(MARKETPLACES.map((each) => MARKETPLACE_NAMES[each]));
  expect(toggle('walmart').getAttribute('aria-checked')).toBe('true');
  await user.click(screen.getByRole('tab', { name: 'eBay' }));
  await waitFor(() => expect(router.state.location.search).toEqual({ marketplace: 'ebay' }));
  expect(panel('ebay').queryByLabelText('App ID')).toBeNull();
  await user.click(toggle('ebay'));
  expect(screen.getByText('2 of 6 enabled')).toBeTruthy();
  expect(panel('ebay').getByLabelText('App ID')).toBeTruthy();
});

test.each([
  ['walmart', ['Client ID', 'Client secret']],
  [
    'amazon',
    [
      ...['Seller ID', 'LWA client ID', 'LWA client secret', 'Refresh token', 'Region', 'Marketplace ID'],
      ...['SQS queue URL', 'SQS queue ARN', 'AWS region', 'AWS access key ID', 'AWS secret access key'],
    ],
  ],
  ['michaels', ['API key', 'Let prices be sent (beta)']],
  ['ebay', ['App ID', 'Cert ID', 'RuName', 'Refresh token', 'Refresh token expires on', 'Username']],
  ['etsy', ['Keystring', 'Shop name', 'Shared secret', 'Refresh token']],
  ['shopify', ['Store URL', 'Admin access token', 'Client ID', 'Client secret']],
] as const)('%s asks for its keys only while it is on', async (marketplace, labels) => {
  const { user } = await openSettings(
    someSettings({ marketplaces: { [marketplace]: { enabled: true } } }),
    {},
    at(marketplace),
  );
  for (const label of labels) expect(panel(marketplace).getByLabelText(label)).toBeTruthy();
  await user.click(toggle(marketplace));
  for (const label of labels) expect(panel(marketplace).queryByLabelText(label)).toBeNull();
});

test('typed credentials are sent; a secret is masked while typing and cleared after the save', async () => {
  const { user, writes } = await openSettings(SETTINGS, {}, at('etsy'));
  await user.click(toggle('etsy'));
  await user.type(field('Shop name'), ' MugShop ');
  await user.type(field('Keystring'), 'k-123');
  expect(field('Keystring').type).toBe('password');
  expect(saveBar().getByText('Etsy, Etsy Keystring, Etsy Shop name')).toBeTruthy();
  await user.click(saveAll());
  await screen.findByText('Settings saved');
  expect(writes()[0]?.body).toMatchObject({
    marketplaces: { etsy: { enabled: true, keystring: 'k-123', shopName: 'MugShop' } },
  });
  expect(screen.queryByRole('region', { name: 'Unsaved changes' })).toBeNull();
  expect(screen.getByText('Stored, not shown')).toBeTruthy();
  expect(document.body.innerHTML).not.toContain('k-123');
});

test('a stored secret is kept when another field is saved', async () => {
  const { user, writes } = await openSettings(STORED_AMAZON, {}, at('amazon'));
  expect(panel('amazon').queryByLabelText('LWA client secret')).toBeNull();
  await user.clear(field('LWA client ID'));
  await user.paste('amzn1.y');
  await user.click(saveAll());
  await screen.findByText('Settings saved');
  expect(writes()[0]?.body).toMatchObject({
    marketplaces: { amazon: { sellerId: 'A1', lwaClientId: 'amzn1.y', lwaClientSecret: MASK } },
  });
});

test('Replace opens an empty field, or goes back to the stored secret', async () => {
  const { user, writes } = await openSettings(STORED_AMAZON, {}, at('amazon'));
  await user.click(screen.getByLabelText('Replace Amazon LWA client secret'));
  expect(document.activeElement).toBe(field('LWA client secret'));
  await user.keyboard('new');
  await user.clear(field('LWA client secret'));
  expect(screen.queryByRole('region', { name: 'Unsaved changes' })).toBeNull();
  await user.click(screen.getByText('Leave blank to keep the stored one'));
  expect(document.activeElement).toBe(screen.getByLabelText('Replace Amazon LWA client secret'));
  await user.click(screen.getByLabelText('Replace Amazon LWA client secret'));
  await user.keyboard('new');
  await user.click(saveAll());
  await screen.findByText('Settings saved');
  expect(writes()[0]?.body).toMatchObject({ marketplaces: { amazon: { lwaClientSecret: 'new' } } });
  expect(screen.getAllByText('Stored, not shown')).toHaveLength(2);
});

test('Remove asks, can be reverted, and sends an empty secret', async () => {
  const { user, writes } = await openSettings(STORED_AMAZON, {}, at('amazon'));
  const remove = async (): Promise<void> => {
    await user.click(screen.getByLabelText('Remove Amazon LWA client secret'));
    const dialog = screen.getByRole('alertdialog', { name: 'Remove the stored Amazon LWA client secret?' });
    await user.click(within(dialog).getByText('Remove key'));
  };
  await remove();
  expect(screen.getByText('Removed when you save')).toBeTruthy();
  await user.click(screen.getByLabelText('Keep Amazon LWA client secret'));
  expect(screen.queryByRole('region', { name: 'Unsaved changes' })).toBeNull();
  await remove();
  await user.click(saveAll());
  await screen.findByText('Settings saved');
  expect(writes()[0]?.body).toMatchObject({ marketplaces: { amazon: { lwaClientSecret: '' } } });
  expect(field('LWA client secret').value).toBe('');
});

test('disabling a marketplace with credentials says what stops, and keeps them', async () => {
  const { user, writes } = await openSettings(STORED_AMAZON, {}, at('amazon'));
  expect(
    panel('amazon').getByText(/^Prices are sent to Amazon with the stored credentials once it is live\./),
  ).toBeTruthy();
  await user.click(toggle('amazon'));
  expect(panel('amazon').getByText('When Amazon is off')).toBeTruthy();
  expect(
    panel('amazon').getByText(
      /Prices of 2 listings there are not changed automatically.*The credentials stay stored/,
    ),
  ).toBeTruthy();
  await user.click(saveAll());
  await screen.findByText('Settings saved');
  expect(writes()[0]?.body).toMatchObject({
    marketplaces: { amazon: { enabled: false, sellerId: 'A1', lwaClientSecret: MASK } },
  });
  expect(panel('amazon').getByText('Amazon is paused')).toBeTruthy();
});

test('without credentials prices go by file in both states, and the panel says so', async () => {
  await openSettings(SETTINGS, {}, at('michaels'));
  expect(
    panel('michaels').getByText(/^Michaels is not connected\. .* No credentials are stored\.$/),
  ).toBeTruthy();
});

test('a wrong store address is shown on its tab, although another is open', async () => {
  const { user, writes } = await openSettings(
    someSettings({ marketplaces: { shopify: { enabled: true } } }),
    {},
    at('shopify'),
  );
  await user.type(field('Store URL'), 'shop.example.com');
  expect(screen.getByText('Enter an address such as my-shop.myshopify.com')).toBeTruthy();
  await user.click(screen.getByRole('tab', { name: 'Walmart' }));
  await user.click(saveAll());
  await waitFor(() => expect(document.activeElement).toBe(field('Store URL')));
  expect(writes()).toEqual([]);
});

test('a server error is shown at the field until it is changed', async () => {
  const { user } = await openSettings(
    STORED_AMAZON,
    {
      'PUT /api/settings': refusal(400, 'validation_failed', 'A key goes with its account.', {
        'marketplaces.amazon.lwaClientSecret':
          'Enter the credential again: it was stored for another account',
      }),
    },
    at('amazon'),
  );
  await user.clear(field('Seller ID'));
  await user.paste('A2');
  await user.click(screen.getByRole('tab', { name: 'Etsy' }));
  await user.click(saveAll());
  await screen.findByText('Enter the credential again: it was stored for another account');
  await waitFor(() => expect(document.activeElement).toBe(field('LWA client secret')));
  expect(field('Seller ID').value).toBe('A2');
  await user.keyboard('again');
  expect(screen.queryByText('Enter the credential again: it was stored for another account')).toBeNull();
});

test.each(MARKETPLACES)('%s has a guide to its credentials, above them', async (marketplace) => {
  const { user } = await openSettings(
    someSettings({ marketplaces: { [marketplace]: { enabled: true } } }),
    {},
    at(marketplace),
  );
  await user.click(
    panel(marketplace).getByText(`How to get the credentials of ${MARKETPLACE_NAMES[marketplace]}`),
  );
  const { startsAt, steps } = CREDENTIAL_GUIDES[marketplace];
  for (const step of steps) panel(marketplace).getByText(step);
  const links = panel(marketplace)
    .queryAllByRole('link')
    .map((link) => link.getAttribute('href'));
  expect(links).toEqual(startsAt === null ? [] : expect.arrayContaining([startsAt.href]));
});
