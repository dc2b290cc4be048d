import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { EditImpact } from '#contract/edit-impact.ts';
import { refusal } from '#tests/support/fake-api.ts';
import {
  aListing,
  bulkBar,
  closeNetwork,
  openListings,
  outcome,
  pageOf,
  pressUndo,
  rowOf,
  THREE,
  tick,
  UNDO_ID,
} from '#tests/support/listings-screen.tsx';

afterEach(closeNetwork);

const dialog = async (name: RegExp | string, role: 'dialog' | 'alertdialog' = 'dialog') =>
  within(await screen.findByRole(role, { name }));
const EDIT = 'POST /api/listings/edit';
const UNDO = 'POST /api/listings/undo';
const IMPACT = 'POST /api/listings/edit-impact';
/** What an edit of costs changes where it changes nothing. */
const NO_IMPACT = {
  listings: 2,
  floors: { raised: 0, lowered: 0, gained: 0, lost: 0, largest: [] },
  fallingCount: 0,
  falling: [],
  sales: { changed: 0, profitChange: '0.00', isMore: false },
} satisfies EditImpact;

/** Selects all that match a filter of 1,240. */
async function openMatching(answers: Parameters<typeof openListings>[0]) {
  const opened = openListings(
    { 'GET /api/listings?marketplace=walmart': pageOf(THREE, 1240), ...answers },
    '/listings?marketplace=walmart',
  );
  await opened.user.click(await screen.findByLabelText('Select all rows of this page'));
  await opened.user.click(screen.getByText('Select all 1,240 matching this filter'));
  return opened;
}
const MATCHING = { filter: { marketplace: 'walmart' }, expected: 1240 };

test("disabling shows the count, clears the selection, and Undo restores each listing's value", async () => {
  const { user, bodies } = openListings({ [EDIT]: outcome({ done: 2 }), [UNDO]: outcome({ done: 2 }) });
  await tick(user, 'A-1', 'A-2');
  await user.click(bulkBar().getByText('Disable repricing'));
  await screen.findByText('Repricing Disabled');
  expect(screen.getByText('for 2 listing(s)')).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Selected rows' })).toBeNull();
  await pressUndo(user);
  await screen.findByText('2 listings are as before.');
  expect(bodies(EDIT)).toEqual([{ selection: { ids: ['1', '2'] }, fields: { autoRepricingEnabled: false } }]);
  expect(bodies(UNDO)).toEqual([{ undoId: UNDO_ID, jobId: null }]);
});

test('all that match: asks first, sent as the filter with the count that was seen', async () => {
  const message = 'Its job is still running. Cancel it or wait until it ends, then undo.';
  const { user, bodies } = await openMatching({
    [EDIT]: outcome({ done: 0, jobId: '9' }),
    [UNDO]: refusal(409, 'conflict', message),
  });
  await user.click(bulkBar().getByText('Enable repricing'));
  const ask = await dialog('Enable repricing for 1,240 listings?', 'alertdialog');
  expect(bodies(EDIT)).toEqual([]);
  await user.click(ask.getByRole('button', { name: 'Enable repricing' }));
  await screen.findByText(/^Running in the background/);
  expect(bodies(EDIT)).toEqual([{ selection: MATCHING, fields: { autoRepricingEnabled: true } }]);
  await pressUndo(user);
  await screen.findByText(message);
  expect(bodies(UNDO)).toEqual([{ undoId: UNDO_ID, jobId: '9' }]);
});

test('a list that has grown is rejected, and the bar says so and keeps the selection', async () => {
  const message = '1,244 listings match now, not 1,240. Look again and select them once more.';
  const { user } = await openMatching({ 'POST /api/listings/uploaded': refusal(409, 'conflict', message) });
  await user.click(bulkBar().getByText('More'));
  await user.click(await screen.findByRole('menuitem', { name: 'Mark as uploaded' }));
  expect(await bulkBar().findByText(message)).toBeTruthy();
  expect(bulkBar().getByText('All 1,240 matching selected')).toBeTruthy();
});

