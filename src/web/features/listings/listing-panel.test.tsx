import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { LiveEvent } from '#contract/events.ts';
import { aUser, refusal } from '#tests/support/fake-api.ts';
import {
  aListing,
  closeNetwork,
  openListings,
  pageOf,
  rowOf,
  THREE,
} from '#tests/support/listings-screen.tsx';
import { ago, PANEL_ANSWERS, salesMetrics } from '#tests/support/panel-responses.ts';
import { setViewport } from '#tests/support/web-setup.ts';
// Preloaded: its first import is slow on a busy machine.
import './panel/panel-tabs.tsx';

afterEach(closeNetwork);

const open = (address = '/listings', answers = {}) => openListings({ ...PANEL_ANSWERS, ...answers }, address);
const panel = (name: string) => screen.findByRole('complementary', { name });
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
const focused = () => document.activeElement;

test('outdated figures say so, and are reloaded on request', async () => {
  const source = stubEvents();
  const { user, calls } = open('/listings?panel=1');
  const sheet = within(await panel('Coffee mug'));
  await sheet.findByRole('tab', { name: 'Sales' });
  const reads = () => calls().filter((call) => call.startsWith('GET /api/sales-history/metrics/1')).length;
  await waitFor(() => expect(reads()).toBe(1));
  expect(sheet.queryByText('This listing has changed.')).toBeNull();
  act(() => source.send({ kind: 'changed', topic: 'listings', ids: ['2'] }));
  expect(sheet.queryByText('This listing has changed.')).toBeNull();
  act(() => source.send({ kind: 'changed', topic: 'listings', ids: ['1'] }));
  await sheet.findByText('This listing has changed.');
  expect(reads()).toBe(1);
  await user.click(sheet.getByRole('button', { name: 'Load the new figures' }));
  await waitFor(() => expect(sheet.queryByText('This listing has changed.')).toBeNull());
  expect(reads()).toBe(2);
});

test.each([
  [null, null],
  [{ isForSale: true, quantity: null }, null],
  [{ isForSale: true, quantity: 5 }, '5 units in stock there, 2 h ago'],
  [{ isForSale: false, quantity: 1 }, 'Not for sale on Walmart1 unit in stock there, 2 h ago'],
  [{ isForSale: false, quantity: null }, 'Not for sale on Walmartas of 2 h ago'],
  [
    { isForSale: false, quantity: 3, missingSince: ago(5) },
    'Not found on Walmartsince 5 h ago. Not repriced.',
  ],
])('the message of the marketplace about the listing: %j', async (said, words) => {
  const body =
    said === null
      ? null
      : {
          missingSince: null,
          checkedPrice: null,
          bestOffer: null,
          businessPrices: null,
          ...said,
          seenAt: ago(2),
        };
  const { calls } = open('/listings?panel=1', { 'GET /api/listings/1/on-marketplace': { body } });
  const sheet = within(await panel('Coffee mug'));
  if (words === null) {
    await waitFor(() => expect(calls()).toContain('GET /api/listings/1/on-marketplace'));
    await sheet.findByRole('tab', { name: 'Sales' });
    expect(sheet.queryByText(/for sale|in stock|as of|Not repriced/)).toBeNull();
  } else {
    expect((await sheet.findByText(/in stock|as of|Not repriced/)).parentElement?.textContent).toBe(words);
  }
});

