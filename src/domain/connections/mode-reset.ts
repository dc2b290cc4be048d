import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';

/**
 * Why a live marketplace was reset to recommend only. `connected`: prices are now sent there. `account`: prices may now
 * go to another account. `external_edits`: more prices were changed there within an hour than are repaired.
 */
export const MODE_RESET_REASONS = ['connected', 'account', 'external_edits'] as const;
export type ModeResetReason = (typeof MODE_RESET_REASONS)[number];

/** The reset as a sentence for users. */
export function modeResetSentence(marketplace: Marketplace, reason: ModeResetReason): string {
  const what = {
    connected: 'was connected',
    account: 'may be another account now',
    external_edits: 'has prices below their lowest allowed price that were changed there, too many to repair',
  }[reason];
  return `${MARKETPLACE_NAMES[marketplace]} ${what}: it only recommends prices until you go live.`;
}
