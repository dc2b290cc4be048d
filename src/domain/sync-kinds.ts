import { ABILITIES } from './marketplace-capabilities.ts';
import type { Marketplace } from './marketplaces.ts';

/** What is read of a marketplace, each in its own rhythm. */
export const READS = ['listings', 'offers', 'sales', 'figures', 'fees'] as const;
export type Read = (typeof READS)[number];

/** Those that a marketplace has anything to tell of. */
export function readsOf(marketplace: Marketplace): Read[] {
  const { rivals, figures, fees } = ABILITIES[marketplace];
  const isTold: Readonly<Record<Read, boolean>> = {
    ...{ listings: true, sales: true },
    ...{ offers: rivals !== 'none', figures: figures.length > 0, fees: fees === 'before_sale' },
  };
  return READS.filter((what) => isTold[what]);
}
