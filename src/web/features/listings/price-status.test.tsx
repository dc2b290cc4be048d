import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { PriceInProgress } from '#contract/price-status.ts';
import { aStatus } from '#tests/support/engine-screen.ts';
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
} from '#tests/support/listings-screen.tsx';
import { PANEL_ANSWERS } from '#tests/support/panel-responses.ts';
// Preloaded: its first import is slow on a busy machine.
import './panel/panel-tabs.tsx';

afterEach(closeNetwork);

const SINCE = '2026-11-20T10:00:00.000Z';
const aPriceInProgress = (given: Partial<PriceInProgress>): PriceInProgress => ({
  price: '17.49',
  state: 'queued',
  since: SINCE,
  marketplaceMessage: null,
  pausedUntil: null,
  isRefused: false,
  ...given,
});

test.each<[PriceInProgress['state'], string | null, string, RegExp]>([
  ['queued', null, 'Queued $17.49', /within seconds/],
  ['sent', null, 'Sent $17.49', /has not answered yet/],
  ['accepted', null, 'Accepted, not confirmed $17.49', /Buyers do not see it yet/],
  ['unknown', 'The connection broke.', 'Not confirmed $17.49', /The connection broke\./],
  ['rejected', 'Outside of the allowed range', 'Rejected $17.49', /Outside of the allowed range/],
  ['expired', 'Too late for it', 'Not sent $17.49', /Too late for it/],
])('a price that is %s says so in the row and in the panel', async (state, answer, name, words) => {
  const row = aListing({ priceInProgress: aPriceInProgress({ state, marketplaceMessage: answer }) });
  openListings({ ...PANEL_ANSWERS, 'GET /api/listings': pageOf([row]) }, '/listings?panel=1');
  const inRow = await rowOf('A-1');
  expect(inRow.getByText(name).textContent).toMatch(words);
  const panel = within(await screen.findByRole('complementary', { name: 'Coffee mug' }));
  expect(panel.getByText(words).textContent).toMatch(words);
  expect(panel.getByText('$20.00')).toBeTruthy();
});

test('a rejected price shows who rejected it and why, and can be retried from the panel', async () => {
  const refused = aPriceInProgress({
    state: 'rejected',
    marketplaceMessage: 'Outside of the allowed range',
    isRefused: true,
  });
  const { user, bodies } = openListings(
    {
      ...PANEL_ANSWERS,
      'GET /api/listings': pageOf([aListing({ priceInProgress: refused })]),
      'POST /api/listings/1/retry': { body: aListing({ priceInProgress: aPriceInProgress({}) }) },
    },
    '/listings?panel=1',
  );
  const inRow = await rowOf('A-1');
  expect(inRow.getByText('Rejected by Walmart', { exact: false })).toBeTruthy();
  const panel = within(await screen.findByRole('complementary', { name: 'Coffee mug' }));
  expect(panel.getByText('Outside of the allowed range')).toBeTruthy();
  await user.click(panel.getByRole('button', { name: 'Try $17.49 for A-1 again' }));
  await screen.findByText('A-1: $17.49 is being sent again.');
  expect(bodies('POST /api/listings/1/retry')).toEqual([{ price: '17.49' }]);
  expect(panel.queryByRole('button', { name: /^Try/ })).toBeNull();
  expect(panel.getByText('Queued', { exact: false })).toBeTruthy();
});

test('a price that cannot be retried says why', async () => {
  const refused = aPriceInProgress({ state: 'rejected', marketplaceMessage: 'Too low', isRefused: true });
  const { user } = openListings(
    {
      ...PANEL_ANSWERS,
      'GET /api/listings': pageOf([aListing({ priceInProgress: refused })]),
      'POST /api/listings/1/retry': refusal(409, 'conflict', 'Repricing is halted.'),
    },
    '/listings?panel=1',
  );
  const panel = within(await screen.findByRole('complementary', { name: 'Coffee mug' }));
  await user.click(panel.getByRole('button', { name: 'Try $17.49 for A-1 again' }));
  await screen.findByText('Could not send $17.49 for A-1 again');
  expect(await screen.findByText('Repricing is halted.')).toBeTruthy();
});

test('a typed price for a connected marketplace is in progress, and Undo sets the price in force again', async () => {
  const check = { margin: '12.00', profit: '2.52', isAllowed: true, message: null };
  const { user, bodies } = openListings({
    'GET /api/listings/1/price-check?price=21.50': {
      body: { ...check, lowestAllowedPrice: '15.00', highestAllowedPrice: null, notes: [] },
    },
    'PUT /api/listings/1/price': {
      body: aListing({ priceInProgress: aPriceInProgress({ price: '21.50' }) }),
    },
  });
  const priceOf = async () => (await rowOf('A-1')).getByRole('button', { name: /^Price of A-1/ });
  await user.click(await priceOf());
  await user.keyboard('21.50{Enter}{Escape}');
  await screen.findByText('Price on its way');
  expect(screen.getByText('A-1: $20.00 to $21.50')).toBeTruthy();
  expect((await priceOf()).textContent).toBe('$20.00');
  await pressUndo(user);
  expect(bodies('PUT /api/listings/1/price')).toEqual([
    { price: '21.50', from: '20.00' },
    { price: '20.00', from: '20.00' },
  ]);
});

test('a bulk apply shows how many prices are in progress', async () => {
  const preview = { count: 3, blockedCount: 0, raised: 0, lowered: 3, rows: [], blocked: [] };
  const { user } = openListings({
    'GET /api/listings': pageOf(THREE.map((row) => ({ ...row, recommendedPrice: '19.00' }))),
    'POST /api/listings/apply-preview': { body: preview },
    'POST /api/listings/apply': outcome({ done: 3, inProgress: 2 }),
  });
  await tick(user, 'A-1', 'A-2', 'A-3');
  await user.click(bulkBar().getByRole('button', { name: 'Apply 3 prices' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(await dialog.findByRole('button', { name: 'Change 3 prices' }));
  await screen.findByText('1 price changed. 2 prices are on their way.');
});

test('while repricing is halted a recommended price cannot be applied, and says so until it is resumed', async () => {
  const { user, bodies } = openListings({
    'GET /api/listings': pageOf([
      aListing({ recommendedPrice: '19.49', recommendedPriceReason: 'Beat Acme.' }),
    ]),
    'GET /api/engine': { body: aStatus({ isHalted: true, haltedBy: 'Sam' }) },
  });
  const apply = await screen.findByRole('button', { name: 'Apply recommended price $19.49 to A-1' });
  await waitFor(() => expect(apply.getAttribute('aria-disabled')).toBe('true'));
  apply.focus();
  await waitFor(() => expect(screen.getByRole('tooltip').textContent).toMatch(/halted/));
  await user.click(apply);
  await tick(user, 'A-1');
  const all = bulkBar().getByRole('button', { name: 'Apply 1 price' });
  expect(all.getAttribute('aria-disabled')).toBe('true');
  await user.click(all);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(bodies('POST /api/listings/1/apply')).toEqual([]);
});
