import type { Marketplace } from '#domain/marketplaces.ts';

/*
 * The names of the leases, by the task that one process does at a time: they are rows of `leases`, and `pricewright
 * doctor` shows them.
 */

/** Sending the prices of a marketplace. */
export function sendLease(marketplace: Marketplace): string {
  return `send:${marketplace}`;
}

/** Syncing a marketplace. Earlier releases hold it by this name: during an upgrade only one of the two may sync. */
export function syncLease(marketplace: Marketplace): string {
  return `read:${marketplace}`;
}

/** Keeping the event subscriptions of a marketplace alive. */
export function subscriptionLease(marketplace: Marketplace): string {
  return `subscribe:${marketplace}`;
}

/** Listening to the queue of Amazon's notifications. */
export const LISTEN_LEASE = 'listen:amazon';

/** Delivering events to the seller's webhook receivers. */
export const DELIVERY_LEASE = 'webhooks';

/** Making scheduled backups. */
export const BACKUP_LEASE = 'backup';
