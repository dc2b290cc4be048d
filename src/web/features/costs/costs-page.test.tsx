import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ListingCosts } from '#contract/costs.ts';
import type { FeeImpact, FeeScheduleView, Fees } from '#contract/fees.ts';
import { aCostRow, NO_ESTIMATES } from '#tests/support/cost-rows.ts';
import { type Answer, type Answers, aUser, refusal, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { dismissToasts } from '#web/lib/use-toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  dismissToasts();
});

const ROW = aCostRow({
  listingId: '4',
  marketplace: 'walmart',
  fulfillmentType: 'FBM',
  sku: 'A-1',
  title: 'Blue mug',
  productCost: '10.00',
  shippingCost: null,
  fulfillmentCost: '0.00',
  packagingCost: '0.25',
  miscCost: '0.10',
  totalCost: null,
  gaps: ['no_tier'],
});
const part = (name: ListingCosts['parts'][number]['part'], amount: string | null) => ({
  part: name,
  amount,
  source: 'sku' as const,
  sourceText: 'SKU A-1',
  readOnly: null,
});
const COSTS: ListingCosts = {
  listingId: '4',
  marketplace: 'walmart',
  sku: 'A-1',
  title: 'Blue mug',
  fulfillmentType: 'FBM',
  currentPrice: '20.00',
  isBundle: false,
  version: 2,
  skuVersion: 5,
  parts: [
    part('product', '10.00'),
    part('shipping', '3.99'),
    part('fulfillment', '0.00'),
    part('packaging', '0.25'),
    part('misc', '0.10'),
  ],
  totalCost: '14.34',
  missing: [],
  gaps: [],
  others: [{ listingId: '9', marketplace: 'etsy', sku: 'A-1' }],
};
const DEFAULT: FeeScheduleView = {
  id: '1',
  marketplace: 'walmart',
  category: null,
  effectiveFrom: null,
  kind: 'whole',
  edgeBase: 'revenue',
  bands: [
    { upTo: null, percent: '15.00', percentTaxed: '0.00', fixed: '0.00', perUnit: '0.00', minimum: '0.00' },
  ],
  state: 'in_force',
  listings: 412,
  deletionBlocks: 412,
  createdAt: '2026-01-01T00:00:00.000Z',
  createdBy: 'Pricewright',
  origin: 'shipped',
  publication: {
    title: 'marketplace.example/fees',
    date: '2026-08-21T00:00:00.000Z',
    confidence: 'low',
    note: 'Some have other rates.',
  },
};
const FEES: Fees = { schedules: [DEFAULT], uncovered: [], terms: [], checked: null };
const IMPACT: FeeImpact = {
  affected: 412,
  underMargin: 214,
  blocked: 3,
  recovered: 0,
  worst: [
    {
      listingId: '4',
      marketplace: 'walmart',
      sku: 'A-1',
      title: 'Blue mug',
      currentPrice: '16.00',
      marginBefore: '22.50',
      marginAfter: '7.50',
      marginFloorAfter: '18.19',
    },
  ],
};

async function open(address: string, more: Answers = {}) {
  const sent = serveApi({
    'GET /api/user': { body: aUser({ role: 'admin' }) },
    'GET /api/costs?page=1&size=50': { body: { rows: [ROW], total: 1, estimates: NO_ESTIMATES } },
    'GET /api/costs?q=mug&page=1&size=50': { body: { rows: [], total: 0, estimates: NO_ESTIMATES } },
    'GET /api/listings/4/costs': { body: COSTS },
    'GET /api/fees': { body: FEES },
    'GET /api/fee-categories': { body: { suggestions: [] } },
    'GET /api/fee-drift': { body: { drifts: [], readings: [] } },
    'POST /api/fees/impact': { body: IMPACT },
    ...more,
  });
  const router = renderApp(address);
  await screen.findByRole('heading', { name: 'Cost Management', hidden: true });
  return {
    user: userEvent.setup({ delay: null }),
    sent,
    writes: () => sent.filter(({ call }) => !call.startsWith('GET')),
    where: () => router.state.location.href,
  };
}

