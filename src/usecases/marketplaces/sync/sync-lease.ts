import type { Marketplace } from '#domain/marketplaces.ts';

/** Name of the lease for syncing a marketplace; one process holds it at a time. */
export function syncLease(marketplace: Marketplace): string {
  return `read:${marketplace}`;
}