test('skipped listings are shown with the reason', async () => {
  const { user } = openListings({
    'POST /api/listings/resume': outcome({
      done: 1,
      refusedCount: 1,
      refused: [{ listingId: '2', sku: 'A-2', message: 'It is not held.' }],
    }),
  });
  await tick(user, 'A-1', 'A-2');
  await user.click(bulkBar().getByText('More'));
  await user.click(await screen.findByRole('menuitem', { name: 'Resume repricing' }));
  const report = await dialog('Repricing resumed: 1 listing done, 1 skipped');
  expect(report.getByRole('listitem').textContent).toBe('A-2It is not held.');
});

test('Apply previews old price, new price and margin, then changes exactly those', async () => {
  const { user, bodies } = openListings({
    'GET /api/listings': pageOf(THREE.map((row) => ({ ...row, recommendedPrice: '18.00' }))),
    'POST /api/listings/apply-preview': {
      body: {
        count: 2,
        blockedCount: 1,
        raised: 1,
        lowered: 1,
        rows: [
          {
            listingId: '1',
            sku: 'A-1',
            title: 'Coffee mug',
            oldPrice: '20.00',
            newPrice: '18.00',
            marginBefore: '17.50',
            marginAfter: '9.00',
          },
        ],
        blocked: [{ listingId: '3', sku: 'A-3', message: 'Enter the weight of SKU A-3.' }],
      },
    },
    'POST /api/listings/apply': outcome({ done: 2 }),
  });
  await tick(user, 'A-1', 'A-3');
  await user.click(bulkBar().getByText('Apply 2 prices'));
  const preview = await dialog('Apply recommended prices');
  await preview.findByText('2 prices would change: 1 up, 1 down.');
  expect(preview.getAllByRole('row')[1]?.textContent).toBe('A-1Coffee mug$20.00$18.0017.5%Strong9.0%Thin');
  expect(preview.getByText('Enter the weight of SKU A-3.')).toBeTruthy();
  await user.click(preview.getByRole('button', { name: 'Change 2 prices' }));
  await screen.findByText('2 prices changed');
  expect(bodies('POST /api/listings/apply')).toEqual([{ selection: { ids: ['1', '3'] } }]);
});

test('deleting shows the count and the marketplaces; Undo restores all', async () => {
  const { user, bodies } = openListings({
    'POST /api/listings/delete': outcome({ done: 3 }),
    [UNDO]: outcome({ done: 3 }),
  });
  await tick(user, 'A-1', 'A-2', 'A-3');
  await user.click(bulkBar().getByRole('button', { name: 'Delete' }));
  const ask = await dialog('Delete 3 listings?', 'alertdialog');
  expect(ask.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Walmart2 listings',
    'eBay1 listing',
  ]);
  expect(document.activeElement?.textContent).toBe('Cancel');
  await user.click(ask.getByRole('button', { name: 'Delete 3 listings' }));
  await screen.findByText('Listings Deleted');
  await pressUndo(user);
  await screen.findByText('Listings restored');
  expect(bodies(UNDO)).toEqual([{ undoId: UNDO_ID, jobId: null }]);
});

test('deleting all that match loads the marketplaces from the server', async () => {
  const { user, bodies } = await openMatching({
    'GET /api/listings?marketplace=walmart&size=25': pageOf([], 1240),
    'POST /api/listings/delete': outcome({ done: 1240 }),
  });
  await user.click(bulkBar().getByRole('button', { name: 'Delete' }));
  const ask = await dialog('Delete 1,240 listings?', 'alertdialog');
  expect((await ask.findByRole('listitem')).textContent).toBe('Walmart1,240 listings');
  await user.click(ask.getByRole('button', { name: 'Delete 1,240 listings' }));
  await waitFor(() => expect(bodies('POST /api/listings/delete')).toEqual([{ selection: MATCHING }]));
});

test('a hold needs a reason and shows its end', async () => {
  const { user, bodies } = openListings({
    'POST /api/listings/hold': outcome({ done: 1 }),
    [UNDO]: outcome({ done: 1 }),
  });
  await user.click((await rowOf('A-1')).getByLabelText('Actions for A-1'));
  await user.click(await screen.findByRole('menuitem', { name: 'Put on hold...' }));
  const form = await dialog('Put A-1 on hold');
  await user.click(form.getByRole('button', { name: 'Put on hold' }));
  expect(form.getByText('Enter a reason so your team knows why.')).toBeTruthy();
  await user.selectOptions(form.getByLabelText('Duration'), 'Until resumed');
  await user.type(form.getByLabelText('Reason'), 'Sale');
  await user.click(form.getByRole('button', { name: 'Put on hold' }));
  await waitFor(() =>
    expect(bodies('POST /api/listings/hold')).toEqual([
      { selection: { ids: ['1'] }, hours: null, reason: 'Sale' },
    ]),
  );
  await pressUndo(user);
  await screen.findByText('1 listing is as before.');
});

