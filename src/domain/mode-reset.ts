import { MARKETPLACE_NAMES, type Marketplace } from './marketplaces.ts';

/**
 * Why saving the settings reset a live marketplace to recommend only. `connected`: prices are now sent there.
 * `account`: prices may now go to another account.
 */
export const MODE_RESET_REASONS = ['connected', 'account'] as const;
export type ModeResetReason = (typeof MODE_RESET_REASONS)[number];

/** The reset as a sentence for users. */
export function modeResetSentence(marketplace: Marketplace, reason: ModeResetReason): string {
  const what = { connected: 'was connected', account: 'may be another account now' }[reason];
  return `${MARKETPLACE_NAMES[marketplace]} ${what}: it only recommends prices until you go live.`;
}