describe('a price that was changed on the marketplace', () => {
  const edit = {
    id: '7',
    marketplace: 'walmart',
    foundAt: ago(2),
    price: '0.50',
    priceBefore: '20.00',
    problem: 'loses_money',
    unrepairedBecause: null,
    repairPrice: '20.00',
    isInForce: false,
  };
  const EDIT = 'GET /api/listings/1/external-edit';

  test.each([
    ['repaired', false, 'Keep on hold'],
    ['about to be repaired', true, 'Keep the marketplace price'],
  ])('and %s is left as it was by one click', async (_, isInForce, button) => {
    const call = 'POST /api/listings/1/external-edit/leave';
    const { user, bodies } = open('/listings?panel=1', {
      [EDIT]: { body: { edit: { ...edit, isInForce } } },
      [call]: { body: aListing() },
    });
    const sheet = within(await panel('Coffee mug'));
    await sheet.findByText('Changed to $0.50 on Walmart, which loses money');
    expect(sheet.queryByRole('button', { name: /Repair now/ })).toBeNull();
    await user.click(sheet.getByRole('button', { name: button }));
    await waitFor(() => expect(bodies(call)).toEqual([{ edit: '7' }]));
  });

  test('and held is repaired by one click, at the price that is shown', async () => {
    const call = 'POST /api/listings/1/external-edit/repair';
    const held = { ...edit, problem: 'below_floor', unrepairedBecause: 'policy', repairPrice: '14.29' };
    const { user, bodies } = open('/listings?panel=1', {
      [EDIT]: { body: { edit: held } },
      [call]: { body: aListing() },
    });
    const sheet = within(await panel('Coffee mug'));
    await user.click(await sheet.findByRole('button', { name: 'Repair now: $14.29' }));
    await waitFor(() => expect(bodies(call)).toEqual([{ edit: '7', price: '14.29' }]));
  });
});

test('another price on the marketplace is shown while it is being checked', async () => {
  const checkedPrice = { price: '17.50', source: 'list', since: ago(1) };
  const body = {
    isForSale: true,
    quantity: null,
    missingSince: null,
    seenAt: ago(2),
    checkedPrice,
    bestOffer: null,
    businessPrices: null,
  };
  open('/listings?panel=1', { 'GET /api/listings/1/on-marketplace': { body } });
  const sheet = within(await panel('Coffee mug'));
  expect((await sheet.findByText(/^checking since/)).parentElement?.textContent).toBe(
    "Walmart's list shows $17.50checking since 1 h ago",
  );
});

test('the price from which Best Offers are accepted is shown, with the lowest allowed price where it is below that', async () => {
  const bestOffer = {
    autoAcceptPrice: '21.00',
    lowestAllowedPrice: '22.40',
    isTooLow: true,
    raiseRefusal: 'eBay says: Not now.',
  };
  const status = { isForSale: true, quantity: null, missingSince: null, seenAt: ago(2), checkedPrice: null };
  open('/listings?panel=1', {
    'GET /api/listings/1/on-marketplace': { body: { ...status, bestOffer, businessPrices: null } },
  });
  const sheet = within(await panel('Coffee mug'));
  expect((await sheet.findByText(/accepts Best Offers from \$21\.00/)).parentElement?.textContent).toContain(
    '$22.40',
  );
});

test('business prices are shown with their margins, and what is wrong with them', async () => {
  const businessPrices = {
    readAt: ago(2),
    prices: [
      { from: 1, price: '28.00', margin: '21.00', isTooLow: false },
      { from: 20, price: '25.50', margin: '9.10', isTooLow: true },
      { from: 100, price: '24.00', margin: null, isTooLow: null },
    ],
    minimumMargin: '15.00',
    lowestAllowedPrice: '27.10',
    isHidden: true,
    isFollowing: true,
    stopped: null,
    skipped: [250],
  };
  const status = {
    isForSale: true,
    quantity: null,
    missingSince: null,
    seenAt: ago(2),
    checkedPrice: null,
    bestOffer: null,
  };
  open('/listings?panel=1', {
    'GET /api/listings/1/on-marketplace': { body: { ...status, businessPrices } },
  });
  const sheet = within(await panel('Coffee mug'));
  const prices = within(await sheet.findByRole('region', { name: 'Business prices' }));
  expect(prices.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Business price $28.00: 21.0% margin',
    '20 or more at $25.50: 9.1% marginYour minimum is 15.0%',
    '100 or more at $24.00: margin unknown',
  ]);
  expect(prices.getByText(/following your price/)).toBeTruthy();
  expect(prices.queryByText(/follow no price/)).toBeNull();
  expect(prices.getByText(/250 or more/)).toBeTruthy();
  expect(prices.getByText(/^Your price is below the business price of \$28\.00/)).toBeTruthy();
});

