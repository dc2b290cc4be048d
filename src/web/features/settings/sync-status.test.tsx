import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ConnectionList, LastSync, PassedOverRows, PriceReadings } from '#contract/connections.ts';
import type { LiveEvent } from '#contract/events.ts';
import { PASSED_OVER_REASONS } from '#domain/readings/passed-over.ts';
import { type Answers, refusal } from '#tests/support/fake-api.ts';
import { openSettings, someConnections, someSettings } from '#tests/support/settings-screen.tsx';
import { dismissToasts } from '#web/lib/use-toast.ts';
import { passedOverText } from './passed-over-text.ts';
import { readingCheckText, syncCountText } from './sync-text.ts';

// No minute passes while a test runs.
// Of the whole file: what it names is made before the first test begins.
const NOW = Date.parse('2026-11-23T12:00:00Z');
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

type Sync = ConnectionList['marketplaces'][number]['sync'];

const MASK = '********';
const EBAY = someSettings({
  marketplaces: { ebay: { enabled: true, appId: 'app', certId: MASK, refreshToken: MASK } },
});
const ago = (minutes: number): string => new Date(NOW - minutes * 60_000).toISOString();
const aSync = (over: Partial<LastSync> = {}): LastSync => ({
  kind: 'listings',
  startedAt: ago(13),
  endedAt: ago(12),
  succeededAt: ago(13),
  isRunning: false,
  counts: { read: 600, added: 3, suspects: 1 },
  problem: null,
  failed: false,
  notes: [],
  ...over,
});

/** eBay, connected, with these syncs; changes appear in the next response. */
async function openEbay(sync: Sync, more: Answers = {}, state: 'connected' | 'paused' = 'connected') {
  const ebay = { sync };
  const opened = await openSettings(
    EBAY,
    {
      'GET /api/connections': () => ({
        body: someConnections({ ebay: { priceChannel: state, sync: ebay.sync } }),
      }),
      ...more,
    },
    '/settings?marketplace=ebay',
  );
  return { ...opened, ebay };
}
const panel = () => within(screen.getByRole('tabpanel', { name: 'eBay' }));
const lines = async () =>
  within(await panel().findByRole('list', { name: 'Last sync from eBay' }))
    .getAllByRole('listitem')
    .map((item) => item.textContent);

/** A stream of live events controlled by the test. */
function stubEvents(): { send: (event: LiveEvent) => void } {
  const sources: { onmessage?: (message: { data: string }) => void }[] = [];
  vi.stubGlobal(
    'EventSource',
    class {
      onmessage?: (message: { data: string }) => void;
      constructor() {
        sources.push(this);
      }
      close = (): undefined => undefined;
    },
  );
  return { send: (event) => sources[0]?.onmessage?.({ data: JSON.stringify(event) }) };
}

describe('the last syncs', () => {
  test('have a line for each kind: time and result', async () => {
    await openEbay({
      requestedAt: null,
      last: [
        aSync(),
        aSync({ kind: 'offers', isRunning: true, endedAt: null }),
        aSync({ kind: 'sales', counts: { read: 0, recorded: 0, cancelled: 0 } }),
        aSync({ kind: 'figures', endedAt: null }),
      ],
    });
    expect(await lines()).toEqual([
      'Listings: 12 min ago, 600 taken, 3 new, 1 other price is being checked',
      'Competitor offers: syncing now',
      'Sales: 12 min ago, 0 taken',
      'Reviews and rank: interrupted, resumes within minutes',
    ]);
  });

  test('a failure shows why, and the time of the last success', async () => {
    const failed = { failed: true, counts: {}, problem: 'eBay does not take the key.' };
    await openEbay({
      requestedAt: null,
      last: [
        aSync({ ...failed, succeededAt: ago(50) }),
        aSync({ ...failed, kind: 'sales', succeededAt: null }),
      ],
    });
    expect(await lines()).toEqual([
      'Listings: Failed 12 min ago: eBay does not take the key. Last sync 50 min ago.',
      'Sales: Failed 12 min ago: eBay does not take the key.',
    ]);
  });

  test('a complete sync that was rejected shows why', async () => {
    const problem = "eBay's catalog came without 812 of 2,000 known listings; nothing was changed for them.";
    await openEbay({ requestedAt: null, last: [aSync({ failed: true, problem })] });
    expect(await lines()).toEqual([`Listings: Synced 12 min ago: ${problem}`]);
  });

  test('before the first sync the page says when it will run', async () => {
    await openEbay({ requestedAt: null, last: [] });
    await panel().findByText(/^eBay has not been synced yet\. The first sync starts within a minute/);
  });

  test('are hidden for a marketplace that is not connected', async () => {
    await openEbay({ requestedAt: null, last: [aSync()] }, {}, 'paused');
    await panel().findByText(/^Not tested/);
    expect(screen.queryByRole('button', { name: 'Sync eBay now' })).toBeNull();
    expect(screen.queryByText(/600 synced/)).toBeNull();
  });
});

