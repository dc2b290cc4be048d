import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { refusal } from '#tests/support/fake-api.ts';
import {
  aListing,
  aRule,
  closeNetwork,
  openListings,
  pageOf,
  rowOf,
  THREE,
  tick,
} from '#tests/support/listings-screen.tsx';
import { setViewport } from '#tests/support/web-setup.ts';
import { noteChange } from '#web/lib/live-changes.ts';

afterEach(closeNetwork);

test('the columns of the specification, in its order; nine of them sort', async () => {
  openListings();
  await rowOf('A-1');
  const headers = screen.getAllByRole('columnheader').slice(1);
  expect(headers.map((header) => header.textContent)).toEqual([
    'Marketplace',
    'SKU',
    'Product',
    'Your Price',
    'AMZ/WMT',
    '3PL FBA/WFS',
    '3PL FBM',
    'Total Cost',
    'Margin %',
    'Fulfillment',
    'Auto-Reprice',
    'Actions',
  ]);
  expect(headers.filter((header) => within(header).queryByRole('button') !== null)).toHaveLength(9);
});

test('a row as text: unknown values say so, a margin names its level', async () => {
  openListings({
    'GET /api/listings': pageOf([
      aListing({ margin: '4.96' }),
      aListing({ id: '2', sku: 'B', margin: '-2.00' }),
    ]),
  });
  const row = await rowOf('A-1');
  expect(row.getAllByRole('cell').map((cell) => cell.textContent)).toEqual([
    '',
    'Walmart',
    'CMCoffee mug',
    '$20.00',
    '$21.00',
    '\u2013not available',
    '$19.50, the price your rule reacts to',
    '$12.00',
    '5.0%Critical',
    'FBM',
    '',
    '',
  ]);
  expect((await rowOf('B')).getByText('Loss').parentElement?.textContent).toBe('Loss\u22122.0%Critical');
});

test('the worst state of a listing is one badge without a link, with the fix and the other states', async () => {
  openListings({
    'GET /api/listings': pageOf([
      aListing({
        outcome: 'blocked',
        reasonCode: 'unknown_cost',
        gaps: ['no_weight'],
        marginFloor: null,
      }),
      aListing({
        id: '2',
        sku: 'A-2',
        marginFloor: '20.00',
        awaitingUploadSince: '2026-11-20T10:00:00.000Z',
      }),
      aListing({ id: '3', sku: 'A-3', hold: { until: null, by: 'Sam', reason: 'Sale' } }),
      aListing({ id: '4', sku: 'A-4', rule: null, reasonCode: 'no_rule' }),
      aListing({ id: '5', sku: 'A-5', rule: null, outcome: null, reasonCode: null, decidedAt: null }),
      aListing({ id: '6', sku: 'A-6', marginFloor: '100.00' }),
      aListing({ id: '7', sku: 'A-7', reasonCode: 'price_war' }),
      aListing({ id: '8', sku: 'A-8', reasonCode: 'held_by_limit' }),
      aListing({
        id: '10',
        sku: 'A-10',
        marginFloor: '20.00',
        rule: aRule({ strategy: 'Fixed Margin' }),
      }),
      aListing({
        id: '11',
        sku: 'A-11',
        marginFloor: '20.00',
        competitorPrice: null,
        rule: aRule({ noCompetitor: 'floor' }),
      }),
      aListing({ id: '12', sku: 'A-12', marginFloor: '20.00', rule: aRule({ noCompetitor: 'floor' }) }),
      aListing({
        id: '13',
        sku: 'A-13',
        marginFloor: '20.00',
        rule: aRule({ strategy: 'Fixed Margin', hasLines: true }),
      }),
      aListing({ id: '14', sku: 'A-14', marginFloor: '20.00', competitorPrice: '20.00' }),
      aListing({ id: '15', sku: 'A-15', marginFloor: '30.00', profit: '-5.62', margin: '-28.10' }),
      aListing({ id: '9', sku: 'A-9', outcome: 'blocked', reasonCode: 'gone', gaps: ['no_weight'] }),
    ]),
  });
  const blocked = await rowOf('A-1');
  expect(blocked.getByText(/^No weight/).textContent).toContain(
    'Enter the weight of the SKU, or a shipping cost for the listing.',
  );
  expect(blocked.queryByRole('link', { name: /^No weight/ })).toBeNull();
  expect((await rowOf('A-2')).getByText('At margin floor').textContent).toBe(
    'At margin floor. Also: To upload.',
  );
  expect((await rowOf('A-14')).queryByText('At margin floor')).toBeNull();
  const loses = (await rowOf('A-15')).getByText('Loses $5.62 a sale');
  expect(loses.textContent).toMatch(/Also: Below margin floor\. .*The margin floor is \$30\.00\.$/);
  expect((await rowOf('A-3')).getByText(/On hold until resumed by Sam: Sale/)).toBeTruthy();
  expect((await rowOf('A-4')).getByText('No rule')).toBeTruthy();
  expect((await rowOf('A-5')).queryByText('No rule')).toBeNull();
  const below = (await rowOf('A-6')).getByText('Below margin floor');
  expect(below.textContent).toContain('The margin floor is $100.00.');
  expect((await rowOf('A-7')).getByText('Price war')).toBeTruthy();
  expect((await rowOf('A-8')).getByText('Capped by limit')).toBeTruthy();
  expect((await rowOf('A-10')).queryByText('At margin floor')).toBeNull();
  expect((await rowOf('A-11')).queryByText('At margin floor')).toBeNull();
  expect((await rowOf('A-12')).getByText('At margin floor')).toBeTruthy();
  expect((await rowOf('A-13')).getByText('At margin floor')).toBeTruthy();
  expect((await rowOf('A-9')).getByText(/^Not found on Walmart/)).toBeTruthy();
});

