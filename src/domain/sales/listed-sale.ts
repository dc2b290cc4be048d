import type { Marketplace } from '#domain/marketplaces.ts';
import type { MONEY_STATES, SalePartText } from './settle-sale.ts';

/**
 * A sale in the format of lists and files: decimals as text, times as ISO 8601. Null is unknown; what was not booked is null too.
 */
export type ListedSale = {
  readonly id: string;
  readonly listingId: string;
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly productTitle: string;
  readonly isListingDeleted: boolean;
  readonly orderRef: string | null;
  readonly lineNumber: number | null;
  readonly saleDate: string;
  readonly quantitySold: number;
  readonly unitPrice: string;
  readonly totalRevenue: string;
  readonly shippingRevenue: string | null;
  readonly marketplaceFees: string | null;
  readonly feesEstimated: string | null;
  readonly feesTold: string | null;
  readonly unitCost: string | null;
  readonly shippingCost: string | null;
  readonly totalCost: string | null;
  readonly marginPerUnit: string | null;
  readonly totalMargin: string | null;
  readonly adjustment: string | null;
  readonly ads: string | null;
  readonly refunds: string | null;
  readonly restocked: number;
  readonly parts: readonly SalePartText[];
  /** What set the price, with its rule and run; null until it is calculated. */
  readonly priceSource: string | null;
  readonly ruleId: string | null;
  readonly runId: string | null;
  readonly state: (typeof MONEY_STATES)[number];
  readonly isPending: boolean;
  readonly isAbout: boolean;
  readonly computedAt: string | null;
  readonly createdAt: string;
};
