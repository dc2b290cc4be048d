import { MARKETPLACE_NAMES, type Marketplace } from './marketplaces.ts';

/**
 * Why a marketplace that was armed was put back to observing when the settings were saved. `connected`: from then on
 * prices are sent there. `account`: they are sent to what may be another account.
 */
export const MODE_RESET_REASONS = ['connected', 'account'] as const;
export type ModeResetReason = (typeof MODE_RESET_REASONS)[number];

/** The same for people, in one sentence. */
export function modeResetSentence(marketplace: Marketplace, reason: ModeResetReason): string {
  const what = { connected: 'was connected', account: 'may be another account now' }[reason];
  return `${MARKETPLACE_NAMES[marketplace]} ${what}: it only recommends prices until you go live.`;
}