test('sort, filters and search are sent to the server and are in the address', async () => {
  const { user, where, calls } = openListings({
    'GET /api/listings?sort=-margin': pageOf(THREE),
    'GET /api/listings?sort=margin': pageOf(THREE),
    'GET /api/listings?marketplace=ebay&sort=-margin': pageOf(THREE.slice(1, 2)),
    'GET /api/listings?marketplace=ebay&fulfillment=FBM&sort=-margin': pageOf(THREE.slice(1, 2)),
    'GET /api/listings?q=00123&marketplace=ebay&fulfillment=FBM&sort=-margin': pageOf([]),
  });
  await rowOf('A-1');
  await user.click(screen.getByRole('button', { name: 'Margin %' }));
  await waitFor(() => expect(where()).toBe('/listings?sort=margin'));
  await user.click(screen.getByRole('button', { name: 'Margin %' }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Marketplace' }), 'eBay');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Fulfillment' }), 'FBM Only');
  await user.type(screen.getByRole('searchbox'), '00123');
  await screen.findByText('No listings match this search and these filters.');
  expect(where()).toBe('/listings?q=00123&marketplace=ebay&fulfillment=FBM&sort=-margin');
  expect(calls()).toContain('GET /api/listings?q=00123&marketplace=ebay&fulfillment=FBM&sort=-margin');
});

test('an address restores its state; each filter is a pill with a remove button', async () => {
  const query = '?problem=no_weight&state=blocked&page=2';
  const { user, where } = openListings(
    {
      'GET /api/listings?state=blocked&problem=no_weight&page=2': pageOf(THREE, 60),
      'GET /api/listings?problem=no_weight': pageOf(THREE),
      'GET /api/listings': pageOf(THREE),
    },
    `/listings${query}`,
  );
  await screen.findByText('Page 2 of 2');
  const pills = within(screen.getByRole('list', { name: 'Active filters' }));
  expect(pills.getAllByRole('listitem').map((pill) => pill.textContent)).toEqual([
    'State: Cannot be repriced',
    'Problem: No weight',
  ]);
  expect(screen.getByRole('button', { name: 'Filters (2)' })).toBeTruthy();
  await user.click(pills.getByRole('button', { name: 'Remove filter State: Cannot be repriced' }));
  await waitFor(() => expect(where()).toBe('/listings?problem=no_weight'));
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(where()).toBe('/listings'));
});

test('a filter that a rule can have offers a rule for these listings', async () => {
  openListings({ 'GET /api/listings?supplier=Acme': pageOf(THREE) }, '/listings?supplier=Acme');
  const link = await screen.findByRole('link', { name: 'Create rule for these' });
  expect(link.getAttribute('href')).toBe('/rules/new?supplier=Acme');
});

test('a filter that a rule cannot have offers none', async () => {
  const query = '?problem=no_weight&supplier=Acme';
  openListings({ [`GET /api/listings${query}`]: pageOf(THREE) }, `/listings${query}`);
  await rowOf('A-1');
  expect(screen.queryByRole('link', { name: 'Create rule for these' })).toBeNull();
});

