import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';

/** An amount of money in the API: a decimal string with two decimals, such as "1234.50". */
const Money = z.string().regex(/^-?\d+\.\d{2}$/);

export const MarketplaceStats = z.object({
  marketplace: z.enum(MARKETPLACES),
  totalListings: z.int(),
  /** Listings with auto-repricing on. */
  activeListings: z.int(),
  /** Sum of the current prices. */
  totalValue: Money,
  avgPrice: Money,
  /** Count of listings by fulfillment type. */
  fulfillmentBreakdown: z.record(z.string(), z.int()),
});
export type MarketplaceStats = z.output<typeof MarketplaceStats>;

/** A change in percent with one decimal, such as "2.4" or "-10.0". */
const Trend = z
  .string()
  .regex(/^-?\d+\.\d$/)
  .nullable();

/** The figures of the Dashboard. `byMarketplace` names only marketplaces with a listing. */
export const Stats = z.object({
  overall: z.object({
    totalListings: z.int(),
    totalSkus: z.int(),
    totalValue: Money,
    activeRules: z.int(),
    /** Price changes of the last 24 hours, without imports and external edits. */
    recentPriceChanges: z.int(),
  }),
  /** Each figure compared to 7 days earlier; null without a figure to compare with. */
  trends: z.object({
    totalListings: Trend,
    totalSkus: Trend,
    totalValue: Trend,
    recentPriceChanges: Trend,
  }),
  byMarketplace: z.array(MarketplaceStats),
});
export type Stats = z.output<typeof Stats>;
