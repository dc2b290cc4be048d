import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { MoneyEvent, Settlement } from '#contract/money.ts';
import { type Answers, aUser, refusal, serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';
// Preloaded: its first import is slow on a busy machine.
import './money-page.tsx';

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-23T12:00:00Z') }));
afterEach(() => vi.useRealTimers());

const BALANCED: Settlement = {
  marketplace: 'amazon',
  ref: 'S-1',
  from: '2026-11-01T00:00:00.000Z',
  to: '2026-11-15T00:00:00.000Z',
  paidAt: '2026-11-17T00:00:00.000Z',
  toldTotal: '42.50',
  eventsTotal: '42.50',
  events: 2,
  unmatched: 0,
  other: 0,
  state: 'balanced',
  difference: '0.00',
};
const OFF: Settlement = {
  ...BALANCED,
  ref: 'S-2',
  eventsTotal: '40.00',
  unmatched: 3,
  other: 1,
  state: 'off',
  difference: '-2.50',
};
const AMOUNT: MoneyEvent = {
  id: '1',
  marketplace: 'amazon',
  externalId: 'e-1',
  kind: 'storage',
  rawType: 'Storage > Monthly',
  amount: '-12.34',
  orderRef: null,
  sku: 'A-1',
  quantity: null,
  postedAt: '2026-11-14T12:00:00.000Z',
  releasedAt: null,
  settlementRef: 'S-2',
  matchedBy: 'sku',
  profitOf: 'day',
  listingId: '7',
  restated: 1,
};
const PAGE = 'page=1&size=50';
const LISTED = `GET /api/settlements?${PAGE}`;
const listOf = (...rows: unknown[]) => ({ body: { rows, total: rows.length } });

function open(address: string, answers: Answers = {}, role: 'admin' | 'user' = 'admin') {
  const sent = serveApi({
    'GET /api/user': { body: aUser({ role }) },
    [LISTED]: listOf(OFF, BALANCED),
    ...answers,
  });
  const router = renderApp(address);
  return { sent, where: () => router.state.location.href };
}

test('lists settlements with what their amounts are off, linked to what may be the cause', async () => {
  open('/money');
  const row = (await screen.findByText('S-2')).closest('tr') as HTMLElement;
  expect(within(row).getByText('$2.50 missing')).toBeTruthy();
  const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }));
  expect(crumbs.getByRole('link').getAttribute('href')).toBe('/profit');
  const entries = within(screen.getByRole('navigation', { name: 'Main' }));
  expect(entries.getByRole('link', { current: true }).textContent).toBe('Profit');
  const linked = within(row)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'));
  expect(linked).toEqual([
    '/money?show=amounts&marketplace=amazon&settlement=S-2',
    '/money?show=amounts&marketplace=amazon&settlement=S-2&kind=other',
    '/money?show=amounts&marketplace=amazon&settlement=S-2&unmatched=true',
  ]);
  expect(within(screen.getByText('S-1').closest('tr') as HTMLElement).getByText('Balanced')).toBeTruthy();
});

test('lists the amounts of a settlement without a sale with their sums, each linked to what it is for', async () => {
  const user = userEvent.setup();
  const filter = 'marketplace=amazon&unmatched=true&settlement=S-2';
  const { where } = open(`/money?show=amounts&${filter}`, {
    [`GET /api/money-events?${filter}&${PAGE}`]: listOf(AMOUNT),
    [`GET /api/money-events/kinds?${filter}`]: {
      body: { rows: [{ kind: 'storage', events: 1, amount: '-12.34' }] },
    },
    [`GET /api/money-events?marketplace=amazon&kind=storage&unmatched=true&settlement=S-2&${PAGE}`]:
      listOf(AMOUNT),
  });
  expect((await screen.findByRole('link', { name: 'Listing A-1' })).getAttribute('href')).toBe(
    '/listings?marketplace=amazon&panel=7',
  );
  expect(screen.getByText('not released yet')).toBeTruthy();
  expect(screen.getByRole('link', { name: /Export/ }).getAttribute('href')).toBe(
    `/api/money-events/export.csv?${filter}`,
  );
  await user.click(await screen.findByRole('link', { name: /^Storage/ }));
  await waitFor(() => expect(where()).toContain('kind=storage'));
});

test('says of amounts without a sale which are in no profit, and why', async () => {
  const filter = 'unmatched=true';
  const of = (over: Partial<MoneyEvent>): MoneyEvent => ({
    ...AMOUNT,
    matchedBy: 'marketplace',
    listingId: null,
    profitOf: 'none',
    ...over,
  });
  open(`/money?show=amounts&${filter}`, {
    [`GET /api/money-events?${filter}&${PAGE}`]: listOf(
      of({ id: '1', kind: 'label' }),
      of({ id: '2', kind: 'principal', orderRef: 'O-9' }),
      of({ id: '3', kind: 'refund_principal', orderRef: 'O-8', profitOf: 'day' }),
      of({ id: '4', kind: 'other', orderRef: 'O-7', matchedBy: 'sku', listingId: '7', profitOf: 'day' }),
    ),
    [`GET /api/money-events/kinds?${filter}`]: { body: { rows: [] } },
  });
  const cellOf = (row: HTMLElement) => within(row).getAllByRole('cell').at(-1)?.textContent;
  await screen.findByRole('link', { name: 'Listing A-1' });
  expect(screen.getAllByRole('row').slice(1).map(cellOf)).toEqual([
    'No saleNot of one sale: each sale has its own',
    'Order O-9, sale not syncedNot in profit until its sale is synced',
    'Order O-8, sale not synced',
    'Listing A-1Order O-7, sale not synced',
  ]);
});

test('lists what is not counted, with the reason and what to do', async () => {
  const user = userEvent.setup();
  open('/money', {
    [`GET /api/refused-money?${PAGE}`]: listOf({
      marketplace: 'etsy',
      place: 'entry 7',
      why: 'currency',
      firstSeenAt: '2026-11-14T12:00:00.000Z',
      lastSeenAt: '2026-11-15T12:00:00.000Z',
    }),
  });
  await user.click(await screen.findByRole('tab', { name: 'Not counted' }));
  const row = (await screen.findByText('entry 7')).closest('tr') as HTMLElement;
  expect(within(row).getByText(/US dollars only/)).toBeTruthy();
});

test('is not for other users', async () => {
  open('/money', {}, 'user');
  expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeTruthy();
});

test('says that there are no settlements yet', async () => {
  open('/money', { [LISTED]: listOf() });
  expect(await screen.findByText(/No settlements yet/)).toBeTruthy();
});

test('offers a retry where the settlements could not be loaded', async () => {
  open('/money', { [LISTED]: refusal(500, 'internal', 'No answer') });
  expect(await screen.findByRole('button', { name: 'Retry' })).toBeTruthy();
});