test('an account without listings sees what appears here and how to start', async () => {
  openListings({ 'GET /api/listings': pageOf([]) });
  const start = await screen.findByRole('link', { name: 'Import listings' });
  expect(start.getAttribute('href')).toBe('/imports/new?kind=listings');
  expect(screen.getByRole('link', { name: 'Download CSV template' }).getAttribute('href')).toBe(
    '/api/imports/template/listings.csv',
  );
  expect(screen.queryByRole('searchbox')).toBeNull();
});

test('no results offer to clear the filters, and not the first steps', async () => {
  const { user, where } = openListings({ 'GET /api/listings?q=zebra': pageOf([]) }, '/listings?q=zebra');
  await screen.findByText('No listings match this search and these filters.');
  expect(screen.queryByText('No listings yet')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  await rowOf('A-1');
  expect(where()).toBe('/listings');
});

test('a list that failed to load shows why and can be retried', async () => {
  let isUp = false;
  const { user } = openListings({
    'GET /api/listings': () =>
      isUp
        ? { body: { rows: THREE, total: 3, isTotalExact: true, emptyColumns: [] } }
        : refusal(503, 'unavailable', 'The database is away.'),
  });
  expect((await screen.findByRole('alert')).textContent).toContain('The database is away.');
  isUp = true;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await rowOf('A-1');
});

test('changed prices are offered, and the list is reloaded on request', async () => {
  const { user, calls } = openListings();
  await rowOf('A-1');
  act(() => noteChange({ kind: 'changed', topic: 'listings', ids: ['1', '2'] }));
  await screen.findByText('2 listings changed.');
  const callout = within(screen.getByText(/listings changed/).parentElement ?? document.body);
  await user.click(callout.getByRole('button', { name: 'Refresh' }));
  await waitFor(() => expect(screen.queryByText('2 listings changed.')).toBeNull());
  expect(calls().filter((call) => call === 'GET /api/listings')).toHaveLength(2);
});

test('export: this page, the selected rows, or all that match, in the order shown', async () => {
  const { user } = openListings(
    { 'GET /api/listings?marketplace=walmart&sort=-margin': pageOf(THREE, 1240) },
    '/listings?marketplace=walmart&sort=-margin',
  );
  await tick(user, 'A-1', 'A-3');
  await user.click(screen.getByRole('button', { name: 'Export' }));
  const links = (await screen.findAllByRole('menuitem')).map((item) => [
    item.textContent,
    item.getAttribute('href'),
  ]);
  const columns =
    'columns=marketplace%2Csku%2Cproduct%2Cprice%2CamazonWalmart%2CthirdPartyFbaWfs%2CthirdPartyFbm%2CtotalCost%2Cmargin%2Cfulfillment%2CautoReprice';
  expect(links).toEqual([
    [
      'This page3 listings',
      `/api/listings/export.csv?marketplace=walmart&sort=-margin&ids=1%2C2%2C3&${columns}`,
    ],
    ['Selected2 listings', `/api/listings/export.csv?sort=-margin&ids=1%2C3&${columns}`],
    ['All matching1,240 listings', `/api/listings/export.csv?marketplace=walmart&sort=-margin&${columns}`],
    ['This page3 listings', '/api/listings/export.csv?marketplace=walmart&sort=-margin&ids=1%2C2%2C3'],
    ['Selected2 listings', '/api/listings/export.csv?sort=-margin&ids=1%2C3'],
    ['All matching1,240 listings', '/api/listings/export.csv?marketplace=walmart&sort=-margin'],
  ]);
});

test('the menu of a row starts with the four entries of the specification', async () => {
  const { user } = openListings();
  await user.click((await rowOf('A-2')).getByRole('button', { name: 'Actions for A-2' }));
  const entries = screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
  expect(entries).toEqual([
    ...['View AnalyticsO', 'Edit Costs', 'View History', 'Update PriceE'],
    ...['Why this priceEnter', 'Set limits...', 'Put on hold...', 'Delete listing...'],
  ]);
  const href = (name: string) => screen.getByRole('menuitem', { name }).getAttribute('href');
  expect(href('View History')).toBe('/history?listing=2');
  expect(href('Why this price')).toBe('/listings/2/why');
});

test('Edit Costs and Update Price are in the address, and closing removes them', async () => {
  const { user, where } = openListings();
  await user.click((await rowOf('A-2')).getByRole('button', { name: 'Actions for A-2' }));
  await user.click(screen.getByRole('menuitem', { name: 'Edit Costs' }));
  await screen.findByRole('dialog');
  expect(where()).toBe('/listings?costs=2');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(where()).toBe('/listings'));
  const menu = (await rowOf('A-2')).getByRole('button', { name: 'Actions for A-2' });
  await waitFor(() => expect(document.activeElement).toBe(menu));
  await user.click(menu);
  await user.click(screen.getByRole('menuitem', { name: 'Update Price' }));
  const editor = await screen.findByRole('textbox', { name: 'New price of A-2' });
  expect(where()).toBe('/listings?price=2');
  expect(document.activeElement).toBe(editor);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(where()).toBe('/listings'));
});

