import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { FailedPrice } from './price-status.ts';
import { Day, Id, Moment, Money, PageParam, Percent, sizeParam, Zone } from './wire.ts';

export const HISTORY_SOURCES = ['rule', 'person', 'apply', 'undo', 'import', 'observed'] as const;
/** What the list can be narrowed to: one source, or `ours`, everything but imports and edits made outside. */
export const HISTORY_SOURCE_FILTERS = [...HISTORY_SOURCES, 'ours'] as const;
export const HISTORY_PAGE_SIZES = [25, 50, 100, 200] as const;

export const HistoryFilter = z.strictObject({
  /** Part of SKU or title. */
  q: z.string().trim().max(200).optional(),
  marketplace: z.enum(MARKETPLACES).optional(),
  source: z.enum(HISTORY_SOURCE_FILTERS).optional(),
  /** Name of the person or of the rule. */
  changedBy: z.string().trim().max(200).optional(),
  /** Days counted back from now: 7 is the last seven days. Left out: everything. */
  days: z
    .string()
    .regex(/^[1-9]\d{0,3}$/)
    .transform(Number)
    .optional(),
  /** The first and the last day, both included; either may be left out. They begin where `zone` is. */
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
  marginImpact: Percent.nullable(),
  source: z.enum(HISTORY_SOURCES),
  actor: z.string().nullable(),
  rule: z.object({ id: Id, name: z.string() }).nullable(),
  runId: Id.nullable(),
  competitorPrice: Money.nullable(),
  marginFloor: Money.nullable(),
  /** The price in force now, so that a revert can say whether it has changed since. */
  currentPrice: Money,
  isListingDeleted: z.boolean(),
  /** Whether the facts behind it are stored, so that it can be explained. */
  isExplained: z.boolean(),
});
export type HistoryEntry = z.output<typeof HistoryEntry>;

export const HistoryPage = z.object({
  rows: z.array(HistoryEntry),
  total: z.int(),
  isTotalExact: z.boolean(),
  /** On the first page of a list that is not narrowed by more than a listing: prices that did not become one, at most 20. */
  missed: z.array(FailedPrice).optional(),
  /** How many of those there are. */
  missedTotal: z.int().optional(),
});
export type HistoryPage = z.output<typeof HistoryPage>;
