import type { PriceExplanation } from '#contract/explanation.ts';
import type { PriceRow } from '#db/queries/repricing/price-rows.ts';
import type { PriceSource } from '#db/schema/prices.ts';
import { minute, moment, money, moneyOrNull } from '#usecases/repricing/pricing/api-values.ts';
import { type ExplainedListing, listingPart } from './explained-parts.ts';

const UNKNOWN_FACTS: PriceExplanation['facts'] = {
  currentPrice: null,
  anchorPrice: null,
  minPrice: null,
  maxPrice: null,
  marketplaceLimits: null,
  greatestDiscount: null,
  shippingCharge: null,
  priceDayAgo: null,
  cost: [],
  totalCost: null,
  weightOz: null,
  elsewhere: [],
  gaps: [],
};

/** Explains a ledger row that was no decision, or has no stored facts, by its own reason. */
export function explainLedgerRow(listing: ExplainedListing, row: PriceRow): PriceExplanation {
  const { source, oldPrice, newPrice, timestamp, actor } = row;
  return {
    listing: listingPart(listing),
    of: 'history',
    at: moment(timestamp),
    actor,
    outcome: 'change',
    price: money(newPrice),
    reasonCode: source,
    reviewReason: null,
    bindingLimit: 'none',
    bindingLimitText: null,
    fix: null,
    restEndsAt: null,
    rule: null,
    lines: null,
    fees: null,
    allowed: null,
    moveRange: null,
    channelGap: null,
    sentence: SENTENCES[source](row),
    facts: { ...UNKNOWN_FACTS, currentPrice: moneyOrNull(oldPrice) },
    competition: null,
    offers: [],
    steps: [],
    margin: { before: null, after: null },
    profit: { before: null, after: null },
  };
}

const stored = ({ reason }: PriceRow): string => `${reason} The data behind this decision was not stored.`;

const SENTENCES = {
  import: ({ oldPrice, timestamp, actor, reason }) =>
    oldPrice === null
      ? `The listing was added with this price on ${minute(timestamp)}.`
      : `Imported ${actor === null ? '' : `by ${actor} `}on ${minute(timestamp)}: ${reason}`,
  observed: ({ timestamp }) =>
    `Changed on the marketplace, outside Pricewright. Found on ${minute(timestamp)}.`,
  rule: stored,
  person: stored,
  apply: stored,
  undo: stored,
  repair: stored,
} as const satisfies Record<PriceSource, (row: PriceRow) => string>;