test('business prices that follow no price for now say why, and when that is tried again', async () => {
  const businessPrices = {
    readAt: ago(2),
    prices: [{ from: 1, price: '28.00', margin: '21.00', isTooLow: false }],
    minimumMargin: '15.00',
    lowestAllowedPrice: '27.10',
    isHidden: false,
    isFollowing: true,
    stopped: { sku: 'A-9', refused: 'No business offers here.', until: ago(-3) },
    skipped: [],
  };
  const rest = { isForSale: true, quantity: null, missingSince: null, seenAt: ago(2), checkedPrice: null };
  open('/listings?panel=1', {
    'GET /api/listings/1/on-marketplace': { body: { ...rest, bestOffer: null, businessPrices } },
  });
  const sheet = within(await panel('Coffee mug'));
  const prices = within(await sheet.findByRole('region', { name: 'Business prices' }));
  const line = prices.getByText(/^They do not follow your price for now/).textContent;
  expect(line).toContain('A-9');
  expect(line).toContain('No business offers here.');
  expect(prices.queryByText(/following your price/)).toBeNull();
});

describe('fees reported by the marketplace', () => {
  const reported = (given: object, fees: object[]) => ({
    id: '5',
    isHeld: false,
    isInForce: false,
    isAssumed: false,
    toldAt: ago(2),
    source: 'estimate',
    fulfillmentType: 'FBM',
    askedPrice: '24.99',
    askedShipping: '0.00',
    refusedBecause: null,
    fees: fees.map((fee) => ({ name: null, promotion: '0.00', ...fee })),
    ...given,
  });
  const none = { name: null, source: 'none', isAccepted: true, productType: null };
  const openWith = async (answers: object[], category: object = none) => {
    const row = aListing({ marketplace: 'amazon' });
    open('/listings?panel=1', {
      'GET /api/listings': pageOf([row]),
      'GET /api/fee-facts?listing=1': { body: { answers, category } },
    });
    return within(await panel('Coffee mug'));
  };

  test('are named with day, price and share; a promotion is not counted', async () => {
    const sheet = await openWith([
      reported({}, [
        { kind: 'commission', amount: '3.75', promotion: '3.75' },
        { kind: 'other', name: 'LowStockFee', amount: '0.32' },
      ]),
    ]);
    const text = (await sheet.findByText(/Fees reported by Amazon/)).textContent;
    expect(text).toMatch(
      /\$24\.99, 2 h ago: commission \$3\.75 \(15%\), LowStockFee \$0\.32\. .*\$3\.75 off/,
    );
  });

  test('are those for the current price where that was asked; a fee of 0.00 is left unsaid', async () => {
    const sheet = await openWith([
      reported({ askedPrice: '10.00' }, [{ kind: 'commission', amount: '0.80' }]),
      reported({ askedPrice: '20.00' }, [
        { kind: 'commission', amount: '3.00' },
        { kind: 'closing', amount: '0.00' },
      ]),
    ]);
    const text = (await sheet.findByText(/Fees reported by Amazon/)).textContent;
    expect(text).toMatch(/\$20\.00, 2 h ago: commission \$3\.00 \(15%\)\.$/);
  });

  test('that are lower wait, and an administrator uses them at once', async () => {
    const row = aListing({ marketplace: 'amazon' });
    const answers = [
      reported({ id: '7', isHeld: true }, [{ kind: 'commission', amount: '2.00' }]),
      reported({ toldAt: ago(48) }, [{ kind: 'commission', amount: '4.25' }]),
    ];
    const { user, bodies } = open('/listings?panel=1', {
      'GET /api/listings': pageOf([row]),
      'GET /api/fee-facts?listing=1': { body: { answers, category: none } },
      'GET /api/user': { body: aUser({ role: 'admin' }) },
      'POST /api/fee-facts/decide': { body: { listings: 1 } },
    });
    const sheet = within(await panel('Coffee mug'));
    expect((await sheet.findByText(/Fees reported by Amazon/)).textContent).toContain('$4.25 (17%)');
    expect(sheet.getByText(/reported another fee/).textContent).toContain('$2.00 (8%)');
    await user.click(sheet.getByRole('button', { name: 'Use this fee' }));
    await waitFor(() =>
      expect(bodies('POST /api/fee-facts/decide')).toEqual([{ ids: ['7'], decision: 'adopt' }]),
    );
  });

  test('that were charged for fulfillment are named apart, and an administrator rejects the one in force', async () => {
    const charge = { source: 'settled', fulfillmentType: 'FBA/WFS' };
    const fulfillment = (amount: string) => [{ kind: 'fulfillment', amount }];
    const answers = [
      reported({ ...charge, id: '9', isHeld: true }, fulfillment('3.10')),
      reported({ ...charge, id: '8', isHeld: true }, fulfillment('45.00')),
      reported({ ...charge, id: '7', isHeld: true }, fulfillment('45.00')),
      reported({ ...charge, id: '6', isInForce: true }, fulfillment('7.75')),
      reported({ ...charge, id: '5' }, [{ kind: 'commission', amount: '3.75' }]),
    ];
    const { user, bodies } = open('/listings?panel=1', {
      'GET /api/listings': pageOf([aListing({ marketplace: 'amazon' })]),
      'GET /api/fee-facts?listing=1': { body: { answers, category: none } },
      'GET /api/user': { body: aUser({ role: 'admin' }) },
      'POST /api/fee-facts/decide': { body: { listings: 1 } },
    });
    const sheet = within(await panel('Coffee mug'));
    const used = await sheet.findAllByText(/^Fees charged by Amazon/);
    expect(used.map(({ textContent }) => /: (.*)\./.exec(textContent)?.[1])).toEqual([
      'commission $3.75 (15%)',
      'fulfillment $7.75',
    ]);
    const waiting = sheet.getAllByText(/reported another fee/).map(({ textContent }) => textContent);
    expect(waiting.map((text) => /\$[\d.]+(?=\. It)/.exec(text ?? '')?.[0])).toEqual(['$45.00', '$3.10']);
    await user.click(sheet.getAllByRole('button', { name: 'Reject it' })[0] as HTMLElement);
    await waitFor(() =>
      expect(bodies('POST /api/fee-facts/decide')).toEqual([{ ids: ['6'], decision: 'keep' }]),
    );
    expect(sheet.getAllByRole('button', { name: 'Use this fee' })).toHaveLength(2);
  });

  test('that are not used say why, next to the last used ones', async () => {
    const sheet = await openWith([
      reported({ refusedBecause: 'currency' }, []),
      reported({ toldAt: ago(31 * 24) }, [{ kind: 'commission', amount: '4.25' }]),
    ]);
    expect(await sheet.findByText('Fees not used')).toBeTruthy();
    expect(sheet.getByText('Over 30 days old')).toBeTruthy();
    expect((await sheet.findByText(/Fees reported by Amazon/)).textContent).toContain('$4.25 (17%)');
  });

  test.each([
    ['estimate', /answered .*: .* Answers with the same fee are rejected too/],
    ['settled', /charged another fee on a sale .*: .* Later sales with the same fee are rejected too/],
  ])('that an administrator rejected stay rejected, by %s', async (source, text) => {
    const sheet = await openWith([reported({ source, refusedBecause: 'rejected' }, [])]);
    await sheet.findByText('Fees not used');
    expect(sheet.getByText(/same fee/).textContent).toMatch(text);
  });

  test('that are missing leave the fee category that was found, and whether it was accepted', async () => {
    const found = { name: 'Jewelry', source: 'mapped', isAccepted: false, productType: 'NECKLACE' };
    const sheet = await openWith([], found);
    await sheet.findByText(/Jewelry, found by product type NECKLACE on Amazon\. Until/);
  });
});

