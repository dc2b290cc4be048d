import { CAPABILITIES } from './marketplace-capabilities.ts';
import type { Marketplace } from './marketplaces.ts';

/** What is read of a marketplace, each in its own rhythm. */
export const SYNC_KINDS = ['listings', 'offers', 'sales', 'figures', 'fees'] as const;
export type SyncKind = (typeof SYNC_KINDS)[number];

/** Those that a marketplace has anything to tell of. */
export function syncKindsOf(marketplace: Marketplace): SyncKind[] {
  const { rivals, figures, fees } = CAPABILITIES[marketplace];
  const isTold: Readonly<Record<SyncKind, boolean>> = {
    listings: true,
    sales: true,
    offers: rivals !== 'none',
    figures: figures.length > 0,
    fees: fees === 'before_sale',
  };
  return SYNC_KINDS.filter((what) => isTold[what]);
}