test('fields of many: only selected fields are set', async () => {
  const { user, bodies } = openListings({
    'GET /api/rules': { body: { rules: [], timeZone: null } },
    [IMPACT]: { body: NO_IMPACT },
    [EDIT]: outcome({ done: 2 }),
  });
  await tick(user, 'A-1', 'A-2');
  await user.click(bulkBar().getByText('Set limits or rule'));
  const form = await dialog('Set fields of 2 listings');
  await user.click(form.getByRole('button', { name: 'Save 2 listings' }));
  expect(form.getByText('Select at least one field to change.')).toBeTruthy();
  await user.click(form.getByLabelText('Set supplier'));
  await user.type(form.getByLabelText('Supplier'), 'Midwest');
  await user.click(form.getByLabelText('Set FBA/WFS fee'));
  await form.findByText('Impact on 2 listings');
  await user.click(form.getByRole('button', { name: 'Save 2 listings' }));
  await waitFor(() =>
    expect(bodies(EDIT)).toEqual([
      { selection: { ids: ['1', '2'] }, fields: { supplier: 'Midwest', fulfillmentCost: null } },
    ]),
  );
});

test('costs of many from an earlier day: floors, prices below them and profit are shown before saving', async () => {
  const floor = { listingId: '1', marketplace: 'walmart', sku: 'A-1' } as const;
  const { user, bodies } = openListings({
    'GET /api/rules': { body: { rules: [], timeZone: null } },
    [IMPACT]: {
      body: {
        ...NO_IMPACT,
        floors: {
          raised: 2,
          lowered: 1,
          gained: 1,
          lost: 1,
          largest: [{ ...floor, from: '14.29', to: '22.86' }],
        },
        fallingCount: 1,
        falling: [{ ...floor, title: 'Coffee mug', currentPrice: '20.00', marginFloor: '22.86' }],
        sales: { changed: 214, profitChange: '-96.30', isMore: false },
      },
    },
    [EDIT]: outcome({ done: 2 }),
  });
  await tick(user, 'A-1', 'A-2');
  await user.click(bulkBar().getByText('Set limits or rule'));
  const form = await dialog('Set fields of 2 listings');
  await user.click(form.getByLabelText('Set shipping cost'));
  await user.type(form.getByLabelText('Shipping cost'), '6');
  await user.click(form.getByLabelText('Applies from'));
  await user.paste('2026-01-05');
  expect(await form.findByText('214 sales change: profit \u2212$96.30.')).toBeTruthy();
  expect(form.getByText('The margin floor rises for 2 listings.')).toBeTruthy();
  expect(form.getByText('The margin floor falls for 1 listing.')).toBeTruthy();
  expect(form.getByText('1 listing gets a margin floor.')).toBeTruthy();
  expect(form.getByText(/^1 listing loses its margin floor/)).toBeTruthy();
  expect(form.getByText('1 listing falls below its margin floor.')).toBeTruthy();
  const [move, falling] = form.getAllByText('A-1').map((name) => name.closest('li')?.textContent);
  expect(move).toContain('$14.29 to $22.86');
  expect(falling).toContain('priced at $20.00, needs $22.86');
  const fields = { shippingCost: '6.00', costSince: new Date('2026-01-05T00:00').toISOString() };
  const selection = { ids: ['1', '2'] };
  expect(bodies(IMPACT).at(-1)).toEqual({ selection, fields });
  expect(bodies(EDIT)).toEqual([]);
  await user.click(form.getByRole('button', { name: 'Save 2 listings' }));
  await waitFor(() => expect(bodies(EDIT)).toEqual([{ selection, fields }]));
});

