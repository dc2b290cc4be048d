import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ConnectionCheck } from '#contract/connections.ts';
import { missingSentence } from '#domain/connections/credentials.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { type Answers, refusal } from '#tests/support/fake-api.ts';
import {
  field,
  openSettings,
  SETTINGS,
  saveAll,
  someConnections,
  someSettings,
} from '#tests/support/settings-screen.tsx';
import { dismissToasts } from '#web/lib/use-toast.ts';
import { endWarning } from './connection-text.ts';

// No minute passes while a test runs.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

const MASK = '********';
const at = (marketplace: Marketplace) => `/settings?marketplace=${marketplace}`;
const panel = (marketplace: Marketplace) =>
  within(screen.getByRole('tabpanel', { name: MARKETPLACE_NAMES[marketplace] }));
const testButton = (): HTMLButtonElement =>
  screen.getByRole<HTMLButtonElement>('button', { name: /^Test connection to/ });

const EBAY = someSettings({
  marketplaces: { ebay: { enabled: true, appId: 'app', certId: MASK, refreshToken: MASK } },
});
const aCheck = (over: Partial<ConnectionCheck> = {}): ConnectionCheck => ({
  success: true,
  error: null,
  shopName: 'Mug Shop',
  notes: [],
  endsAt: null,
  checkedAt: new Date().toISOString(),
  milliseconds: 120,
  ...over,
});
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000 + 3_600_000).toISOString();

/** eBay with credentials; the test of the connection returns this, and the list has it afterwards. */
async function openEbay(answer: ConnectionCheck | null, last: ConnectionCheck | null = null) {
  let kept = last;
  const more: Answers = {
    'GET /api/connections': () => ({
      body: someConnections({ ebay: { priceChannel: 'connected', lastCheck: kept } }),
    }),
    'POST /api/connections/ebay/check': () => {
      kept = answer;
      return answer === null ? refusal(503, 'unavailable', 'The database is away.') : { body: answer };
    },
  };
  return openSettings(EBAY, more, at('ebay'));
}

describe('the test of a connection', () => {
  test('shows the connected store and the time', async () => {
    const { user } = await openEbay(aCheck({ notes: ['The key may only read.'] }));
    await panel('ebay').findByText('Not tested with these credentials.');
    await user.click(testButton());
    expect((await panel('ebay').findByText(/^Connected to Mug Shop,/)).textContent).toBe(
      'Connected to Mug Shop, just now',
    );
    expect(panel('ebay').getByText('The key may only read.')).toBeTruthy();
    expect(panel('ebay').queryByText('Not tested with these credentials.')).toBeNull();
  });

  test('shows the last result, without a request', async () => {
    const checkedAt = new Date(Date.now() - 12 * 60_000).toISOString();
    const { writes } = await openEbay(null, aCheck({ shopName: null, checkedAt }));
    expect((await panel('ebay').findByText(/^Connected to/)).textContent).toBe(
      'Connected to eBay, 12 min ago',
    );
    expect(writes()).toEqual([]);
  });

  test('says what is wrong', async () => {
    const { user } = await openEbay(
      aCheck({ success: false, error: 'eBay does not take the key.' }),
      aCheck(),
    );
    await panel('ebay').findByText(/^Connected to/);
    await user.click(testButton());
    const failed = await panel('ebay').findByText(/^Failed/);
    expect(failed.textContent).toBe('Failed just now: eBay does not take the key.');
    expect(panel('ebay').queryByText(/^Connected to/)).toBeNull();
  });

  test('shows when it could not be run', async () => {
    const { user } = await openEbay(null);
    await user.click(testButton());
    await panel('ebay').findByText('Could not test the connection');
    expect(panel('ebay').getByText('The database is away.')).toBeTruthy();
  });

  test('is discarded when its credentials change', async () => {
    const { user } = await openSettings(
      EBAY,
      {
        // The server discards results of changed credentials.
        'GET /api/connections': { body: someConnections({ ebay: { priceChannel: 'connected' } }) },
        'POST /api/connections/ebay/check': { body: aCheck({ endsAt: inDays(12) }) },
      },
      at('ebay'),
    );
    await user.click(testButton());
    await panel('ebay').findByText(/^Connected to/);
    await user.click(screen.getByRole('button', { name: 'Disconnect eBay' }));
    await user.click(saveAll());
    await screen.findByText('Settings saved');
    expect(panel('ebay').queryByText(/^Connected to/)).toBeNull();
    expect(panel('ebay').queryByText(/renew it/)).toBeNull();
  });

  test('waits until the fields are saved, and says so', async () => {
    const { user } = await openEbay(aCheck());
    expect(testButton().disabled).toBe(false);
    await user.type(field('Username'), 'ann');
    expect(testButton().disabled).toBe(true);
    expect(
      panel('ebay').getByText('Save the settings first. The test uses the saved settings.'),
    ).toBeTruthy();
    await user.click(saveAll());
    await screen.findByText('Settings saved');
    expect(testButton().disabled).toBe(false);
  });

  test('shows a consent that ends, and when', async () => {
    await openEbay(null, aCheck({ endsAt: inDays(12) }));
    await panel('ebay').findByText('The eBay authorization expires in 12 days. Renew it.');
  });
});