describe('event subscriptions', () => {
  const subscription = { since: ago(30), lastAt: ago(2), problem: null, failed: false };
  test.each([
    [subscription, 'Notifications: since 30 min ago, last received 2 min ago'],
    [{ ...subscription, lastAt: null }, 'Notifications: since 30 min ago, none received yet'],
    [
      { ...subscription, since: null, problem: 'No such queue.', failed: true },
      'Notifications: No such queue. eBay is synced as often as before.',
    ],
    [
      { ...subscription, since: null, failed: true },
      'Notifications: not arriving. eBay is synced as often as before.',
    ],
  ])('show since when, and the error: %j', async (given, words) => {
    await openEbay(
      { requestedAt: null, last: [] },
      {
        'GET /api/connections': () => ({
          body: someConnections({ ebay: { priceChannel: 'connected', eventSubscription: given } }),
        }),
      },
    );
    await panel().findByText((_, element) => element?.tagName === 'P' && element.textContent === words);
  });

  test('are hidden where there are none', async () => {
    await openEbay({ requestedAt: null, last: [] });
    await panel().findByText(/^eBay has not been synced yet/);
    expect(panel().queryByText('Notifications:')).toBeNull();
  });
});

test('prices that wait for the marketplace are named with their reason', async () => {
  const until = ago(-60);
  const sendPauses = [
    { why: 'revision_limit' as const, listings: 1, sku: 'E-1', until },
    { why: 'unclear' as const, listings: 12, sku: null, until },
  ];
  await openEbay(
    { requestedAt: null, last: [] },
    {
      'GET /api/connections': () => ({
        body: someConnections({ ebay: { priceChannel: 'connected', sendPauses } }),
      }),
    },
  );
  const list = within(await panel().findByRole('list', { name: 'Prices that wait for eBay' }));
  const [one, many] = list.getAllByRole('listitem').map((item) => item.textContent);
  expect(one).toContain('eBay has reached its daily limit of price changes for E-1 (250).');
  expect(many).toContain('12 listings');
});

test('what happens to prices changed there is chosen and saved at once', async () => {
  const save = 'PUT /api/connections/ebay/external-edits';
  const { user, writes } = await openEbay(
    { requestedAt: null, last: [] },
    { [save]: { body: { policy: 'hold' } } },
  );
  const field = await panel().findByRole('combobox', { name: /When a price is changed on eBay/ });
  await user.selectOptions(field, 'Hold the listing, never repair it');
  await waitFor(() => expect(writes()).toContainEqual({ call: save, body: { policy: 'hold' } }));
});

test('whether business prices follow is chosen at Amazon alone, and saved at once', async () => {
  const save = 'PUT /api/connections/amazon/business-prices';
  const { user, writes } = await openSettings(
    someSettings({ marketplaces: { amazon: { enabled: true } } }),
    {
      'GET /api/connections': { body: someConnections({ amazon: { priceChannel: 'connected' } }) },
      [save]: { body: { policy: 'follow' } },
    },
    '/settings?marketplace=amazon',
  );
  const field = await screen.findByRole('combobox', { name: /Business and quantity prices on Amazon/ });
  await user.selectOptions(field, 'Follow your price, at the same distance as now');
  await waitFor(() => expect(writes()).toContainEqual({ call: save, body: { policy: 'follow' } }));
});

test('how often competitors are read is said there, and how long an offer counts is chosen', async () => {
  const save = 'PUT /api/connections/ebay/offer-age';
  const age = { hours: 72, chosen: null, automatic: 72 };
  const readings = {
    listings: 9_000,
    unread: 0,
    fresh: 8_910,
    contested: 0,
    contestedInterval: null,
    interval: { minutes: 3_600, basis: 'measured' },
    callsPerDay: 5_000,
    usedPerDay: 3_600,
    listingsPerCall: 1,
    isDocumented: true,
    source: 'https://developer.ebay.com/develop/get-started/api-call-limits',
  };
  const { user, writes } = await openEbay(
    { requestedAt: null, last: [] },
    {
      'GET /api/connections/ebay/refresh': { body: { offerAge: age, readings } },
      [save]: { body: { ...age, hours: 48, chosen: 48 } },
    },
  );
  const field = await panel().findByRole('combobox', { name: 'Maximum offer age on eBay' });
  expect(panel().getByRole('link', { name: 'Application Growth Check' })).toHaveProperty(
    'href',
    'https://developer.ebay.com/grow/application-growth-check',
  );
  await user.selectOptions(field, '48 h');
  await waitFor(() => expect(writes()).toContainEqual({ call: save, body: { hours: 48 } }));
});

