import type { Marketplace } from '#domain/marketplaces.ts';
import { CAPABILITIES } from './marketplace-capabilities.ts';

/** The kinds of data that are synced, each on its own schedule. */
export const SYNC_KINDS = [
  'listings',
  'offers',
  'sales',
  'figures',
  'fees',
  'money',
  'featured_prices',
] as const;
export type SyncKind = (typeof SYNC_KINDS)[number];

/** The kinds that a marketplace provides. */
export function syncKindsOf(marketplace: Marketplace): SyncKind[] {
  const { competitors, figures, fees, money, featuredPrices } = CAPABILITIES[marketplace];
  const isProvided: Readonly<Record<SyncKind, boolean>> = {
    listings: true,
    sales: true,
    offers: competitors !== 'none',
    figures: figures.length > 0,
    fees: fees === 'before_sale',
    money,
    featured_prices: featuredPrices,
  };
  return SYNC_KINDS.filter((what) => isProvided[what]);
}
