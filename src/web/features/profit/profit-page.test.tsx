import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ProfitSums } from '#contract/profit-sums.ts';
import type { ProfitRow, Sale } from '#contract/sales.ts';
import { type Answers, aUser, refusal, serveApi } from '#tests/support/fake-api.ts';
import { NO_SALES } from '#tests/support/profit-responses.ts';
import { renderApp } from '#tests/support/render-app.tsx';
// Preloaded: its first import is slow on a busy machine.
import './profit-page.tsx';

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-23T12:00:00Z') }));
afterEach(() => vi.useRealTimers());

const SUM: ProfitSums = {
  units: 1_500,
  revenue: '11000.00',
  fees: '1650.00',
  ads: null,
  cost: '5000.00',
  shipping: '700.00',
  refunds: null,
  profit: '1240.55',
  margin: '18.60',
  sales: 1_410,
  known: 1_398,
  told: 1_301,
};
const ROW: ProfitRow = { ...SUM, key: '2026-11-22', listing: null, rule: null, run: null };
const LISTING: ProfitRow = {
  ...SUM,
  key: '7',
  rule: null,
  run: null,
  listing: { marketplace: 'walmart', sku: 'A-1', title: 'Enamel mug', isDeleted: false },
};
const SALE: Sale = {
  id: '1',
  listingId: '7',
  marketplace: 'walmart',
  sku: 'A-1',
  productTitle: 'Enamel mug',
  isListingDeleted: false,
  orderRef: 'O-1',
  lineNumber: 1,
  saleDate: '2026-11-22T12:00:00.000Z',
  quantitySold: 1,
  unitPrice: '20.00',
  totalRevenue: '20.00',
  shippingRevenue: '0.00',
  marketplaceFees: '3.00',
  feesEstimated: '3.00',
  feesTold: null,
  unitCost: null,
  shippingCost: '0.00',
  totalCost: null,
  marginPerUnit: null,
  totalMargin: null,
  adjustment: null,
  ads: null,
  refunds: null,
  restocked: 0,
  parts: [],
  priceSource: 'import',
  ruleId: null,
  runId: null,
  state: 'estimated',
  isPending: false,
  isAbout: true,
  computedAt: '2026-11-22T13:00:00.000Z',
  createdAt: '2026-11-22T12:30:00.000Z',
};
const NOW = 'from=2026-10-25&to=2026-11-23';
const DAYS = `GET /api/profit?group=day&${NOW}&size=400`;
// Without today, which is not over.
const COMPLETE = 'GET /api/profit?group=marketplace&from=2026-10-25&to=2026-11-22&size=25';
const BEFORE = 'GET /api/profit?group=marketplace&from=2026-09-26&to=2026-10-24&size=25';
const TABLE = `GET /api/profit?group=day&${NOW}&sort=-key&page=1&size=50`;
const UNLISTED = { fees: '300.00', ads: '12.40', refunds: null, profit: '-312.40' };
const of = (...rows: ProfitRow[]) => ({ body: { rows, total: rows.length, sum: SUM, unlisted: UNLISTED } });

function open(address: string, answers: Answers = {}) {
  const before = { ...SUM, revenue: '10000.00', profit: '1000.00', margin: '19.70', units: 1_500 };
  const sent = serveApi({
    'GET /api/user': { body: aUser() },
    [DAYS]: of(ROW),
    [COMPLETE]: of(ROW),
    [BEFORE]: { body: { rows: [], total: 0, sum: before, unlisted: null } },
    [TABLE]: of(ROW),
    ...answers,
  });
  const router = renderApp(address);
  return { sent, where: () => router.state.location.href };
}

test('shows the sums of 30 days against the 30 before, and from how many sales they are', async () => {
  open('/profit');
  const card = within(
    await screen.findByRole('region', { name: 'Profit is up 24.1% from the 30 days before' }),
  );
  const cell = (name: string) => card.getByText(name, { selector: 'dt' }).parentElement?.textContent;
  expect(cell('Revenue')).toContain('$11,000.00');
  expect(cell('Revenue')).toContain('Up 10.0%');
  const profit = cell('Profit');
  expect(profit).toContain('about $1,240.55');
  expect(profit).toContain('1,398 of 1,410 sales; 93% with charged fees');
  expect(profit).toContain('Up 24.1%');
  expect(cell('Margin')).toContain('Down 1.1 pts');
  expect(cell('Units')).toContain('Unchanged');
});

