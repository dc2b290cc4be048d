import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { MONEY_KINDS } from '#domain/money/money-event.ts';
import { RECONCILIATIONS } from '#domain/sales/reconcile-sale.ts';
import { MONEY_STATES } from '#domain/sales/settle-sale.ts';
import { Day, Id, Moment, Money, PageParam, sizeParam } from './fields.ts';
import { ProfitSums, SumsOfSales } from './profit-sums.ts';
import { RUN_TRIGGERS } from './run-triggers.ts';

export const SALES_PAGE_SIZES = [25, 50, 100, 200] as const;

/**
 * What is known of the fees of a sale: `estimated` from the fee schedule in force, `told` by the marketplace (commission,
 * for FBA and WFS fulfillment too, of all units), or `partly_told`.
 */
const State = z.enum(MONEY_STATES);

/** Which sales; all conditions apply together. Days are those of the shop, both inclusive. */
const SalesFilter = z.strictObject({
  marketplace: z.enum(MARKETPLACES).optional(),
  listing: Id.optional(),
  /** The rule and the run that set the price. */
  rule: Id.optional(),
  run: Id.optional(),
  state: State.optional(),
  /** Whether the profit is known. */
  known: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
  /** Only sales that were not reported within 45 days, of marketplaces and times whose money was read. */
  late: z.literal('true').optional(),
  /** Whether it earned less than the minimum margin of the rule that set its price, else of its listing's rule. Neither has sales of unknown profit. */
  below: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
  from: Day.optional(),
  to: Day.optional(),
});

/** GET /api/sales/export.csv: all that match, the newest first. */
export const SalesExportQuery = SalesFilter;
export type SalesExportQuery = z.output<typeof SalesExportQuery>;

/** GET /api/sales: the newest first. */
export const SalesQuery = SalesFilter.extend({ page: PageParam, size: sizeParam(SALES_PAGE_SIZES, 50) });

/** One order line. A null amount is unknown, and then so is the profit. */
export const Sale = z.object({
  id: Id,
  listingId: Id,
  marketplace: z.enum(MARKETPLACES),
  sku: z.string(),
  productTitle: z.string(),
  isListingDeleted: z.boolean(),
  orderRef: z.string().nullable(),
  lineNumber: z.int().nullable(),
  saleDate: Moment,
  quantitySold: z.int(),
  unitPrice: Money,
  /** What the buyer paid for the units, less discounts, without shipping and tax. */
  totalRevenue: Money,
  shippingRevenue: Money.nullable(),
  /** The fees reported for each kind, or else the estimated ones; below zero where more came back than was charged. */
  marketplaceFees: Money.nullable(),
  feesEstimated: Money.nullable(),
  feesTold: Money.nullable(),
  /** Product, packaging and misc cost of one unit, as of the sale. */
  unitCost: Money.nullable(),
  /** Of all units. */
  shippingCost: Money.nullable(),
  totalCost: Money.nullable(),
  /** Profit, per unit and of the line. */
  marginPerUnit: Money.nullable(),
  totalMargin: Money.nullable(),
  /** Received beyond what the order reported: discounts that the marketplace funded, and corrections. */
  adjustment: Money.nullable(),
  /** Null where nothing was reported, as for refunds. */
  ads: Money.nullable(),
  /** What returns and claims cost, less what came back for them, goods included. */
  refunds: Money.nullable(),
  /** Units that came back into stock. */
  restocked: z.int(),
  /** What was estimated and what was reported, each signed: above zero is received. */
  parts: z
    .array(z.object({ kind: z.enum(MONEY_KINDS), estimated: Money.nullable(), told: Money.nullable() }))
    .readonly(),
  /**
   * What set the price: a source of the price history, or `earlier` than it; with its rule and run. Null until it is
   * calculated.
   */
  priceSource: z.string().nullable(),
  ruleId: Id.nullable(),
  runId: Id.nullable(),
  state: State,
  /** Some of it was booked, but not released yet. */
  isPending: z.boolean(),
  /** A part of the profit is an estimate. */
  isAbout: z.boolean(),
  /** Null until the figures were calculated for the first time. */
  computedAt: Moment.nullable(),
  createdAt: Moment,
});
export type Sale = z.output<typeof Sale>;

/**
 * GET /api/sales/:id: a sale with what was reported of its fees held against the estimates: `matching` to the cent,
 * `differs`, or `waiting` to be reported for all units; null where nothing was estimated, and of each kind while the fees were reported
 * as one amount: their sum is compared.
 */