describe('opening', () => {
  test('"View Analytics" in the menu of a row opens it on Sales over 30 days, and focuses its title', async () => {
    const { user, where } = open();
    await user.click((await rowOf('A-1')).getByLabelText('Actions for A-1'));
    await user.click(await screen.findByRole('menuitem', { name: 'View Analytics' }));
    const sheet = within(await panel('Coffee mug'));
    expect(where()).toBe('/listings?panel=1');
    expect(sheet.getByText('A-1')).toBeTruthy();
    expect((await sheet.findByRole('tab', { name: 'Sales' })).getAttribute('aria-selected')).toBe('true');
    expect(sheet.getByRole('button', { name: '30d' }).getAttribute('aria-pressed')).toBe('true');
    await waitFor(() => expect(focused()).toBe(sheet.getByRole('heading', { name: 'Coffee mug' })));
  });

  test('O on a row opens it too', async () => {
    const { user } = open();
    await rowOf('A-1');
    await user.keyboard('j');
    await user.keyboard('o');
    expect(await panel('Coffee mug')).toBeTruthy();
  });

  test('it is no dialog: the list next to it stays usable', async () => {
    const { user, where } = open('/listings?panel=1', { 'GET /api/listings?q=mug': pageOf(THREE) });
    await panel('Coffee mug');
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.type(screen.getByRole('searchbox'), 'mug');
    await waitFor(() => expect(where()).toBe('/listings?panel=1&q=mug'));
  });

  test('an address opens it with tab and range, and does not move the focus', async () => {
    open('/listings?panel=1&tab=sales&range=90', {
      'GET /api/sales-history/metrics/1?dateRange=90': { body: salesMetrics({ totalQuantity: 9_999 }) },
    });
    const sheet = await panel('Coffee mug');
    expect(await within(sheet).findByText('9,999')).toBeTruthy();
    expect(sheet.contains(focused())).toBe(false);
  });

  test('unknown values in an address are ignored', async () => {
    open('/listings?panel=1&tab=weather&range=12');
    const sheet = within(await panel('Coffee mug'));
    expect((await sheet.findByRole('tab', { name: 'Sales' })).getAttribute('aria-selected')).toBe('true');
    expect(sheet.getByRole('button', { name: '30d' }).getAttribute('aria-pressed')).toBe('true');
  });

  test('a listing on another page is loaded; a missing one says so in its tab', async () => {
    open('/listings?panel=77', {
      'GET /api/listings/77': { body: aListing({ id: '77', sku: 'Z-77', title: 'Far away' }) },
      'GET /api/sales-history/metrics/77?dateRange=30': { body: salesMetrics() },
    });
    expect(within(await panel('Far away')).getByText('Z-77')).toBeTruthy();
  });

  test('a listing that was removed', async () => {
    const removed = refusal(404, 'not_found', 'This listing was removed on 2026-11-02: A-9.');
    open('/listings?panel=9', {
      'GET /api/listings/9': removed,
      'GET /api/sales-history/metrics/9?dateRange=30': removed,
    });
    const sheet = within(await panel('Listing Analytics'));
    expect(await sheet.findByText('This listing was removed on 2026-11-02: A-9.')).toBeTruthy();
  });
});

