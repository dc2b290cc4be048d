import { z } from 'zod';
import { LISTING_CHANNELS } from '#domain/connections/listing-channel.ts';
import { MARGIN_FILTERS } from '#domain/costs/margin-bands.ts';
import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';
import { NO_COMPETITOR, STRATEGIES } from '#domain/rules/rule.ts';
import { SOLD_FILTERS } from '#domain/sold-filter.ts';
import { LISTING_LIST_COLUMNS, SPARSE_COLUMNS } from '#domain/written/listing-column-ids.ts';
import { CostSince } from './costs.ts';
import {
  AmountInput,
  Confirmed,
  Day,
  Id,
  Margin,
  Moment,
  Money,
  PageParam,
  Percent,
  PriceInput,
  percentInput,
  sizeParam,
} from './fields.ts';
import { LABEL_FILTER, Label } from './labels.ts';
import { PriceInProgress } from './price-status.ts';

export const LISTING_SORTS = [
  'marketplace',
  'sku',
  'title',
  'currentPrice',
  'amazonWalmartPrice',
  'thirdPartyFbaWfsPrice',
  'thirdPartyFbmPrice',
  'totalCost',
  'margin',
  'profit',
  'fee',
  'units30',
  'profit30',
] as const;
export type ListingSort = (typeof LISTING_SORTS)[number];

export const LISTING_PAGE_SIZES = [25, 50, 100, 200] as const;
export const LISTING_PAGE_SIZE = 50;

/**
 * Status filter of the listings:
 * `repriceable` a decision was possible · `blocked` none was · `below_floor` priced below the margin floor ·
 * `at_floor` priced at it · `recommended` a price needs review · `held` · `to_upload` · `upload_late` has
 * waited for
 * its upload for more than a day · `external_edit` its price was changed on the marketplace to one that is not allowed, and no
 * user has decided about it · `held_back` capped by a limit · `price_war` paused after one · `in_progress`
 * a price was sent to its marketplace ·
 * `buy_box_lost` another seller has the buy box · `fee_differs` the marketplace reported another commission than
 * the fee schedule has, or charged another fulfillment fee than was entered · `fee_unknown` its cost is known, but no fee · `loses_money` its profit at the current price is
 * below zero · `business_price_low` a business or quantity price on the marketplace is below its lowest allowed price ·
 * `business_price_hidden` the current price is below the business price · `best_offer_low` eBay accepts Best Offers below its
 * lowest allowed price · `profit_unknown` · `attention` below the margin floor, in a price war, capped by a limit, to upload
 * for more than a day, or not repriceable · `on`, `off` auto-repricing.
 */
export const LISTING_STATES = [
  'repriceable',
  'blocked',
  'below_floor',
  'at_floor',
  'recommended',
  'held',
  'to_upload',
  'upload_late',
  'external_edit',
  'held_back',
  'price_war',
  'in_progress',
  'buy_box_lost',
  'fee_differs',
  'fee_unknown',
  'loses_money',
  'business_price_low',
  'business_price_hidden',
  'best_offer_low',
  'profit_unknown',
  'attention',
  'on',
  'off',
] as const;
export type ListingState = (typeof LISTING_STATES)[number];

/**
 * Why Pricewright has no price for a listing: it is missing on its marketplace, part of its cost is missing, it
 * is blocked, or no rule matches.
 */
export const LISTING_PROBLEMS = [
  'gone',
  'no_sku',
  'no_product_cost',
  'no_component',
  'bundle_in_bundle',
  'no_weight',
  'no_tier',
  'no_fulfillment_cost',
  'bundle_unconfirmed',
  'unreadable',
  'no_fee_schedule',
  'unreadable_rule',
  'unreadable_price',
  'unreadable_facts',
  'margin_impossible',
  'minimum_above_maximum',
  'floor_above_maximum',
  'minimum_above_ceiling',
  'range_not_legal',
  'bounds_conflict',
  'group_blocked',
  'group_conflict',
  'no_rule',
] as const;
export type ListingProblem = (typeof LISTING_PROBLEMS)[number];

/** Filters; all of them must match. `q` matches part of SKU or title. */
export const ListingFilter = z.strictObject({
  q: z.string().trim().max(200).optional(),
  marketplace: z.enum(MARKETPLACES).optional(),
  fulfillment: z.enum(FULFILLMENT_TYPES).optional(),
  state: z.enum(LISTING_STATES).optional(),
  problem: z.enum(LISTING_PROBLEMS).optional(),
  /** A range of margins: "below_10" is from 5 % to under 10 %. */
  margin: z.enum(MARGIN_FILTERS).optional(),
  /** Sales of the last 30 days: none, some, or with a loss in sum. */
  sold: z.enum(SOLD_FILTERS).optional(),
  /** The rule that applies to them now. */
  rule: Id.optional(),
  ...LABEL_FILTER,
});
export type ListingFilter = z.output<typeof ListingFilter>;