test('a failed calculation says so, and does not prevent saving', async () => {
  const message = '3 listings match now, not 2. Review the selection, then try again.';
  const { user, bodies } = openListings({
    'GET /api/rules': { body: { rules: [], timeZone: null } },
    [IMPACT]: refusal(409, 'conflict', message),
    [EDIT]: outcome({ done: 2 }),
  });
  await tick(user, 'A-1', 'A-2');
  await user.click(bulkBar().getByText('Set limits or rule'));
  const form = await dialog('Set fields of 2 listings');
  await user.click(form.getByLabelText('Set shipping charge'));
  await form.findByText(message);
  await user.click(form.getByRole('button', { name: 'Save 2 listings' }));
  await waitFor(() => expect(bodies(EDIT)).toHaveLength(1));
});

test('the impact of another rule is shown too; one that takes long does not prevent saving', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const { user, bodies } = openListings({
    'GET /api/rules': { body: { rules: [], timeZone: null } },
    [IMPACT]: () => new Promise(() => undefined),
    [EDIT]: outcome({ done: 2 }),
  });
  await tick(user, 'A-1', 'A-2');
  await user.click(bulkBar().getByText('Set limits or rule'));
  const form = await dialog('Set fields of 2 listings');
  await user.click(form.getByLabelText('Set rule'));
  await form.findByText('Calculating the impact');
  const save = form.getByRole<HTMLButtonElement>('button', { name: 'Save 2 listings' });
  expect(save.disabled).toBe(true);
  await waitFor(() =>
    expect(bodies(IMPACT)).toEqual([{ selection: { ids: ['1', '2'] }, fields: { ruleId: null } }]),
  );
  await vi.advanceTimersByTimeAsync(4_000);
  await waitFor(() => expect(save.disabled).toBe(false));
  await user.click(save);
  await waitFor(() => expect(bodies(EDIT)).toHaveLength(1));
});

test('limits of one listing: only changed ones are sent, with the version that was seen', async () => {
  const { user, bodies } = openListings({
    'GET /api/rules': { body: { rules: [], timeZone: null } },
    'PUT /api/listings/1': { body: { ...THREE[0], minPrice: '16.00', version: 4 } },
  });
  await user.click((await rowOf('A-1')).getByLabelText('Actions for A-1'));
  await user.click(await screen.findByRole('menuitem', { name: 'Set limits...' }));
  const form = await dialog('Limits of A-1');
  await user.type(form.getByLabelText('Minimum price'), '16');
  await user.type(form.getByLabelText('Maximum price'), '15');
  await user.click(form.getByRole('button', { name: 'Save limits' }));
  expect(form.getByText(/at or above the minimum price/)).toBeTruthy();
  await user.clear(form.getByLabelText('Maximum price'));
  await user.click(form.getByRole('button', { name: 'Save limits' }));
  await waitFor(() =>
    expect(bodies('PUT /api/listings/1')).toEqual([{ version: 3, fields: { minPrice: '16.00' } }]),
  );
  await pressUndo(user);
  await waitFor(() =>
    expect(bodies('PUT /api/listings/1').at(-1)).toEqual({ version: 4, fields: { minPrice: null } }),
  );
});

const COSTS = {
  listingId: '1',
  marketplace: 'walmart',
  sku: 'A-1',
  title: 'Coffee mug',
  fulfillmentType: 'FBM',
  currentPrice: '20.00',
  isBundle: false,
  version: 3,
  skuVersion: 8,
  parts: [
    { part: 'product', amount: '4.50', source: 'sku', sourceText: 'SKU A-1', readOnly: null },
    {
      part: 'shipping',
      amount: '3.99',
      source: 'tier',
      sourceText: 'Shipping tier for 12 oz',
      readOnly: null,
    },
    {
      part: 'fulfillment',
      amount: null,
      source: 'none',
      sourceText: '',
      readOnly: 'FBM has no fulfillment fee.',
    },
    { part: 'packaging', amount: '0.40', source: 'sku', sourceText: 'SKU A-1', readOnly: null },
    { part: 'misc', amount: '0.00', source: 'sku', sourceText: 'SKU A-1', readOnly: null },
  ],
  totalCost: '8.89',
  missing: [],
  gaps: [],
  others: [],
};