describe('tabs and range', () => {
  test('are in the address; only the visible tab is loaded', async () => {
    const { user, where, calls } = open('/listings?panel=1');
    const sheet = within(await panel('Coffee mug'));
    await user.click(await sheet.findByRole('tab', { name: 'Analytics' }));
    expect(where()).toBe('/listings?panel=1&tab=analytics');
    await sheet.findByText('Average Rating');
    expect(calls().some((call) => call.includes('competitor-prices'))).toBe(false);
    await user.click(sheet.getByRole('tab', { name: 'Sales' }));
    expect(where()).toBe('/listings?panel=1');
  });

  test('a range reloads, and closing removes all parameters: next time it is 30 days', async () => {
    const { user, where } = open('/listings?panel=1', {
      'GET /api/sales-history/metrics/1?dateRange=7': { body: salesMetrics({ totalQuantity: 70 }) },
    });
    const sheet = within(await panel('Coffee mug'));
    await user.click(await sheet.findByRole('button', { name: '7d' }));
    await sheet.findByText('70');
    expect(where()).toBe('/listings?panel=1&range=7');
    await user.click(sheet.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Coffee mug' })).toBeNull());
    expect(where()).toBe('/listings');
    await user.keyboard('o');
    await panel('Coffee mug');
    expect(screen.getByRole('button', { name: '30d' }).getAttribute('aria-pressed')).toBe('true');
  });
});

describe('keys', () => {
  const beyond = {
    'GET /api/sales-history/metrics/2?dateRange=30': { body: salesMetrics() },
    'GET /api/sales-history/metrics/3?dateRange=30': { body: salesMetrics() },
  };

  test('J and K show the next and the previous listing without closing; tab and range stay', async () => {
    const { user, where } = open('/listings?panel=1&tab=analytics', {
      'GET /api/listing-analytics/2': { body: null },
    });
    await panel('Coffee mug');
    await user.keyboard('j');
    const sheet = within(await panel('Paint set'));
    expect(where()).toBe('/listings?panel=2&tab=analytics');
    expect(await sheet.findByText('No analytics data available')).toBeTruthy();
    await user.keyboard('k');
    await panel('Coffee mug');
    expect(where()).toBe('/listings?panel=1&tab=analytics');
  });

  test('at the ends of the page they announce that and stay', async () => {
    const { user, where } = open('/listings?panel=3', beyond);
    await panel('Yarn');
    await user.keyboard('j');
    expect(await screen.findByText('This is the last listing of the page')).toBeTruthy();
    expect(where()).toBe('/listings?panel=3');
  });

  test('from a row they also move the focus along the rows', async () => {
    const { user } = open('/listings?panel=1', beyond);
    await panel('Coffee mug');
    await rowOf('A-1');
    document.querySelector<HTMLElement>('[data-row-id="1"]')?.focus();
    await user.keyboard('j');
    await panel('Paint set');
    expect(focused()?.getAttribute('data-row-id')).toBe('2');
  });

  test('Escape closes it and returns to the row', async () => {
    const { user, where } = open('/listings?panel=2&tab=sales&range=7', {
      'GET /api/sales-history/metrics/2?dateRange=7': { body: salesMetrics() },
    });
    await panel('Paint set');
    await rowOf('A-2');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Paint set' })).toBeNull());
    expect(where()).toBe('/listings');
    expect(focused()?.getAttribute('data-row-id')).toBe('2');
  });

  test('letters typed into a field are text', async () => {
    const { user, where } = open('/listings?panel=1', { 'GET /api/listings?q=j': pageOf(THREE) });
    await panel('Coffee mug');
    await user.type(screen.getByRole('searchbox'), 'j');
    await waitFor(() => expect(where()).toBe('/listings?panel=1&q=j'));
  });
});

test('the figures can be reloaded', async () => {
  const { user, calls } = open('/listings?panel=1');
  const sheet = within(await panel('Coffee mug'));
  await sheet.findByText('1,204');
  await user.click(sheet.getByRole('button', { name: 'Reload the figures' }));
  const requested = () => calls().filter((call) => call.includes('/metrics/1')).length;
  await waitFor(() => expect(requested()).toBe(2));
});

test('on a narrow screen it is a dialog, and returns the focus to its button', async () => {
  setViewport(390);
  const { user } = open();
  const button = await screen.findByLabelText('Actions for A-1');
  await user.click(button);
  await user.click(await screen.findByRole('menuitem', { name: 'View Analytics' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Coffee mug' }));
  expect(await sheet.findByText('Units Sold')).toBeTruthy();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(focused()).toBe(button));
});