/** A sort key with "-" before it for descending: "-margin". Rows without a value come last either way. */
const SortParam = z
  .string()
  .regex(/^-?[a-zA-Z\d]{1,40}$/)
  .refine((text) => (LISTING_SORTS as readonly string[]).includes(text.replace('-', '')), {
    message: `Expected one of ${LISTING_SORTS.join(', ')}, with - before it for descending`,
  })
  .transform((text) => ({
    by: text.replace('-', '') as ListingSort,
    descending: text.startsWith('-'),
  }));

export const ListingsQuery = ListingFilter.extend({
  sort: SortParam.prefault('sku'),
  page: PageParam,
  size: sizeParam(LISTING_PAGE_SIZES, LISTING_PAGE_SIZE),
});
export type ListingsQuery = z.output<typeof ListingsQuery>;

/** GET /api/listings/export.csv: filter and order of the list; `ids` names up to 1,000 of them, "7,12,33". */
export const ListingsExportQuery = ListingsQuery.omit({ page: true, size: true }).extend({
  ids: z
    .string()
    .regex(/^[1-9]\d{0,14}(,[1-9]\d{0,14}){0,999}$/, 'Expected up to 1,000 numbers such as 7,12,33')
    .transform((text) => text.split(','))
    .optional(),
  /**
   * These columns of the list, in this order: "sku,price,margin". Omitted: the columns of a file that can be
   * imported again.
   */
  columns: z
    .string()
    .max(300)
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(LISTING_LIST_COLUMNS)).min(1))
    .optional(),
});

const Hold = z.object({ until: Moment.nullable(), by: z.string(), reason: z.string() });

export const ListingRow = z.object({
  id: Id,
  marketplace: z.enum(MARKETPLACES),
  marketplaceItemId: z.string().nullable(),
  /** By which of its marketplace's APIs it is priced; null where there is only one, and before its first sync. */
  channel: z.enum(LISTING_CHANNELS).nullable(),
  sku: z.string(),
  title: z.string(),
  imageUrl: z.string().nullable(),
  currentPrice: Money,
  /** The marketplace's own offer. These three are landed prices: the lowest fresh one, without ours. */
  amazonWalmartPrice: Money.nullable(),
  thirdPartyFbaWfsPrice: Money.nullable(),
  thirdPartyFbmPrice: Money.nullable(),
  totalCost: Money.nullable(),
  margin: Margin.nullable(),
  fulfillmentType: z.enum(FULFILLMENT_TYPES),
  /**
   * Of one unit at the current price, less the shares for advertising and returns, rounded down: up to a cent and 0.01% of
   * the revenue below; null is unknown.
   */
  profit: Money.nullable(),
  /** Fees at the current price, in percent of the revenue, without the shares for advertising and returns. */
  feeRate: Margin.nullable(),
  /** When the marketplace last reported its commission for this listing, and for which price; null while another one counts. */
  feeTold: z.object({ at: Moment, price: Money }).nullable(),
  /** Sales of the last 30 days, as in GET /api/profit. */
  sold: z.object({
    units: z.int(),
    profit: Money.nullable(),
    sales: z.int(),
    known: z.int(),
    told: z.int(),
  }),
  autoRepricingEnabled: z.boolean(),
  minPrice: Money.nullable(),
  maxPrice: Money.nullable(),
  shippingCost: Money.nullable(),
  shippingCharge: Money,
  fulfillmentCost: Money.nullable(),
  feeCategory: z.string().nullable(),
  /** A user's own commission, which counts before what the marketplace reported. */
  ownFeeRate: Percent.nullable(),
  /** Shares of the revenue for advertising and returns; null: those of the marketplace. */
  adShare: Percent.nullable(),
  returnShare: Percent.nullable(),
  /** The seller's own MAP price, with its first and last day; null days are unbounded. */
  mapPrice: Money.nullable(),
  mapFrom: Day.nullable(),
  mapUntil: Day.nullable(),
  /** A price from elsewhere that a rule may ask for, and when it was known. */
  externalPrice: Money.nullable(),
  externalPriceAt: Moment.nullable(),
  /** The listing's own value, else that of its SKU. */
  brand: z.string().nullable(),
  supplier: z.string().nullable(),
  ownBrand: z.string().nullable(),
  ownSupplier: z.string().nullable(),
  /** The tags of the SKU. */
  tags: z.array(z.string()),
  /** The assigned rule; null means the most specific active rule. */
  ownRuleId: Id.nullable(),
  /** The rule that applies now. */
  rule: z
    .object({
      id: Id,
      name: z.string(),
      strategy: z.enum(STRATEGIES),
      /** Its lines decide, and the strategy does not. */
      hasLines: z.boolean(),
      /** The default price while no competitor counts. */
      noCompetitor: z.enum(NO_COMPETITOR),
    })
    .nullable(),
  marginFloor: Money.nullable(),
  competitorPrice: Money.nullable(),
  recommendedPrice: Money.nullable(),
  recommendedPriceReason: z.string().nullable(),
  outcome: z.enum(['change', 'keep', 'recommend', 'blocked']).nullable(),
  /** The domain's reason code of the last decision; null before the first. */
  reasonCode: z.string().nullable(),
  /** What is missing from the cost, as the domain's CostGap kinds. */
  gaps: z.array(z.string()),
  decidedAt: Moment.nullable(),
  hold: Hold.nullable(),
  awaitingUploadSince: Moment.nullable(),
  /** On connected marketplaces: a newer price that is not confirmed yet, or that failed. */
  priceInProgress: PriceInProgress.nullable(),
  lastRepriced: Moment.nullable(),
  /** SKUs of the other listings that the marketplace gives one price with it: they change together. */
  sharesPriceWith: z.array(z.string()),
  version: z.int(),
});
export type ListingRow = z.output<typeof ListingRow>;