async function retype(user: ReturnType<typeof userEvent.setup>, name: string, text: string): Promise<void> {
  const field = within(screen.getByRole('dialog')).getByLabelText(name);
  await user.clear(field);
  await user.paste(text);
}

describe('costs', () => {
  test('the columns of the specification; unknown is not zero', async () => {
    await open('/costs');
    await screen.findByText('Blue mug');
    const headers = screen.getAllByRole('columnheader').map((cell) => cell.textContent);
    expect(headers).toEqual([
      'SKU',
      'Product',
      'Product Cost',
      'Shipping',
      'Fulfillment',
      'Packaging',
      'Misc',
      'Total Cost',
      'Edit',
    ]);
    const cells = screen.getAllByRole('cell').map((cell) => cell.textContent);
    expect(cells.slice(1, 7)).toEqual(['$10.00', '–unknown', '$0.00', '$0.25', '$0.10', '–unknown']);
  });

  test('estimated fees are marked, and accepted for all listings at once', async () => {
    const row = aCostRow({ fulfillmentType: 'FBA/WFS', fulfillmentCost: '3.45', fulfillmentReadOnly: null });
    const page = { rows: [{ ...row, isFulfillmentEstimated: true }], total: 1 };
    const { user, writes } = await open('/costs', {
      'GET /api/costs?page=1&size=50': { body: { ...page, estimates: { listings: 3, areAccepted: false } } },
      'PUT /api/costs/estimates': { body: { listings: 3, areAccepted: true } },
    });
    expect(
      await screen.findByRole('button', { name: /^Fulfillment of A-1.*\$3\.45, estimated/ }),
    ).toBeTruthy();
    await user.click(await screen.findByRole('button', { name: 'Accept estimates' }));
    await screen.findByText('Estimates accepted');
    expect(writes()).toEqual([{ call: 'PUT /api/costs/estimates', body: { areAccepted: true } }]);
  });

  test('the search is sent to the server and is in the address', async () => {
    const { user, where } = await open('/costs');
    await user.type(await screen.findByRole('searchbox', { name: 'Search by SKU or title' }), 'mug{Enter}');
    await screen.findByText('No SKU or title contains “mug”.');
    expect(where()).toBe('/costs?q=mug');
  });

  test('the editor adds up while typing and sends only changed parts', async () => {
    const saved = { costs: { ...COSTS, version: 3 }, belowMarginFloorCount: 0, belowMarginFloor: [] };
    const { user, writes, where } = await open('/costs', { 'PUT /api/listings/4/costs': { body: saved } });
    await user.click(await screen.findByRole('button', { name: 'Edit costs of A-1 on Walmart' }));
    expect(where()).toBe('/costs?edit=4');
    await screen.findByText('$14.34');
    await retype(user, 'Product Cost', 'x');
    expect(screen.getByText('$4.34')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save Costs' }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Product Cost')));
    expect(writes()).toEqual([]);
    await retype(user, 'Product Cost', '11');
    expect(screen.getByText('$15.34')).toBeTruthy();
    expect(screen.getByText(/A-1 on Etsy/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save Costs' }));
    await screen.findByText('Costs saved');
    expect(writes()).toEqual([
      { call: 'PUT /api/listings/4/costs', body: { version: 2, skuVersion: 5, product: '11.00' } },
    ]);
    expect(where()).toBe('/costs');
  });

  test('a part from an earlier day shows what it changes on sales so far, and is saved with that day', async () => {
    const saved = { costs: { ...COSTS, version: 3 }, belowMarginFloorCount: 0, belowMarginFloor: [] };
    const { user, writes } = await open('/costs?edit=4', {
      'PUT /api/listings/4/costs': { body: saved },
      'POST /api/listings/4/costs/impact': { body: { changed: 400, profitChange: '-400.00', isMore: false } },
    });
    await screen.findByText('$14.34');
    expect(screen.queryByLabelText('Applies from')).toBeNull();
    await retype(user, 'Shipping', '4.99');
    await retype(user, 'Applies from', '2026-01-05');
    await screen.findByText('400 sales change: profit \u2212$400.00.');
    await user.click(screen.getByRole('button', { name: 'Save Costs' }));
    await screen.findByText('Costs saved');
    const costSince = new Date('2026-01-05T00:00').toISOString();
    expect(writes()).toEqual([
      { call: 'POST /api/listings/4/costs/impact', body: { shipping: '4.99', costSince } },
      { call: 'PUT /api/listings/4/costs', body: { version: 2, skuVersion: 5, shipping: '4.99', costSince } },
    ]);
  });

  test('listings that fall below their margin floor are named and can be raised', async () => {
    const below = {
      listingId: '4',
      marketplace: 'walmart',
      sku: 'A-1',
      title: 'Blue mug',
      currentPrice: '16.00',
      marginFloor: '18.19',
    };
    const { user, writes } = await open('/costs?edit=4', {
      'PUT /api/listings/4/costs': {
        body: {
          costs: COSTS,
          belowMarginFloorCount: 2,
          belowMarginFloor: [below, { ...below, listingId: '9', sku: 'A-9' }],
        },
      },
      'PUT /api/listings/4/price': { body: {} },
      'PUT /api/listings/9/price': refusal(409, 'conflict', 'The price has moved.'),
    });
    await screen.findByText('$14.34');
    await retype(user, 'Misc', '5');
    await user.click(screen.getByRole('button', { name: 'Save Costs' }));
    await user.click(await screen.findByRole('button', { name: 'Raise 2 prices' }));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('1 price was raised. A-9: The price has moved.');
    expect(writes().slice(1)).toEqual([
      { call: 'PUT /api/listings/4/price', body: { price: '18.19', from: '16.00' } },
      { call: 'PUT /api/listings/9/price', body: { price: '18.19', from: '16.00' } },
    ]);
  });
});

