import type { Account } from '#connectors/connector.ts';
import type { MarketplaceLimits } from '#domain/limits/marketplace-limits.ts';
import { moneyText } from '#domain/text.ts';
import { type Cents, isPrice } from '#domain/units.ts';
import { NAME } from './shopify-calls.ts';

/** The prices of a variant. With a compare-at price above it, buyers see a sale. */
export interface VariantPrices {
  readonly price: Cents | null;
  readonly compareAtPrice: Cents | null;
}

/** Why a variant on sale is not repriced; null where it may be, also by the setting of the account. */
export function saleReason({ price, compareAtPrice }: VariantPrices, account: Account): string | null {
  if (price === null || compareAtPrice === null || compareAtPrice <= price || mayRepriceSales(account))
    return null;
  return `On sale in ${NAME}: ${moneyText(price)}, before ${moneyText(compareAtPrice)}.`;
}

/** The compare-at price is never written: where sales are repriced, the price stays below it. Null for no limit. */
export function saleLimits(
  { price, compareAtPrice }: VariantPrices,
  account: Account,
): MarketplaceLimits | null {
  if (price === null || compareAtPrice === null || compareAtPrice <= price || !mayRepriceSales(account))
    return null;
  const max = compareAtPrice - 1;
  return isPrice(max) ? { min: null, max, map: null } : null;
}

function mayRepriceSales({ credentials }: Account): boolean {
  return credentials.repriceOnSale?.trim().toLowerCase() === 'yes';
}