test('lists listings by profit, linked to them, and asks the server for another order', async () => {
  const user = userEvent.setup();
  const listed = `GET /api/profit?group=listing&${NOW}`;
  const { where } = open('/profit?by=listing', {
    [`${listed}&page=1&size=50`]: of(LISTING),
    [`${listed}&sort=margin&page=1&size=50`]: of(LISTING),
  });
  const link = await screen.findByRole('link', { name: 'Enamel mug' });
  expect(link.getAttribute('href')).toBe('/listings?q=A-1&marketplace=walmart&panel=7');
  expect(screen.getByRole('link', { name: /1,398 of 1,410/ }).getAttribute('href')).toBe(
    '/profit?by=sale&known=false&listing=7',
  );
  expect(link.closest('tr')?.textContent).toContain('about 18.6%');
  expect(screen.getByText('−$312.40')).toBeTruthy();
  await user.click(within(screen.getByRole('columnheader', { name: /Margin/ })).getByRole('button'));
  await waitFor(() => expect(where()).toContain('sort=margin'));
});

test('lists what set the price: rules and runs linked to them, and other prices by their kind', async () => {
  const user = userEvent.setup();
  const row = (key: string, over: Partial<ProfitRow>): ProfitRow => ({ ...ROW, key, ...over });
  open('/profit?by=rule', {
    [`GET /api/profit?group=rule&${NOW}&page=1&size=50`]: of(
      row('4', { rule: { name: 'Match', isDeleted: false } }),
      row('5', { rule: { name: 'Old rule', isDeleted: true } }),
      row('typed', {}),
    ),
    [`GET /api/profit?group=run&${NOW}&page=1&size=50`]: of(
      row('9', { run: { trigger: 'full_check', startedAt: '2026-11-22T12:00:00.000Z' } }),
      row('none', {}),
    ),
  });
  const name = await screen.findByRole('link', { name: 'Match' });
  expect(name.getAttribute('href')).toBe('/rules/4');
  expect(screen.queryByRole('link', { name: 'Old rule' })).toBeNull();
  const sales = screen
    .getAllByRole('link', { name: /1,398 of 1,410/ })
    .map((link) => link.getAttribute('href'));
  expect(sales).toEqual(['/profit?by=sale&known=false&rule=4', '/profit?by=sale&known=false&rule=5']);
  await user.click(screen.getByRole('tab', { name: 'Runs' }));
  const run = await screen.findByRole('link', { name: /^Run 9/ });
  expect(run.getAttribute('href')).toBe('/runs/9');
});

test('lists sales without profit with what is missing, linked to where it is entered', async () => {
  open('/profit?by=sale&known=false', {
    [`GET /api/sales?known=false&${NOW}&page=1&size=50`]: {
      body: { rows: [SALE], total: 1, lost: null, isLostAbout: false },
    },
  });
  const missing = await screen.findByRole('link', { name: 'Cost unknown' });
  expect(missing.getAttribute('href')).toBe('/skus?q=A-1');
  expect(screen.getByRole('link', { name: 'Export sales' }).getAttribute('href')).toBe(
    `/api/sales/export.csv?known=false&${NOW}`,
  );
});

test('shows a sale part by part, and what restocking does to its profit', async () => {
  const user = userEvent.setup();
  const list = `GET /api/sales?${NOW}&page=1&size=50`;
  const detail = {
    ...SALE,
    quantitySold: 2,
    unitCost: '8.50',
    totalMargin: '-9.00',
    refunds: '20.00',
    productCost: '8.00',
    reconciliation: 'differs',
    parts: [
      { kind: 'commission', estimated: '-3.00', told: '-3.40', reconciliation: 'differs' },
      { kind: 'refund_principal', estimated: null, told: '-20.00', reconciliation: null },
    ],
  };
  const answers = [
    detail,
    { ...detail, restocked: 1, totalMargin: '-1.00', computedAt: '2026-11-23T12:00:01.000Z' },
  ];
  const { sent, where } = open('/profit?by=sale', {
    [list]: { body: { rows: [SALE], total: 1, lost: null, isLostAbout: false } },
    'GET /api/sales/1': () => ({ body: answers.length > 1 ? answers.shift() : answers[0] }),
    'PUT /api/sales/1/restocked': { body: { id: '1', restocked: 1 } },
  });
  const listed = (await screen.findByText('O-1')).closest('tr') as HTMLElement;
  await user.click(within(listed).getAllByRole('link')[0] as HTMLElement);
  const dialog = await screen.findByRole('dialog');
  const row = (await within(dialog).findByText('Commission')).closest('tr') as HTMLElement;
  expect(row.textContent).toContain('$0.40 more');
  expect(within(dialog).getByText('Fees, estimated')).toBeTruthy();
  expect(within(dialog).getByRole('heading', { name: /written off/ })).toBeTruthy();
  const units = within(dialog).getByRole('textbox', { name: 'Units back in stock' });
  await user.clear(units);
  await user.type(units, '3{Enter}');
  expect(units.getAttribute('aria-invalid')).toBe('true');
  await user.clear(units);
  await user.type(units, '1');
  expect(within(dialog).getByRole('status').textContent).toContain('$8.00');
  await user.keyboard('{Enter}');
  await waitFor(() =>
    expect(sent).toContainEqual({ call: 'PUT /api/sales/1/restocked', body: { units: 1 } }),
  );
  expect(await within(dialog).findByText(/\$1\.00/)).toBeTruthy();
  expect(where()).toContain('sale=1');
});