test('an address opens the costs of a listing, or the price editor', async () => {
  openListings({}, '/listings?price=3');
  expect(await screen.findByRole('textbox', { name: 'New price of A-3' })).toBeTruthy();
});

test('an address with a price on another page shows a message and is cleared', async () => {
  const { where } = openListings({}, '/listings?price=99');
  expect(await screen.findByText('This listing is not on the current page')).toBeTruthy();
  await waitFor(() => expect(where()).toBe('/listings'));
});

test('on a narrow screen listings are cards, and the filters are in a sheet', async () => {
  setViewport(390);
  const { user, where } = openListings({ 'GET /api/listings?marketplace=ebay': pageOf(THREE.slice(1, 2)) });
  expect(await screen.findByText('Coffee mug')).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Filters' }));
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Marketplace' }), 'eBay');
  expect(where()).toBe('/listings?filters=1&marketplace=ebay');
  await user.click(await screen.findByRole('button', { name: 'Show 1 result' }));
  await waitFor(() => expect(where()).toBe('/listings?marketplace=ebay'));
  expect(screen.getByText('Paint set')).toBeTruthy();
});

test('a card opens every state of its listing, with what a tooltip says on a wide screen', async () => {
  setViewport(390);
  const losing = aListing({
    outcome: 'blocked',
    reasonCode: 'unknown_cost',
    gaps: ['no_weight'],
    marginFloor: null,
    profit: '-5.62',
    margin: '-28.10',
  });
  const { user } = openListings({ 'GET /api/listings': pageOf([losing]) });
  await user.click(await screen.findByRole('button', { name: /more figures$/ }));
  const names = screen.getAllByRole('term').map(({ textContent }) => textContent);
  expect(names.slice(0, 2)).toEqual(['Loses $5.62 a sale', 'No weight']);
  const [, fix] = screen.getAllByRole('definition');
  expect(fix?.textContent).toMatch(/weight of the SKU/);
});

test('the export is in the address: Back closes it, a link opens it', async () => {
  const { user, where, router } = openListings();
  await rowOf('A-2');
  const button = screen.getByRole('button', { name: 'Export' });
  await user.click(button);
  await screen.findByRole('menu');
  expect(where()).toBe('/listings?export=1');
  act(() => router.history.back());
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  act(() => router.history.forward());
  await screen.findByRole('menu');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(where()).toBe('/listings'));
  await waitFor(() => expect(document.activeElement).toBe(button));
});

test('an export without rows is removed from the address', async () => {
  const { where } = openListings({ 'GET /api/listings': pageOf([]) }, '/listings?export=1');
  await waitFor(() => expect(where()).toBe('/listings'));
  expect(screen.queryByRole('menu')).toBeNull();
});

test('the filters are in the address: one step of Back, whatever was chosen in them', async () => {
  const { user, where, router } = openListings({
    'GET /api/listings?state=attention': pageOf(THREE.slice(1, 2)),
  });
  await rowOf('A-2');
  await user.click(screen.getByRole('button', { name: 'Filters' }));
  const panel = await screen.findByRole('dialog', { name: 'More filters' });
  expect(where()).toBe('/listings?filters=1');
  await user.selectOptions(within(panel).getByRole('combobox', { name: 'State' }), 'attention');
  await waitFor(() => expect(where()).toBe('/listings?filters=1&state=attention'));
  act(() => router.history.back());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(where()).toBe('/listings');
  act(() => router.history.forward());
  await screen.findByRole('dialog', { name: 'More filters' });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(where()).toBe('/listings?state=attention'));
});
