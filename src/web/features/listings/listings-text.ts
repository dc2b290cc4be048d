import type { ListingRow, ListingState } from '#contract/listings.ts';
import { LISTING_PROBLEMS } from '#contract/listings.ts';
import type { MarginFilter } from '#domain/costs/margin-bands.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import type { SoldFilter } from '#domain/sold-filter.ts';
import { PROBLEM_TEXT, problemName } from '#web/lib/listing-problem-text.ts';

/** Label of a state filter. */
export const STATE_LABELS = {
  repriceable: 'Can be repriced',
  blocked: 'Cannot be repriced',
  below_floor: 'Below margin floor',
  at_floor: 'At margin floor',
  recommended: 'Needs review',
  held: 'On hold',
  to_upload: 'To upload',
  upload_late: 'To upload for more than a day',
  external_edit: 'Changed to a price that is not allowed',
  held_back: 'Capped by limit',
  price_war: 'In a price war',
  in_progress: 'Price on its way',
  buy_box_lost: 'Buy box lost',
  fee_differs: 'Fee differs from yours',
  fee_unknown: 'Fee unknown',
  loses_money: 'Loses money',
  business_price_low: 'Business price too low',
  business_price_hidden: 'Below its business price',
  best_offer_low: 'Best Offer limit too low',
  profit_unknown: 'Profit unknown',
  attention: 'Needs attention',
  on: 'Repricing on',
  off: 'Repricing off',
} as const satisfies Record<ListingState, string>;

/** Label of a margin filter. */
export const MARGIN_LABELS = {
  loss: 'Below 0% (loss)',
  below_5: '0% to below 5%',
  below_10: '5% to below 10%',
  below_15: '10% to below 15%',
  from_15: '15% and more',
  unknown: 'Unknown',
} as const satisfies Record<MarginFilter, string>;

/** Label of a filter by sales. */
export const SOLD_LABELS = {
  none: 'No sale in 30 days',
  some: 'Sold in 30 days',
  loss: 'Lost money in 30 days',
} as const satisfies Record<SoldFilter, string>;

/** Why a listing cannot be repriced, with the fix; null if it can, and before it was first checked. */
export function problemOf(row: ListingRow): { text: string; fix: string } | null {
  const codes =
    row.outcome === 'blocked' ? [...row.gaps, row.reasonCode] : row.rule === null ? ['no_rule'] : [];
  if (row.decidedAt === null) return null;
  const problem = LISTING_PROBLEMS.find((known) => codes.includes(known));
  if (problem === 'gone') {
    return { text: `Not found on ${MARKETPLACE_NAMES[row.marketplace]}`, fix: PROBLEM_TEXT.gone.fix };
  }
  if (problem !== undefined) return { text: problemName(problem), fix: PROBLEM_TEXT[problem].fix };
  return row.outcome === 'blocked'
    ? { text: 'Cannot be repriced', fix: 'Open Why this price for the reason.' }
    : null;
}
