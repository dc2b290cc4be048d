import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { View } from '#contract/views.ts';
import { type Answers, aUser, refusal } from '#tests/support/fake-api.ts';
import {
  aListing,
  aRule,
  openListings,
  pageOf,
  pressUndo,
  rowOf,
  THREE,
} from '#tests/support/listings-screen.tsx';

afterEach(() => vi.unstubAllGlobals());

const THIN: View = {
  id: '7',
  list: 'listings',
  name: 'Thin',
  isShared: false,
  isMine: true,
  owner: 'Sam Seller',
  version: 3,
  query: { margin: 'below_5', sort: '-margin' },
  layout: { order: [], hidden: ['totalCost'], widths: {}, density: null },
};
const SHARED: View = {
  ...THIN,
  id: '8',
  name: 'Etsy',
  isShared: true,
  isMine: false,
  owner: 'Ann Arbor',
  query: { marketplace: 'etsy' },
};
const LIST = 'GET /api/views?list=listings';
const ADDRESS = '/listings?margin=below_5&sort=-margin&view=7';

/** A server that stores its views. */
function open(address = '/listings', answers: Answers = {}, role: 'user' | 'admin' = 'user') {
  let views: View[] = [THIN, SHARED];
  const page = pageOf(THREE);
  return openListings(
    {
      'GET /api/user': { body: aUser({ role }) },
      [LIST]: () => ({ body: { views } }),
      'POST /api/views': (sent) => {
        views = [...views, { ...THIN, ...(sent as object), id: '9', version: 1 }];
        return { status: 201, body: { id: '9' } };
      },
      'PUT /api/views/7': (sent) => {
        const { version } = sent as View;
        views = views.map((view) =>
          view.id === '7' ? { ...view, ...(sent as object), version: version + 1 } : view,
        );
        return { body: {} };
      },
      'DELETE /api/views/7': () => {
        views = views.filter(({ id }) => id !== '7');
        return { body: {} };
      },
      'POST /api/views/7/restore': () => {
        views = [THIN, ...views];
        return { body: {} };
      },
      ...Object.fromEntries(
        [
          '?margin=below_5&sort=-margin',
          '?margin=below_5&sort=-margin&marketplace=ebay',
          '?marketplace=ebay&margin=below_5&sort=-margin',
          '?marketplace=etsy',
          '?marketplace=ebay',
          '?state=attention',
          '?q=mug',
        ].map((query) => [`GET /api/listings${query}`, page]),
      ),
      ...answers,
    },
    address,
  );
}

const tabs = async () => within(await screen.findByRole('navigation', { name: 'Views of listings' }));
const tab = async (name: string | RegExp) => (await tabs()).findByRole('link', { name });
const headers = (): string[] =>
  screen.getAllByRole('columnheader').map(({ textContent }) => textContent?.trim() ?? '');

