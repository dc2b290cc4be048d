import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { Day, Id, Margin, Moment, Money, PageParam, sizeParam, Zone } from './fields.ts';
import { FailedPrice } from './price-status.ts';

export const HISTORY_SOURCES = ['rule', 'person', 'apply', 'undo', 'repair', 'import', 'observed'] as const;
/**
 * Filter by source: one source; `ours`, everything but imports and external edits; or `repricing`, changes by rules and
 * applied recommendations.
 */
export const HISTORY_SOURCE_FILTERS = [...HISTORY_SOURCES, 'ours', 'repricing'] as const;
export const HISTORY_PAGE_SIZES = [25, 50, 100, 200] as const;

export const HistoryFilter = z.strictObject({
  /** Part of SKU or title. */
  q: z.string().trim().max(200).optional(),
  marketplace: z.enum(MARKETPLACES).optional(),
  source: z.enum(HISTORY_SOURCE_FILTERS).optional(),
  /** Name of the user or rule. */
  changedBy: z.string().trim().max(200).optional(),
  /** Days up to now: 7 is the last seven days. Omitted: all time. */
  days: z
    .string()
    .regex(/^[1-9]\d{0,3}$/)
    .transform(Number)
    .optional(),
  /** The first and the last day, both inclusive and optional. Days start in time zone `zone`. */
  from: Day.optional(),
  to: Day.optional(),
  zone: Zone.prefault('UTC'),
  listing: Id.optional(),
  run: Id.optional(),
});
export type HistoryFilter = z.output<typeof HistoryFilter>;

/** Newest first. */
export const HistoryQuery = HistoryFilter.extend({
  page: PageParam,
  size: sizeParam(HISTORY_PAGE_SIZES, 50),
});
export type HistoryQuery = z.output<typeof HistoryQuery>;

export const HistoryEntry = z.object({
  id: Id,
  listingId: Id,
  timestamp: Moment,
  marketplace: z.enum(MARKETPLACES),
  sku: z.string(),
  productTitle: z.string(),
  /** Null in the first row of a listing. */
  oldPrice: Money.nullable(),
  newPrice: Money,
  reason: z.string(),
  /** Percentage points. */
  marginImpact: Margin.nullable(),
  source: z.enum(HISTORY_SOURCES),
  actor: z.string().nullable(),
  rule: z.object({ id: Id, name: z.string() }).nullable(),
  runId: Id.nullable(),
  competitorPrice: Money.nullable(),
  marginFloor: Money.nullable(),
  /** The current price, so that a revert can show whether it has changed. */
  currentPrice: Money,
  isListingDeleted: z.boolean(),
  /** SKUs of the other listings that share its price now: a revert changes them too. */
  sharesPriceWith: z.array(z.string()),
  /** Whether its facts are stored, so that it can be explained. */
  isExplained: z.boolean(),
});
export type HistoryEntry = z.output<typeof HistoryEntry>;

export const HistoryPage = z.object({
  rows: z.array(HistoryEntry),
  total: z.int(),
  isTotalExact: z.boolean(),
  /** On the first page of a list with no filter but the listing: prices that failed, at most 20. */
  failed: z.array(FailedPrice).optional(),
  /** The total number of those. */
  failedTotal: z.int().optional(),
});
export type HistoryPage = z.output<typeof HistoryPage>;
