import type { RepricingLimitsRow } from '#db/queries/repricing/repricing-limits.ts';

/** The direction in which each limit becomes looser. Times in minutes. */
const LOOSER = {
  maxOfferAgeMinutes: 'up',
  maxStep: 'up',
  maxDailyChange: 'up',
  minStep: 'down',
  cooldownMinutes: 'down',
  priceWarThreshold: 'up',
  priceWarPauseMinutes: 'down',
  holdMinutes: 'down',
  breakerDropShare: 'up',
  breakerDropDepth: 'up',
  breakerSameOutcomeShare: 'up',
} as const satisfies Partial<Record<keyof RepricingLimitsRow, 'up' | 'down'>>;

type Limit = keyof typeof LOOSER;
const LIMITS = Object.entries(LOOSER) as readonly [Limit, 'up' | 'down'][];

/** Whether any limit is looser than before; turning repricing on counts. */
export function isLooser(
  before: Pick<RepricingLimitsRow, Limit | 'autoRepricing'>,
  after: Pick<RepricingLimitsRow, Limit | 'autoRepricing'>,
): boolean {
  if (after.autoRepricing && !before.autoRepricing) return true;
  return LIMITS.some(([limit, way]) =>
    way === 'up' ? after[limit] > before[limit] : after[limit] < before[limit],
  );
}