describe('credentials that end', () => {
  const now = Date.UTC(2026, 10, 22, 12);
  const day = (days: number) => new Date(now + days * 86_400_000).toISOString();
  test.each([
    ['ebay', null, null],
    ['ebay', day(31), null],
    ['ebay', day(30), 'The eBay authorization expires in 30 days. Renew it.'],
    ['michaels', day(1.5), 'The Michaels key expires in 1 day. Renew it.'],
    ['etsy', day(0.5), 'The Etsy authorization expires today. Renew it.'],
    ['ebay', day(-0.5), 'The eBay authorization has expired. Renew it.'],
  ] as const)('%s, %s: %s', (marketplace, endsAt, warning) => {
    expect(endWarning(marketplace, endsAt, now)).toBe(warning);
  });
});

describe('missing credentials', () => {
  test('are named in one sentence, at their fields; prices are only recommended until then', async () => {
    await openSettings(
      someSettings({ marketplaces: { amazon: { enabled: true, lwaClientSecret: MASK } } }),
      {},
      at('amazon'),
    );
    const sentence = missingSentence('amazon', ['Seller ID', 'LWA client ID', 'Refresh token']);
    expect(panel('amazon').getByText('Amazon is paused')).toBeTruthy();
    expect(
      panel('amazon').getByText(new RegExp(`^${sentence} Prices of .* there are not changed automatically`)),
    ).toBeTruthy();
    expect(testButton().disabled).toBe(true);
    expect(panel('amazon').getByText(sentence)).toBeTruthy();
  });

  test("without any, prices go by file, and the marketplace's capabilities are shown", async () => {
    await openSettings(someSettings({ marketplaces: { shopify: { enabled: true } } }), {}, at('shopify'));
    expect(
      panel('shopify').getByText(
        /^Shopify is not connected\. Download its price file.*Shopify does not share competitor offers\./,
      ),
    ).toBeTruthy();
    expect(panel('shopify').getByText('Shopify still needs: Store URL and Admin access token.')).toBeTruthy();
  });
});

describe('additional fields of connectors', () => {
  test('are not sent unless typed', async () => {
    const { user, writes } = await openSettings(SETTINGS, {}, at('walmart'));
    await user.type(field('Client ID'), 'c');
    await user.click(saveAll());
    await screen.findByText('Settings saved');
    expect(writes()[0]?.body).toMatchObject({ marketplaces: { ...SETTINGS.marketplaces, walmart: {} } });
    const body = writes()[0]?.body as typeof SETTINGS;
    for (const name of ['amazon', 'michaels', 'ebay', 'etsy', 'shopify'] as const) {
      expect(body.marketplaces[name]).toEqual(SETTINGS.marketplaces[name]);
    }
  });

  test('a region is selected, a day is picked, and a secret is masked after the save', async () => {
    const { user, writes } = await openSettings(
      someSettings({ marketplaces: { amazon: { enabled: true } } }),
      {},
      at('amazon'),
    );
    await user.selectOptions(field('Region'), 'Europe');
    await user.type(field('Refresh token'), 'Atzr|abc');
    await user.click(saveAll());
    await screen.findByText('Settings saved');
    expect(writes()[0]?.body).toMatchObject({
      marketplaces: { amazon: { region: 'eu', refreshToken: 'Atzr|abc' } },
    });
    expect(document.body.innerHTML).not.toContain('Atzr|abc');
    expect(panel('amazon').getByLabelText('Replace Amazon Refresh token')).toBeTruthy();
  });

  test('sending to Michaels is a switch that is off; switching it back is no change', async () => {
    const { user, writes } = await openSettings(
      someSettings({ marketplaces: { michaels: { enabled: true } } }),
      {},
      at('michaels'),
    );
    const allow = screen.getByRole('switch', { name: 'Let prices be sent (beta)' });
    expect(allow.getAttribute('aria-checked')).toBe('false');
    await user.click(allow);
    await user.click(allow);
    expect(screen.queryByRole('region', { name: 'Unsaved changes' })).toBeNull();
    await user.click(allow);
    await user.click(saveAll());
    await screen.findByText('Settings saved');
    expect(writes()[0]?.body).toMatchObject({ marketplaces: { michaels: { allowWrites: 'yes' } } });
  });

  test('with credentials alone Michaels is read, and the page says that nothing is sent', async () => {
    const { user } = await openSettings(
      someSettings({ marketplaces: { michaels: { enabled: true, apiKey: MASK } } }),
      {},
      at('michaels'),
    );
    expect(panel('michaels').getByText('Prices for Michaels are only recommended')).toBeTruthy();
    expect(
      panel('michaels').getByText(/^Michaels is synced with the stored key, and no price is sent/),
    ).toBeTruthy();
    await user.click(screen.getByRole('switch', { name: 'Let prices be sent (beta)' }));
    expect(panel('michaels').getByText('Prices for Michaels are only recommended')).toBeTruthy();
    await user.click(saveAll());
    expect(
      await panel('michaels').findByText(/^Prices are sent to Michaels with the stored credentials/),
    ).toBeTruthy();
  });

  test('a folded section is open if something in it is stored', async () => {
    await openSettings(
      someSettings({
        marketplaces: { shopify: { enabled: true, storeUrl: 'a.myshopify.com', clientId: 'abc' } },
      }),
      {},
      at('shopify'),
    );
    const folded = screen.getByText('Client ID and secret, instead of a token').closest('details');
    expect(folded?.open).toBe(true);
    expect(panel('shopify').getByText('Shopify still needs: Client secret.')).toBeTruthy();
  });
});