export const ListingsPage = z.object({
  rows: z.array(ListingRow),
  total: z.int(),
  /** False while a large total is an estimate ("about 12,400"). */
  isTotalExact: z.boolean(),
  /** Columns of the list without one value on any page of this filter. */
  emptyColumns: z.array(z.enum(SPARSE_COLUMNS)),
});
export type ListingsPage = z.output<typeof ListingsPage>;

/** GET /api/listings/rules: which rules price the listings of a filter now, the most listings first. */
export const RulesOfListings = z.object({
  rules: z.array(
    z.object({
      /** Null for listings that no rule prices. */
      rule: z.object({ id: Id, name: z.string() }).nullable(),
      listings: z.int(),
    }),
  ),
});
export type RulesOfListings = z.output<typeof RulesOfListings>;

/** Listings by ID, or all that match a filter; then `expected` is the count the user saw. */
export const ListingSelection = z.union([
  z.strictObject({ ids: z.array(Id).min(1).max(1_000) }),
  z.strictObject({ filter: ListingFilter, expected: z.int().min(0) }),
]);
export type ListingSelection = z.output<typeof ListingSelection>;

/** What a user may set on one listing or many. Omitted fields do not change, null clears. */
export const ListingFields = z.strictObject({
  autoRepricingEnabled: z.boolean().optional(),
  minPrice: PriceInput.nullable().optional(),
  maxPrice: PriceInput.nullable().optional(),
  shippingCost: AmountInput.nullable().optional(),
  shippingCharge: AmountInput.optional(),
  fulfillmentCost: AmountInput.nullable().optional(),
  feeCategory: z.string().trim().min(1).max(200).nullable().optional(),
  feeRate: percentInput(0, 9_999).nullable().optional(),
  adShare: percentInput(0, 9_999).nullable().optional(),
  returnShare: percentInput(0, 9_999).nullable().optional(),
  /** Clearing it clears its days. */
  mapPrice: PriceInput.nullable().optional(),
  mapFrom: Day.nullable().optional(),
  mapUntil: Day.nullable().optional(),
  /** Known from now. */
  externalPrice: PriceInput.nullable().optional(),
  /** Null means the value of the SKU again. */
  brand: Label.optional(),
  supplier: Label.optional(),
  ruleId: Id.nullable().optional(),
  /** For `shippingCost`, `fulfillmentCost`, `feeCategory` and `feeRate`. */
  costSince: CostSince,
});
export type ListingFields = z.output<typeof ListingFields>;
export type ListingFieldsForm = z.input<typeof ListingFields>;

/** PUT /api/listings/:id. `version` is the one the user saw: 409 when another user saved after that. */
export const EditListing = z.strictObject({ version: z.int(), fields: ListingFields });

/** POST /api/listings/edit, /delete: done in the request up to 200 rows, as a job above that. */
export const EditListings = z.strictObject({ selection: ListingSelection, fields: ListingFields });
export const DeleteListings = z.strictObject({ selection: ListingSelection });

/** POST /api/listings/undelete: Undo of a delete, by ID. */
export const UndeleteListings = z.strictObject({ ids: z.array(Id).min(1).max(1_000) });

/**
 * The result of a bulk action. `refused` names at most 20 of the skipped listings; `jobId` is set when it
 * continues as a job. `inProgress`: of those done, the prices that are sent to their marketplace first and change
 * once confirmed.
 */
export const BulkOutcome = z.object({
  done: z.int(),
  inProgress: z.int().optional(),
  refusedCount: z.int(),
  refused: z.array(z.object({ listingId: Id, sku: z.string(), message: z.string() })),
  jobId: Id.nullable(),
});
export type BulkOutcome = z.output<typeof BulkOutcome>;

/** The result of a user's bulk action. `undoId` is for POST /api/listings/undo; null when nothing changed. */
export const ActionResult = BulkOutcome.extend({ undoId: z.uuid().nullable() });
export type ActionResult = z.output<typeof ActionResult>;

/**
 * POST /api/listings/undo: undoes one of the caller's own actions, listing by listing, where its values were
 * not changed later. Both fields come from the response of the action.
 */
export const UndoAction = z.strictObject({
  undoId: z.uuid(),
  jobId: Id.nullable(),
  ...Confirmed,
});
export type UndoAction = z.output<typeof UndoAction>;
