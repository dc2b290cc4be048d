import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, vi } from 'vitest';
import type { ActionResult, ListingRow } from '#contract/listings.ts';
import { type Answer, type Answers, aUser, type Sent, serveApi } from './fake-api.ts';
import { renderApp } from './render-app.tsx';
// Loaded on its first use, which is slow on a busy machine: not while a test waits for it.
import '#web/features/listings/listings-page.tsx';

/** A listing that is fine, with whatever is not. */
export function aListing(given: Partial<ListingRow> = {}): ListingRow {
  return {
    id: '1',
    marketplace: 'walmart',
    marketplaceItemId: null,
    channel: null,
    sku: 'A-1',
    title: 'Coffee mug',
    imageUrl: null,
    currentPrice: '20.00',
    amazonWalmartPrice: '21.00',
    thirdPartyFbaWfsPrice: null,
    thirdPartyFbmPrice: '19.50',
    totalCost: '12.00',
    margin: '17.50',
    fulfillmentType: 'FBM',
    autoRepricingEnabled: true,
    minPrice: null,
    maxPrice: null,
    shippingCost: null,
    shippingCharge: '0.00',
    fulfillmentCost: null,
    feeCategory: null,
    ownFeeRate: null,
    adShare: null,
    mapPrice: null,
    mapFrom: null,
    mapUntil: null,
    externalPrice: null,
    externalPriceAt: null,
    returnShare: null,
    brand: null,
    supplier: null,
    ownBrand: null,
    ownSupplier: null,
    tags: [],
    ownRuleId: null,
    rule: {
      id: '7',
      name: 'Everything',
      strategy: 'Match Competitor',
      hasLines: false,
      noCompetitor: 'keep',
    },
    marginFloor: '15.00',
    competitorPrice: '19.50',
    recommendedPrice: null,
    recommendedPriceReason: null,
    outcome: 'keep',
    reasonCode: 'already_there',
    gaps: [],
    decidedAt: '2026-11-20T10:00:00.000Z',
    hold: null,
    awaitingUploadSince: null,
    profit: null,
    feeRate: null,
    feeTold: null,
    sold: { units: 0, profit: null, sales: 0, known: 0, told: 0 },
    priceInProgress: null,
    sharesPriceWith: [],
    lastRepriced: null,
    version: 3,
    ...given,
  };
}

/** The rule of a listing. */
export function aRule(given: Partial<NonNullable<ListingRow['rule']>>): ListingRow['rule'] {
  return {
    id: '8',
    name: 'Another',
    strategy: 'Match Competitor',
    hasLines: false,
    noCompetitor: 'keep',
    ...given,
  };
}

/** Three listings on two marketplaces. */
export const THREE: readonly ListingRow[] = [
  aListing(),
  aListing({
    id: '2',
    sku: 'A-2',
    title: 'Paint set',
    marketplace: 'ebay',
    currentPrice: '30.00',
    autoRepricingEnabled: false,
  }),
  aListing({ id: '3', sku: 'A-3', title: 'Yarn', currentPrice: '5.00' }),
];

export function pageOf(
  rows: readonly ListingRow[],
  total = rows.length,
  emptyColumns: readonly string[] = [],
): Answers[string] {
  return { body: { rows, total, isTotalExact: true, emptyColumns } };
}

/** What an act on many did: all of them unless said, and with Undo. */
export function outcome(given: Partial<ActionResult> = {}): Answer {
  return { body: { done: 2, refusedCount: 0, refused: [], jobId: null, undoId: UNDO_ID, ...given } };
}
export const UNDO_ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

/** The Listings screen over these answers; `GET /api/listings` answers with three rows unless given. */
export function openListings(answers: Answers = {}, address = '/listings') {
  const sent = serveApi({
    'GET /api/user': { body: aUser() },
    'GET /api/listings': pageOf(THREE),
    'GET /api/views?list=listings': { body: { views: [] } },
    'GET /api/listings/view-totals': { body: { totals: [] } },
    ...answers,
  });
  const router = renderApp(address);
  return {
    user: userEvent.setup(),
    router,
    where: () => router.state.location.href,
    /** Bodies that were sent to a call, in order. */
    bodies: (call: string) => sent.filter((each: Sent) => each.call === call).map(({ body }) => body),
    calls: () => sent.map(({ call }) => call),
  };
}

/** The row of a SKU, once it is there. */
export async function rowOf(sku: string) {
  // Not by role: names of roles are slow to work out over a whole table.
  const row = (await screen.findByText(sku, { selector: 'th span' })).closest('tr');
  if (row === null) throw new Error(`no row of ${sku}`);
  return within(row);
}

/** Ticks rows by SKU, once they are there. */
export async function tick(user: ReturnType<typeof userEvent.setup>, ...skus: string[]): Promise<void> {
  for (const sku of skus) await user.click(await screen.findByLabelText(`Select ${sku}`));
}

export const bulkBar = () => within(screen.getByRole('region', { name: 'Selected rows' }));

/** Takes the stubs of the network away. */
export const closeNetwork = (): void => void vi.unstubAllGlobals();

/** Presses Undo in the toast, once the toast takes the pointer. */
export async function pressUndo(user: ReturnType<typeof userEvent.setup>): Promise<void> {
  const button = await screen.findByText('Undo');
  await waitFor(() => expect(getComputedStyle(button).pointerEvents).not.toBe('none'));
  await user.click(button);
}