test('Edit Costs opens the cost breakdown; the list updates after saving', async () => {
  const { user, bodies, calls } = openListings({
    'GET /api/listings/1/costs': { body: COSTS },
    'PUT /api/listings/1/costs': { body: { costs: COSTS, belowMarginFloorCount: 0, belowMarginFloor: [] } },
  });
  await user.click((await rowOf('A-1')).getByLabelText('Actions for A-1'));
  await user.click(await screen.findByRole('menuitem', { name: 'Edit Costs' }));
  const form = await dialog('Cost Breakdown');
  expect(await form.findByText('$8.89')).toBeTruthy();
  await user.clear(form.getByLabelText('Product Cost'));
  await user.type(form.getByLabelText('Product Cost'), '5.25');
  expect(form.getByText('$9.64')).toBeTruthy();
  const reads = () =>
    calls().filter((call) => call.startsWith('GET /api/listings?') || call === 'GET /api/listings').length;
  const before = reads();
  await user.click(form.getByRole('button', { name: 'Save Costs' }));
  await screen.findByText('Costs saved');
  expect(bodies('PUT /api/listings/1/costs')).toEqual([{ version: 3, skuVersion: 8, product: '5.25' }]);
  await waitFor(() => expect(reads()).toBeGreaterThan(before));
});

test('an address may open one field for all listed listings; closing removes it', async () => {
  const { user, bodies, where } = openListings(
    {
      'GET /api/listings?problem=no_fulfillment_cost': pageOf(THREE, 3),
      [IMPACT]: { body: { ...NO_IMPACT, listings: 3 } },
      [EDIT]: outcome({ done: 3 }),
    },
    '/listings?problem=no_fulfillment_cost&set=fulfillmentCost',
  );
  const form = await dialog(/^Set fields of/);
  await user.type(form.getByLabelText('FBA/WFS fee'), '3.10');
  await waitFor(() => expect(bodies(IMPACT).at(-1)).toMatchObject({ fields: { fulfillmentCost: '3.10' } }));
  await form.findByText('Impact on 3 listings');
  await user.click(form.getByRole('button', { name: /^Save/ }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bodies(EDIT)).toEqual([
    {
      selection: { filter: { problem: 'no_fulfillment_cost' }, expected: 3 },
      fields: { fulfillmentCost: '3.10' },
    },
  ]);
  expect(where()).toBe('/listings?problem=no_fulfillment_cost');
});

test('Set fields is in the address: Back closes it and keeps the selection, Forward opens it again', async () => {
  const { user, where, router } = openListings();
  await tick(user, 'A-1', 'A-2');
  await user.click(bulkBar().getByText('Set limits or rule'));
  await dialog('Set fields of 2 listings');
  expect(where()).toBe('/listings?set=selected');
  act(() => router.history.back());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bulkBar().getByText('Set limits or rule')).toBeTruthy();
  act(() => router.history.forward());
  await dialog('Set fields of 2 listings');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(where()).toBe('/listings'));
});

test('Set fields of all that match: a link and a reload open it', async () => {
  const { user, where } = await openMatching({});
  await user.click(bulkBar().getByText('Set limits or rule'));
  await dialog('Set fields of 1,240 listings');
  const address = where();
  expect(address).toBe('/listings?marketplace=walmart&set=all');
  cleanup();
  openListings({ 'GET /api/listings?marketplace=walmart': pageOf(THREE, 1240) }, address);
  await dialog('Set fields of 1,240 listings');
});

test.each(['set=selected', 'set=all', 'set=margin', 'limits=9'])(
  'a link to %s that names nothing here is reported and forgotten',
  async (requested) => {
    const { where } = openListings({}, `/listings?${requested}`);
    expect(await screen.findByText(/^Could not open (Set fields|the limits)$/)).toBeTruthy();
    await waitFor(() => expect(where()).toBe('/listings'));
    expect(screen.queryByRole('dialog')).toBeNull();
  },
);

test('Set limits is in the address, and a link opens it for a listing on another page', async () => {
  const { user, where, router } = openListings();
  await user.click((await rowOf('A-2')).getByLabelText('Actions for A-2'));
  await user.click(await screen.findByRole('menuitem', { name: 'Set limits...' }));
  await dialog('Limits of A-2');
  expect(where()).toBe('/listings?limits=2');
  act(() => router.history.back());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  cleanup();
  openListings({ 'GET /api/listings/9': { body: aListing({ id: '9', sku: 'A-9' }) } }, '/listings?limits=9');
  await dialog('Limits of A-9');
});