describe('late prices', () => {
  const check = { source: 'list', startedAt: ago(5), compared: 1_000, suspects: 400 } as const;

  test('are shown by source, with what became of a reading that was late as a whole', async () => {
    const priceReadings: PriceReadings = {
      lags: [
        { source: 'list', minutes: 12, readings: 90 },
        { source: 'document', minutes: 1_440, readings: 3 },
      ],
      check: { ...check, outcome: 'behind' },
    };
    await openEbay(
      { requestedAt: null, last: [] },
      {
        'GET /api/connections': () => ({
          body: someConnections({ ebay: { priceChannel: 'connected', priceReadings } }),
        }),
      },
    );
    await panel().findByText("eBay's list is out of date and was ignored. Your prices stay in force.");
    expect(panel().getByText(/^list up to 12 min, report a day or more/)).toBeTruthy();
  });

  test.each([
    ['checking', /^eBay's list shows other prices for 400 of 1,000 listings.*first/],
    ['changed', /^eBay's list shows other prices for 400 of 1,000 listings.*one by one/],
  ] as const)('a reading with many other prices, %s', (outcome, words) => {
    expect(readingCheckText('ebay', { ...check, outcome })).toMatch(words);
    expect(readingCheckText('ebay', null)).toBeNull();
  });
});

describe('"Read now"', () => {
  test('requests once, shows the progress, and follows it', async () => {
    const source = stubEvents();
    const { user, writes, ebay } = await openEbay(
      { requestedAt: null, last: [aSync()] },
      { 'POST /api/connections/ebay/sync': () => ({ status: 202, body: { requestedAt: requested() } }) },
    );
    function requested(): string {
      ebay.sync = { requestedAt: ago(0), last: [aSync()] };
      return ago(0);
    }
    await user.click(await panel().findByRole('button', { name: 'Sync eBay now' }));
    const pending = await panel().findByRole('button', { name: 'Syncing...' });
    await user.click(pending);
    expect(writes().map(({ call }) => call)).toEqual(['POST /api/connections/ebay/sync']);
    ebay.sync = { requestedAt: null, last: [aSync({ endedAt: ago(0), counts: { read: 601 } })] };
    act(() => source.send({ kind: 'changed', topic: 'engine', ids: [] }));
    await panel().findByRole('button', { name: 'Sync eBay now' });
    await waitFor(async () => expect(await lines()).toEqual(['Listings: just now, 601 taken']));
  });

  test('waits for a sync in progress, and says so', async () => {
    const waits = 'A sync that is already running starts again after it ends.';
    await openEbay({
      requestedAt: ago(1),
      last: [aSync({ isRunning: true, endedAt: null, startedAt: ago(5) })],
    });
    await panel().findByText(waits);
  });

  test('an error shows why', async () => {
    const message = 'eBay is turned off in Settings.';
    const { user } = await openEbay(
      { requestedAt: null, last: [aSync()] },
      { 'POST /api/connections/ebay/sync': refusal(409, 'conflict', message) },
    );
    await user.click(await panel().findByRole('button', { name: 'Sync eBay now' }));
    await panel().findByText('Could not sync eBay');
    expect(panel().getByText(message)).toBeTruthy();
  });
});

test.each([
  [{}, ''],
  [{ read: 1_200, unread: 2 }, '1,200 taken, 2 without a response'],
  [{ read: 5, withoutShipper: 2 }, '5 taken, 2 skipped: fulfillment type unknown (import them from a file)'],
  [
    { read: 5, suspects: 2, stale: 4, leftOut: 1 },
    '5 taken, 4 with a former price, not adopted, 1 not for sale or without a price, 2 other prices are being checked',
  ],
  [{ read: 1_205, passedOver: 2 }, '1,203 taken, 2 skipped'],
  [{ read: 9, withoutPrice: 1 }, '9 taken, 1 without a price in whole cents'],
  [{ filled: 3, unread: 0 }, '3 filled in'],
  [{ read: 40, waiting: 160 }, '40 taken, 160 remaining for the next sync'],
  [
    { read: 9, gone: 2, foundAgain: 1, neverFound: 4 },
    '9 taken, 2 no longer found, 1 found again, 4 of your listings never found',
  ],
])('shows the counts %j', (counts, words) => {
  expect(syncCountText({ counts })).toBe(words);
});

test('names what the last sync passed over, once it is asked for, and what it could not read', async () => {
  const rows: PassedOverRows['rows'] = [
    { kind: 'listings', what: 'MUG-1', why: 'unreadable', member: 'price', value: 'USD 5' },
    { kind: 'offers', what: 'MUG-2', why: 'unreadable', member: 'price', value: 'none' },
    { kind: 'listings', what: 'MUG-3', why: 'no_sku', member: null, value: null },
  ];
  const note = 'Could not read the images from eBay: eBay answered with an error (500).';
  const last = [aSync({ counts: { read: 9, passedOver: 2 }, notes: [note] })];
  const { user } = await openEbay(
    { requestedAt: null, last },
    { 'GET /api/connections/ebay/passed-over': () => ({ body: { rows } }) },
  );
  expect(await panel().findByText(note)).toBeTruthy();
  await user.click(await panel().findByText('Show skipped rows (2)'));
  const list = await panel().findByRole('list', { name: 'Skipped by the last sync with eBay' });
  const items = within(list).getAllByRole('listitem');
  expect(items.map((item) => item.textContent?.split(':')[0])).toEqual(['MUG-1', 'MUG-3']);
});

test.each(PASSED_OVER_REASONS)('says what to do about a row that is %s', (why) => {
  const text = passedOverText({ kind: 'listings', what: 'A', why, member: 'price', value: '19.995' }, 'eBay');
  expect(text.length).toBeGreaterThan(20);
  expect(text).toMatch(/\.$/);
});