describe('saved views', () => {
  test("tabs: all listings, what needs attention, the user's own, and shared ones", async () => {
    open();
    await tab('Thin');
    const links = (await tabs()).getAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['All listings', '/listings'],
      ['Needs attention', '/listings?state=attention&view=attention'],
      ['Losing money', '/listings?state=loses_money&sort=profit30&view=losing'],
      ['Needs review', '/listings?state=recommended&view=review'],
      ['Thin', '/listings?margin=below_5&sort=-margin&view=7'],
      ['Etsy, shared by Ann Arbor', '/listings?marketplace=etsy&view=8'],
    ]);
    expect(links.map((link) => link.getAttribute('aria-current'))).toEqual(['page', ...Array(5).fill(null)]);
    expect(screen.queryByText('Modified')).toBeNull();
  });

  test('a view applies its filter, order and columns', async () => {
    const { user, bodies } = open();
    await screen.findByRole('columnheader', { name: /^Total Cost/ });
    await user.click(await tab('Thin'));
    await waitFor(() => expect(headers().some((name) => name.startsWith('Total Cost'))).toBe(false));
    expect(bodies('GET /api/listings?margin=below_5&sort=-margin')).toHaveLength(1);
    expect((await tab('Thin')).getAttribute('aria-current')).toBe('page');
    expect(screen.queryByText('Modified')).toBeNull();
    await user.click(await tab('All listings'));
    await screen.findByRole('columnheader', { name: /^Total Cost/ });
  });

  test('a changed filter marks it as modified; Discard reverts it, Save stores it', async () => {
    const { user, bodies, where } = open(ADDRESS);
    await tab('Thin');
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Marketplace' }), 'ebay');
    expect(await screen.findByText('Modified')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(screen.queryByText('Modified')).toBeNull());
    expect(where()).toBe(ADDRESS);

    await user.selectOptions(screen.getByRole('combobox', { name: 'Marketplace' }), 'ebay');
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByText('Modified')).toBeNull());
    expect(bodies('PUT /api/views/7')[0]).toMatchObject({
      name: 'Thin',
      version: 3,
      isShared: false,
      query: { margin: 'below_5', sort: '-margin', marketplace: 'ebay' },
    });
  });

  test('columns belong to the view: changed ones mark it, and are saved with it', async () => {
    const { user, bodies } = open(ADDRESS);
    await tab('Thin');
    await user.click(await screen.findByRole('button', { name: 'Columns' }));
    await user.click(screen.getByRole('checkbox', { name: 'Fulfillment' }));
    await user.click(screen.getByRole('radio', { name: 'Compact' }));
    await user.keyboard('{Escape}');
    expect(await screen.findByText('Modified')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByText('Modified')).toBeNull());
    expect(bodies('PUT /api/views/7')[0]).toMatchObject({
      layout: { hidden: ['totalCost', 'fulfillment'], density: 'compact' },
    });
    expect(headers().some((name) => name.startsWith('Fulfillment'))).toBe(false);
    await user.click(await tab('All listings'));
    await screen.findByRole('columnheader', { name: /^Fulfillment/ });
  });

  test('the current list is saved under a name, and that view is then active', async () => {
    const { user, bodies, where } = open('/listings?q=mug');
    await tab('Thin');
    await user.click(await screen.findByRole('button', { name: 'Save as a view' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Save as a view' }));
    expect(dialog.queryByRole('checkbox', { name: 'Share with everyone' })).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Save view' }));
    expect(dialog.getByText('Enter a name, such as "Thin margins"')).toBeTruthy();
    await user.type(dialog.getByLabelText('Name'), ' Mugs ');
    await user.click(dialog.getByRole('button', { name: 'Save view' }));
    expect((await tab('Mugs')).getAttribute('aria-current')).toBe('page');
    expect(where()).toBe('/listings?q=mug&view=9');
    expect(bodies('POST /api/views')[0]).toMatchObject({
      list: 'listings',
      name: 'Mugs',
      query: { q: 'mug' },
      isShared: false,
    });
    expect(screen.queryByText('Modified')).toBeNull();
  });

  test('a duplicate name is an error of the field', async () => {
    const taken = 'A view named "Thin" already exists. Choose another name.';
    const { user } = open('/listings?q=mug', {
      'POST /api/views': refusal(409, 'conflict', taken, { name: taken }),
    });
    await user.click(await screen.findByRole('button', { name: 'Save as a view' }));
    await user.type(screen.getByLabelText('Name'), 'Thin{Enter}');
    expect(await screen.findByText(taken)).toBeTruthy();
    expect(screen.getByLabelText('Name').getAttribute('aria-invalid')).toBe('true');
  });

  test('rename, and share as an administrator', async () => {
    const { user, bodies } = open(ADDRESS, {}, 'admin');
    await user.click(await screen.findByRole('button', { name: 'Options of the view Thin' }));
    await user.click(screen.getByRole('menuitem', { name: 'Rename or share' }));
    const name = await screen.findByLabelText('Name');
    await user.clear(name);
    await user.type(name, 'Thinner');
    await user.click(screen.getByRole('checkbox', { name: 'Share with everyone' }));
    await user.click(screen.getByRole('button', { name: 'Save view' }));
    await tab('Thinner, shared');
    expect(bodies('PUT /api/views/7')[0]).toEqual({
      name: 'Thinner',
      isShared: true,
      version: 3,
      query: THIN.query,
      layout: THIN.layout,
    });
  });

  test('a deleted view disappears at once, and Undo restores it', async () => {
    const { user, where } = open(ADDRESS);
    await user.click(await screen.findByRole('button', { name: 'Options of the view Thin' }));
    await user.click(screen.getByRole('menuitem', { name: 'Delete view' }));
    await waitFor(async () => expect((await tabs()).queryByRole('link', { name: 'Thin' })).toBeNull());
    expect(where()).toBe('/listings');
    expect(document.activeElement).toBe(await tab('All listings'));
    await pressUndo(user);
    await tab('Thin');
  });

  test("another user's shared view cannot be changed, but saved as a copy", async () => {
    const { user } = open('/listings?marketplace=etsy&view=8');
    await tab(/^Etsy/);
    expect(screen.queryByRole('button', { name: /^Options of the view/ })).toBeNull();
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Marketplace' }), 'ebay');
    await screen.findByText('Modified');
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Save as' })).toBeTruthy();
  });

  test('an address with a deleted view shows the list with its filters', async () => {
    open('/listings?marketplace=etsy&view=99');
    expect((await tab('All listings')).getAttribute('aria-current')).toBe('page');
    // Without a view nothing is modified.
    expect(screen.queryByText('Modified')).toBeNull();
    expect(screen.getByRole('button', { name: 'Save as a view' })).toBeTruthy();
  });

  test('the predefined view cannot be overwritten', async () => {
    const { user, where } = open('/listings?state=attention&view=attention');
    expect((await tab('Needs attention')).getAttribute('aria-current')).toBe('page');
    await user.selectOptions(await screen.findByLabelText('Marketplace'), 'eBay');
    await screen.findByText('Modified');
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(where()).toBe('/listings?state=attention&view=attention'));
  });

  test('views that failed to load are shown as missing; the list stays', async () => {
    open('/listings', { [LIST]: refusal(503, 'unavailable', 'The database is away.') });
    expect(await screen.findByText('Failed to load the saved views.')).toBeTruthy();
    expect(await screen.findByRole('columnheader', { name: /^Total Cost/ })).toBeTruthy();
  });
});