export const SaleDetail = Sale.extend({
  /** Of one unit, as of the sale: what a unit that came back into stock returns. */
  productCost: Money.nullable(),
  reconciliation: z.enum(RECONCILIATIONS).nullable(),
  parts: z
    .array(
      z.object({
        kind: z.enum(MONEY_KINDS),
        estimated: Money.nullable(),
        told: Money.nullable(),
        reconciliation: z.enum(RECONCILIATIONS).nullable(),
      }),
    )
    .readonly(),
});
export type SaleDetail = z.output<typeof SaleDetail>;

/** PUT /api/sales/:id/restocked: the units of a sale that came back into stock; 0 takes it back. */
export const RestockSale = z.strictObject({ units: z.int().min(0).max(2_147_483_647) });
export const RestockedSale = z.object({ id: Id, restocked: z.int() });

export const SalesPage = z.object({
  rows: z.array(Sale),
  total: z.int(),
  /** With `below=true`: how much more all of them had to earn to have their minimum margin. */
  lost: Money.nullable(),
  /** A part of `lost` is an estimate. */
  isLostAbout: z.boolean(),
});
export type SalesPage = z.output<typeof SalesPage>;

export const PROFIT_PAGE_SIZES = [25, 50, 100, 200, 400] as const;

export const PROFIT_GROUPS = ['day', 'marketplace', 'listing', 'sku', 'rule', 'run'] as const;
export type ProfitGroup = (typeof PROFIT_GROUPS)[number];
export const PROFIT_SORTS = ['key', 'units', 'revenue', 'profit', 'margin', 'sales'] as const;
type ProfitSort = (typeof PROFIT_SORTS)[number];

/** A sort key with "-" before it for descending: "-margin". What is unknown comes last either way. */
const ProfitSortParam = z
  .string()
  .regex(/^-?[a-zA-Z]{1,40}$/)
  .refine((text) => (PROFIT_SORTS as readonly string[]).includes(text.replace('-', '')), {
    message: `Expected one of ${PROFIT_SORTS.join(', ')}, with - before it for descending`,
  })
  .transform((text) => ({ by: text.replace('-', '') as ProfitSort, descending: text.startsWith('-') }));

const BY_DAY = { by: 'key', descending: false } as const;
const BY_PROFIT = { by: 'profit', descending: true } as const;

/**
 * GET /api/profit: sums of sales by day, marketplace, listing, SKU, rule or run. Days are those of the shop, both inclusive. By default,
 * days come in order and everything else by profit, the most first.
 */
export const ProfitQuery = z
  .strictObject({
    group: z.enum(PROFIT_GROUPS).prefault('day'),
    from: Day,
    to: Day,
    marketplace: z.enum(MARKETPLACES).optional(),
    sort: ProfitSortParam.optional(),
    page: PageParam,
    size: sizeParam(PROFIT_PAGE_SIZES, 100),
  })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: 'Expected a day not before the first one' })
  .transform(({ sort, ...query }) => ({
    ...query,
    sort: sort ?? (query.group === 'day' ? BY_DAY : BY_PROFIT),
  }));

const UnlistedSums = z.object({
  fees: Money.nullable(),
  ads: Money.nullable(),
  refunds: Money.nullable(),
  profit: Money,
});
export type UnlistedSums = z.output<typeof UnlistedSums>;

/**
 * `key` is the day, the marketplace, the ID of the listing, the SKU, or the ID of the rule or run that set the price.
 * Sales at another price are `typed`, `imported`, `observed` at the marketplace, or `earlier` than the first recorded
 * price; `none` is what was booked without a sale.
 */
const ProfitRow = z.object({
  key: z.string(),
  listing: z
    .object({
      marketplace: z.enum(MARKETPLACES),
      sku: z.string(),
      title: z.string(),
      isDeleted: z.boolean(),
    })
    .nullable(),
  /** Null but for a rule, and but for a run. */
  rule: z.object({ name: z.string(), isDeleted: z.boolean() }).nullable(),
  run: z.object({ trigger: z.enum(RUN_TRIGGERS), startedAt: Moment }).nullable(),
  ...SumsOfSales,
});
export type ProfitRow = z.output<typeof ProfitRow>;

export const Profit = z.object({
  rows: z.array(ProfitRow),
  /** Number of all rows. */
  total: z.int(),
  /** Of all rows, and of what belongs to no listing. */
  sum: ProfitSums,
  /**
   * What of the sum was booked for no listing, as advertising by day, plans and storage of other goods; null where nothing
   * was. It is among the sums of its day and marketplace, and in no row by listing or SKU.
   */
  unlisted: UnlistedSums.nullable(),
});
export type Profit = z.output<typeof Profit>;
