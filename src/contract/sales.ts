import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { Day, Id, Margin, Moment, Money, PageParam, sizeParam } from './wire.ts';

const SALES_PAGE_SIZES = [25, 50, 100, 200] as const;

/**
 * What is known of the fees of a sale: `estimated` from the fee schedule in force, `told` by the marketplace, or
 * `partly_told` when another part of the profit is still an estimate.
 */
const State = z.enum(['estimated', 'partly_told', 'told']);

/** GET /api/sales: the newest first. Days are those of UTC, both inclusive. */
export const SalesQuery = z.strictObject({
  marketplace: z.enum(MARKETPLACES).optional(),
  listing: Id.optional(),
  state: State.optional(),
  /** Whether the profit is known. */
  known: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
  from: Day.optional(),
  to: Day.optional(),
  page: PageParam,
  size: sizeParam(SALES_PAGE_SIZES, 50),
});

/** One order line. A null amount is unknown, and then so is the profit. */
const Sale = z.object({
  id: Id,
  listingId: Id,
  marketplace: z.enum(MARKETPLACES),
  sku: z.string(),
  productTitle: z.string(),
  orderRef: z.string().nullable(),
  lineNumber: z.int().nullable(),
  saleDate: Moment,
  quantitySold: z.int(),
  unitPrice: Money,
  /** What the buyer paid for the units, less discounts, without shipping and tax. */
  totalRevenue: Money,
  shippingRevenue: Money.nullable(),
  /** The told fees, or else the estimated ones. */
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
  state: State,
  /** A part of the profit is an estimate. */
  isAbout: z.boolean(),
  /** Null until the figures were calculated for the first time. */
  computedAt: Moment.nullable(),
  createdAt: Moment,
});

export const SalesPage = z.object({ rows: z.array(Sale), total: z.int() });

const PROFIT_PAGE_SIZES = [25, 50, 100, 200, 400] as const;

/**
 * GET /api/profit: sums of sales by day, marketplace, listing or SKU. Days are those of UTC, both inclusive. Days come
 * in order; everything else by profit, the most first.
 */
export const ProfitQuery = z
  .strictObject({
    group: z.enum(['day', 'marketplace', 'listing', 'sku']).prefault('day'),
    from: Day,
    to: Day,
    marketplace: z.enum(MARKETPLACES).optional(),
    page: PageParam,
    size: sizeParam(PROFIT_PAGE_SIZES, 100),
  })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: 'Expected a day not before the first one' });

/** Amounts are summed over the sales of which they are known, and null when they are known of none. */
const Sums = {
  units: z.int(),
  /** With shipping. */
  revenue: Money,
  fees: Money.nullable(),
  cost: Money.nullable(),
  shipping: Money.nullable(),
  profit: Money.nullable(),
  /** Of the revenue of the sales whose profit is known. */
  margin: Margin.nullable(),
  /** Order lines: all, those whose profit is known, and those of which nothing is estimated. */
  sales: z.int(),
  known: z.int(),
  told: z.int(),
};

export const Profit = z.object({
  /** `key` is the day, the marketplace, the ID of the listing, or the SKU. */
  rows: z.array(z.object({ key: z.string(), ...Sums })),
  /** Number of all rows. */
  total: z.int(),
  /** Of all rows. */
  sum: z.object(Sums),
});
