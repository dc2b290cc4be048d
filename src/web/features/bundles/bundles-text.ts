import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { ApiError, CallError } from '#web/lib/api.ts';
import { countOf } from '#web/lib/format.ts';

const ounces = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 4 });

/** "16.0 oz" */
export function weightText(weight: number): string {
  return `${ounces.format(weight)} oz`;
}

/** "Applies to 3 listings: Walmart, Amazon, eBay" */
export function reachText(marketplaces: readonly Marketplace[]): string {
  if (marketplaces.length === 0) return 'No listing has this SKU yet. The bundle applies when one is added.';
  const names = marketplaces.map((marketplace) => MARKETPLACE_NAMES[marketplace]).join(', ');
  return `Applies to ${countOf(marketplaces.length, 'listing', 'listings')}: ${names}`;
}

/** "SET-1 - Blue set"; only the SKU if it has no title. */
export function listingText({ sku, title }: { sku: string; title: string | null }): string {
  return title === null ? sku : `${sku} - ${title}`;
}

/** The message of a failed call, or a fixed one if the response has none, as from the error page of a proxy. */
export function refusalText(error: unknown, otherwise: string): string {
  const isWordless = error instanceof ApiError && error.code === null;
  return error instanceof CallError && !isWordless ? error.text : otherwise;
}