describe('fees', () => {
  const card = async () => within(await screen.findByRole('group', { name: 'Walmart' }));

  test('the tab is in the address; each marketplace shows its fees', async () => {
    const { user, where } = await open('/costs');
    await user.click(screen.getByRole('tab', { name: 'Fees' }));
    expect(where()).toBe('/costs?tab=fees');
    const walmart = await card();
    expect(walmart.getByText('15%')).toBeTruthy();
    expect(walmart.getByText('No start date, used by 412 listings')).toBeTruthy();
    const etsy = within(screen.getByRole('group', { name: 'Etsy' }));
    expect(etsy.getByText(/No fees entered/)).toBeTruthy();
  });

  test('published fees name their source; categories without listings are folded and can be searched', async () => {
    const spare = ['Baby Products', 'Office Products', 'Pet Supplies'].map((category, at) => ({
      ...DEFAULT,
      id: `${at + 7}`,
      category,
      listings: 0,
      deletionBlocks: null,
    }));
    const used = { ...DEFAULT, id: '3', category: 'Books', listings: 5 };
    const { user } = await open('/costs?tab=fees', {
      'GET /api/fees': { body: { ...FEES, schedules: [DEFAULT, used, ...spare] } },
    });
    const walmart = await card();
    expect(walmart.getAllByText('Not confirmed')).toHaveLength(5);
    expect(walmart.getAllByText(/^Published: marketplace\.example\/fees, Aug 21, 2026\. Some/)).toHaveLength(
      5,
    );
    const folded = walmart.getByRole('group', { name: '' });
    expect(within(folded).queryByText('Books')).toBeNull();
    await user.click(within(folded).getByText('3 more published categories'));
    await user.type(within(folded).getByRole('searchbox', { name: 'Find a category' }), 'product off');
    const shown = within(folded).getAllByRole('button', { name: /^Edit fees/ });
    expect(shown.map((button) => button.getAttribute('aria-label'))).toEqual([
      'Edit fees: Walmart Office Products, always',
    ]);
  });

  test('plan, sales tax and shares are shown and can be changed', async () => {
    const terms = {
      marketplace: 'walmart',
      plan: 'Basic',
      plans: ['Basic', 'Plus'],
      salesTax: '8.00',
      countedSalesTax: '8.00',
      salesTaxSource: 'entered',
      adShare: '4.00',
      returnShare: null,
      learned: { adShare: '3.90', returnShare: '1.25' },
      learnedSalesTax: '9.50',
      learnedFromOrders: 41,
    } as const;
    const taxed = { ...DEFAULT, bands: DEFAULT.bands.map((band) => ({ ...band, percentTaxed: '2.90' })) };
    const { user, writes } = await open('/costs?tab=fees', {
      'GET /api/fees': { body: { ...FEES, schedules: [taxed], terms: [terms] } },
      'PUT /api/fee-terms/walmart': { body: FEES },
    });
    const walmart = await card();
    expect(walmart.getByText('Plan: Basic, 8% sales tax (entered), 4% for advertising')).toBeTruthy();
    await user.click(walmart.getByRole('button', { name: 'Edit terms: Walmart' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Terms: Walmart' }));
    await user.selectOptions(dialog.getByLabelText('Your plan'), 'Plus');
    await retype(user, 'Sales tax', '31');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(dialog.getByText('Enter 0 to 30, or leave it blank')).toBeTruthy();
    expect(dialog.getByText(/Leave blank for 9\.5% sales tax \(learned from 41 orders\)\./)).toBeTruthy();
    await retype(user, 'Sales tax', '');
    await retype(user, 'Advertising', '100');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(dialog.getByText(/In the last 90 days it was 1\.25%/)).toBeTruthy();
    expect(dialog.getByText('Enter 0 to 99.99, or leave it blank')).toBeTruthy();
    await retype(user, 'Advertising', '');
    await retype(user, 'Returns', '1.25');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await screen.findByText('Terms saved');
    expect(writes()).toEqual([
      {
        call: 'PUT /api/fee-terms/walmart',
        body: { plan: 'Plus', salesTax: null, adShare: null, returnShare: '1.25' },
      },
    ]);
  });

  test('the calculator follows the form, and the impact is shown before saving', async () => {
    const { user, writes, where } = await open('/costs?tab=fees&fees=1', {
      'PUT /api/fees/1': { body: { ...DEFAULT, id: '2' } },
    });
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit fee schedule' }));
    expect(dialog.getByText('Fee $3.00')).toBeTruthy();
    await retype(user, 'Percent', '30');
    expect(dialog.getByText('Fee $6.00')).toBeTruthy();
    expect(dialog.queryByRole('button', { name: 'Save fees' })).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Check impact' }));
    await dialog.findByText('214 listings fall below their minimum margin, 3 listings become blocked');
    expect(dialog.getByRole('row', { name: /A-1.*\$16\.00.*22\.5%.*7\.5%.*\$18\.19/ })).toBeTruthy();
    const schedule = {
      marketplace: 'walmart',
      category: null,
      effectiveFrom: null,
      kind: 'whole',
      edgeBase: 'revenue',
      bands: [
        {
          upTo: null,
          percent: '30.00',
          percentTaxed: '0.00',
          fixed: '0.00',
          perUnit: '0.00',
          minimum: '0.00',
        },
      ],
    };
    expect(writes()).toEqual([{ call: 'POST /api/fees/impact', body: { id: '1', schedule } }]);
    await user.click(dialog.getByRole('button', { name: 'Save fees' }));
    await screen.findByText('Fees saved');
    expect(writes().at(-1)).toEqual({ call: 'PUT /api/fees/1', body: schedule });
    expect(where()).toBe('/costs?tab=fees');
  });

  test('an edit after the check removes its impact', async () => {
    const { user } = await open('/costs?tab=fees&fees=1');
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Check impact' }));
    await dialog.findByRole('button', { name: 'Save fees' });
    await retype(user, 'Percent', '31');
    expect(dialog.queryByText(/below their minimum margin/)).toBeNull();
    expect(dialog.getByRole('button', { name: 'Check impact' })).toBeTruthy();
  });

  test('bands: one more below the last, both ways to apply explained, errors at the field', async () => {
    const { user, writes } = await open('/costs?tab=fees&fees=new');
    const dialog = within(await screen.findByRole('dialog', { name: 'Add fee schedule' }));
    expect(dialog.queryByRole('radio')).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Add band' }));
    expect(dialog.getAllByRole('radio')).toHaveLength(2);
    expect(dialog.getByText(/10% of \$16, which is \$1\.60/)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Check impact' }));
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true'));
    expect(dialog.getAllByText('Enter 0 to 100')).toHaveLength(2);
    expect(writes()).toEqual([]);
  });

  test('deleting the last default says how many it blocks, and sends that number', async () => {
    const { user, writes } = await open('/costs?tab=fees', {
      'DELETE /api/fees/1?blocking=412': { body: null },
    });
    await user.click((await card()).getByRole('button', { name: /^Delete fees/ }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete the fees of Walmart?' }));
    expect(dialog.getByText('412 listings will be blocked')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Delete and block 412 listings' }));
    await screen.findByText('Fee schedule deleted');
    expect(writes().at(-1)?.call).toBe('DELETE /api/fees/1?blocking=412');
  });

  test('listings without fees lead to a dialog for their marketplace and category', async () => {
    const uncovered = [{ marketplace: 'ebay', category: 'Shoes', listings: 12 }] as const;
    const { user } = await open('/costs?tab=fees', { 'GET /api/fees': { body: { ...FEES, uncovered } } });
    await user.click(await screen.findByRole('button', { name: 'Add fees for eBay, category Shoes' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add fee schedule' }));
    expect(dialog.getByLabelText<HTMLSelectElement>('Marketplace').value).toBe('ebay');
    expect(dialog.getByLabelText<HTMLInputElement>('Fee category').value).toBe('Shoes');
  });

  test('lower fees of a category are accepted for the listings that were seen', async () => {
    const shown = [{ listingId: '4', sku: 'A-1', title: 'Sound bar', currentPrice: '20.00' }];
    const waiting = { marketplace: 'walmart', category: 'Electronics', listings: 120, shown } as const;
    let suggestions: object[] = [waiting];
    const { user, writes } = await open('/costs?tab=fees', {
      'GET /api/fees': {
        body: { ...FEES, schedules: [DEFAULT, { ...DEFAULT, id: '77', category: 'Electronics' }] },
      },
      'GET /api/fee-categories': () => ({ body: { suggestions } }),
      'POST /api/fee-categories/accept': () => {
        suggestions = [];
        return { body: { suggestions } };
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Review Walmart, Electronics' }));
    const dialog = within(await screen.findByRole('dialog'));
    dialog.getByRole('cell', { name: 'A-1' });
    await user.click(dialog.getByRole('button', { name: 'Use for 120 listings' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Review/ })).toBeNull());
    expect(writes().map(({ body }) => body)).toEqual([
      { marketplace: 'walmart', category: 'Electronics', listings: 120 },
    ]);
  });

  test('fees reported for many listings at once are accepted or rejected for the number that was seen', async () => {
    const jump = { before: '15.00', told: '8.00' };
    const shown = [{ ...jump, listingId: '4', sku: 'A-1', title: 'Sound bar', currentPrice: '20.00' }];
    const reading = { id: '7', marketplace: 'amazon', since: '2026-01-01T00:00:00.000Z', shown } as const;
    const reported = { ...reading, listings: 214, repriced: 3, pairs: [{ ...jump, listings: 214 }] };
    let readings: object[] = [reported];
    const { user, writes } = await open('/costs?tab=fees', {
      'GET /api/fee-drift': () => ({ body: { drifts: [], readings } }),
      'POST /api/fee-facts/decide': () => {
        readings = [];
        return { body: { listings: 214 } };
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Review 214 listings' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getAllByRole('cell').map((cell) => cell.textContent)).toEqual([
      ...['15.0%', '8.0%', '214'],
      ...['A-1Sound bar', '$20.00', '15.0%', '8.0%'],
    ]);
    await user.click(dialog.getByRole('button', { name: 'Reject' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Review/ })).toBeNull());
    expect(writes().map(({ body }) => body)).toEqual([{ reading: '7', listings: 214, decision: 'keep' }]);
  });

  test('commission that differs from the schedule is listed, linked to its listings; a failure is shown', async () => {
    const drift = { marketplace: 'ebay', told: '15.35', scheduled: '13.60', listings: 12 } as const;
    const answers = [
      refusal(500, 'internal', 'No answer'),
      {
        body: {
          drifts: [{ ...drift, belowMarginFloor: 3, waiting: 0, ownRates: 0, cost30Days: '8.40' }],
          readings: [],
        },
      },
    ];
    const { user } = await open('/costs?tab=fees', {
      'GET /api/fee-drift': () => (answers.length > 1 ? answers.shift() : answers[0]) as Answer,
    });
    await user.click(await screen.findByRole('button', { name: 'Retry' }));
    const table = within(await screen.findByRole('table'));
    expect(table.getAllByRole('cell').map((cell) => cell.textContent)).toEqual([
      'eBay',
      '15.35%',
      '13.6%',
      '12',
      '3',
      '$8.40',
      'None',
    ]);
    expect(table.getByRole('link').getAttribute('href')).toBe('/listings?state=fee_differs&marketplace=ebay');
  });

  test.each([
    ['Use for 12 listings', 'adopt'],
    ['Reject it', 'keep'],
  ])(
    'lower commissions that wait are decided about for the number that was seen: %s',
    async (button, decision) => {
      const pair = { marketplace: 'amazon', told: '8.00', scheduled: '15.00' } as const;
      let drifts: object[] = [
        { ...pair, listings: 40, belowMarginFloor: 0, waiting: 12, ownRates: 0, cost30Days: '-8.40' },
      ];
      const { user, writes } = await open('/costs?tab=fees', {
        'GET /api/fee-drift': () => ({ body: { drifts, readings: [] } }),
        'POST /api/fee-facts/decide': () => {
          drifts = [];
          return { body: { listings: 12 } };
        },
      });
      await user.click(await screen.findByRole('button', { name: /^Decide about 12 listings on Amazon/ }));
      const dialog = within(await screen.findByRole('dialog'));
      await user.click(dialog.getByRole('button', { name: button }));
      await waitFor(() => expect(screen.queryByRole('button', { name: /^Decide about/ })).toBeNull());
      expect(writes().map(({ body }) => body)).toEqual([{ pair, waiting: 12, decision }]);
    },
  );

  test.each([
    [/^Use 17% for 214 listings on Amazon/, 'adopt'],
    [/^Keep 15% for 214 listings on Amazon/, 'keep'],
  ])(
    'an own commission gives way to the reported one, or stays, by one press: %s',
    async (name, decision) => {
      const pair = { marketplace: 'amazon', told: '17.00', scheduled: '15.00' } as const;
      let drifts: object[] = [
        { ...pair, listings: 300, belowMarginFloor: 31, waiting: 0, ownRates: 214, cost30Days: '412.00' },
      ];
      const { user, writes } = await open('/costs?tab=fees', {
        'GET /api/fee-drift': () => ({ body: { drifts, readings: [] } }),
        'POST /api/fee-facts/decide': () => {
          drifts = [];
          return { body: { listings: 214 } };
        },
      });
      await user.click(await screen.findByRole('button', { name }));
      await waitFor(() => expect(screen.queryByRole('button', { name })).toBeNull());
      expect(writes().map(({ body }) => body)).toEqual([{ pair, ownRates: 214, decision }]);
    },
  );

  test('confirming the shipped fees is stored', async () => {
    let checked: Fees['checked'] = null;
    const { user } = await open('/costs?tab=fees', {
      'GET /api/fees': () => ({ body: { ...FEES, checked } }),
      'POST /api/setup/fees-checked': () => {
        checked = { at: '2026-01-01T00:00:00.000Z', by: 'sam@example.com' };
        return { body: {} };
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Confirm fees' }));
    await screen.findByText(/sam@example\.com confirmed these fees/);
  });
});