test.each([
  ['20.00', false],
  ['20.01', true],
])('names a sale of which %s of 20.00 was paid back: %s', async (back, isNamed) => {
  const parts = [{ kind: 'refund_principal', estimated: null, told: `-${back}`, reconciliation: null }];
  const paid = { totalRevenue: '20.00', shippingRevenue: '0.00', adjustment: null };
  const sale = { ...SALE, ...paid, refunds: back, productCost: '8.00', reconciliation: null, parts };
  open('/profit?by=sale&sale=1', {
    [`GET /api/sales?${NOW}&page=1&size=50`]: {
      body: { rows: [SALE], total: 1, lost: null, isLostAbout: false },
    },
    'GET /api/sales/1': { body: sale },
  });
  const dialog = await screen.findByRole('dialog');
  await within(dialog).findByText('What it earned');
  expect(within(dialog).queryAllByText(/paid back/)).toHaveLength(isNamed ? 1 : 0);
});

test('shows a period by its name, or chosen days, each with what it is compared with', async () => {
  const month = 'from=2026-10-01&to=2026-10-31';
  const requested = [
    `GET /api/profit?group=marketplace&${month}&marketplace=etsy&size=25`,
    `GET /api/profit?group=day&${month}&marketplace=etsy&size=400`,
    'GET /api/profit?group=marketplace&from=2026-09-01&to=2026-09-30&marketplace=etsy&size=25',
  ];
  const { sent } = open('/profit?period=last-month&marketplace=etsy', {
    ...Object.fromEntries(requested.map((call) => [call, of(ROW)])),
    [`GET /api/profit?group=day&${month}&marketplace=etsy&sort=-key&page=1&size=50`]: of(ROW),
  });
  await screen.findAllByText(/^about \$1,240\.55$/);
  expect(screen.getByRole('button', { name: 'Last month', pressed: true })).toBeTruthy();
  expect(sent.map(({ call }) => call)).toEqual(expect.arrayContaining(requested));
});

test('says that there are no sales, instead of zeros', async () => {
  const none = { body: { rows: [], total: 0, sum: NO_SALES, unlisted: null } };
  open('/profit', { [DAYS]: none, [COMPLETE]: none, [BEFORE]: none, [TABLE]: none });
  expect((await screen.findByRole('link', { name: 'Show 90 days' })).getAttribute('href')).toBe(
    '/profit?period=90',
  );
  expect(screen.queryByRole('tab')).toBeNull();
});

test('shows what was charged on days without a sale', async () => {
  const charged = { ...NO_SALES, fees: '5.00', profit: '-5.00' };
  const day = { ...ROW, ...charged };
  const body = { rows: [day], total: 1, sum: charged, unlisted: null };
  open('/profit', { [DAYS]: { body }, [COMPLETE]: { body }, [TABLE]: { body } });
  expect(await screen.findByRole('tab', { name: 'Days' })).toBeTruthy();
  expect(screen.getAllByText('−$5.00')).not.toHaveLength(0);
});

test('offers a retry where the sums could not be loaded', async () => {
  open('/profit', { [DAYS]: refusal(500, 'internal', 'No answer') });
  const alert = await screen.findByRole('alert');
  expect(within(alert).getByRole('button', { name: 'Retry' })).toBeTruthy();
});
