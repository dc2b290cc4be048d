import type { Marketplace } from '#domain/marketplaces.ts';

/** The name of the duty to read a marketplace: one process has it at a time. */
export function syncLease(marketplace: Marketplace): string {
  return `read:${marketplace}`;
}