test.each([
  ['sort=-profit30', 'descending'],
  ['sold=loss', null],
])('the profit of 30 days is shown while the list is by it: %s', async (search, order) => {
  openListings({ [`GET /api/listings?${search}`]: pageOf([aListing()]) }, `/listings?${search}`);
  await rowOf('A-1');
  const header = screen.getByRole('columnheader', { name: /^Profit 30 d/ });
  expect(header.getAttribute('aria-sort')).toBe(order);
});

test('the margin floor and the rule are optional columns; the rule links to its page', async () => {
  const { user } = openListings({
    'GET /api/listings': pageOf([
      aListing({ marginFloor: '14.29', rule: aRule({ id: '3', name: 'Beat all' }) }),
    ]),
  });
  await rowOf('A-1');
  expect(screen.queryByRole('columnheader', { name: /^Margin floor/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  await user.click(screen.getByRole('checkbox', { name: 'Margin floor' }));
  await user.click(screen.getByRole('checkbox', { name: 'Rule' }));
  await user.keyboard('{Escape}');
  screen.getByRole('cell', { name: '$14.29' });
  expect(screen.getByRole('link', { name: 'Beat all' }).getAttribute('href')).toBe('/rules/3');
});

test('brand, supplier and tags are optional columns, and filters with several values', async () => {
  const counts = (of: string, ...labels: [string, number][]) => ({
    [`GET /api/listings/labels?of=${of}`]: {
      body: { labels: labels.map(([label, count]) => ({ label, count })), isCut: false, none: 3 },
    },
  });
  const rows = pageOf([aListing({ brand: 'Acme', supplier: 'Midwest', tags: ['sale', 'new'] })]);
  const { user, where } = openListings({
    'GET /api/listings': rows,
    ...counts('supplier', ['Midwest', 12], ['Loom & Co', 4]),
    'GET /api/listings?supplier=Midwest': rows,
    'GET /api/listings?supplier=Midwest%7CLoom+%26+Co': rows,
    'GET /api/listings?supplier=Midwest%7CLoom+%26+Co%7C': rows,
    'GET /api/listings?supplier=Loom+%26+Co%7C': rows,
  });
  await rowOf('A-1');
  expect(screen.queryByRole('columnheader', { name: /^Supplier/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  await user.click(screen.getByRole('checkbox', { name: 'Supplier' }));
  await user.keyboard('{Escape}');
  screen.getByRole('columnheader', { name: /^Supplier/ });
  screen.getByRole('cell', { name: 'Midwest' });

  await user.click(screen.getByRole('button', { name: 'Filters' }));
  await user.click(await screen.findByRole('button', { name: 'Supplier Any supplier' }));
  const choices = within(await screen.findByRole('list', { name: 'Supplier to show' }));
  expect(choices.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Midwest12',
    'Loom & Co4',
    'No supplier3',
  ]);
  for (const label of ['Midwest', 'Loom & Co', 'No supplier']) {
    await user.click(choices.getByRole('checkbox', { name: label }));
  }
  await waitFor(() => expect(where()).toBe('/listings?filters=1&supplier=Midwest%7CLoom+%26+Co%7C'));
  await user.click(choices.getByRole('checkbox', { name: 'Midwest' }));
  await waitFor(() => expect(where()).toBe('/listings?filters=1&supplier=Loom+%26+Co%7C'));
  await user.keyboard('{Escape}');
  const pills = screen.getByRole('list', { name: 'Active filters' });
  expect(pills.textContent).toBe('Supplier: Loom & Co, No supplier');
});

test('what a unit and the last sales earn can be shown, with where the fees are from', async () => {
  const earning = aListing({
    profit: '3.50',
    feeRate: '15.00',
    feeTold: { at: '2026-11-20T10:00:00.000Z', price: '21.00' },
    sold: { units: 12, profit: '40.00', sales: 10, known: 9, told: 3 },
  });
  const { user } = openListings({
    'GET /api/listings': pageOf([
      earning,
      aListing({ id: '2', sku: 'A-2' }),
      aListing({
        id: '3',
        sku: 'A-3',
        feeRate: '12.00',
        ownFeeRate: '12.00',
        sold: { units: 0, profit: '-50.00', sales: 0, known: 0, told: 0 },
      }),
      aListing({
        id: '4',
        sku: 'A-4',
        feeRate: '8.00',
        feeTold: { at: '2020-11-20T10:00:00.000Z', price: '22.00' },
      }),
    ]),
  });
  await rowOf('A-1');
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  for (const name of ['Profit', 'Fee %', 'Units 30 d', 'Profit 30 d']) {
    await user.click(screen.getByRole('checkbox', { name }));
  }
  await user.keyboard('{Escape}');
  const row = await rowOf('A-1');
  row.getByRole('cell', { name: 'about $3.50' });
  row.getByRole('cell', { name: /^15\.0%.*21\.00/ });
  const sales = row.getByRole('link', { name: 'about $40.00' });
  expect(sales.getAttribute('href')).toBe('/profit?by=sale&listing=1');
  expect((await rowOf('A-2')).getAllByRole('cell', { name: 'not available' }).length).toBeGreaterThan(2);
  // Storage was charged, and nothing sold.
  const charged = await rowOf('A-3');
  charged.getByRole('cell', { name: '−$50.00' });
  charged.getByRole('cell', { name: /^12\.0%.*own commission/ });
  (await rowOf('A-4')).getByRole('cell', { name: /^8\.0%.*22\.00.*over 30 days ago/ });
});
