import { minutes } from '#domain/units.ts';

/*
 * Moving listings into eBay's Inventory model. A person asks for it; no price changes by it, and eBay describes no way
 * back.
 */

/** `waiting`: asked for. `sent`: the call may have left. `unknown`: its result was lost. The others are final. */
export const MIGRATION_STATES = ['waiting', 'sent', 'unknown', 'migrated', 'refused'] as const;
export type MigrationState = (typeof MIGRATION_STATES)[number];

/** Items that one request may name. */
export const MAX_MIGRATED_AT_ONCE = 100;

/** What waits longer is no longer sent, since the listing may have changed. */
export const MIGRATION_WAITS_FOR = minutes(60);

/** Why an item cannot be migrated: eBay asks for a custom label on it. */
export type MigrationProblem = 'no_label';

/** The SKU here of an eBay listing without a custom label. */
export function unlabeledSku(itemId: string): string {
  return `ebay-${itemId}`;
}

/** @param skus of our listings that an item holds */
export function migrationProblemOf(itemId: string, skus: readonly string[]): MigrationProblem | null {
  return skus.includes(unlabeledSku(itemId)) ? 'no_label' : null;
}
