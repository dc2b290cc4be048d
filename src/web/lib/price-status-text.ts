import type { PriceInProgress } from '#contract/price-status.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';

const WORDS = {
  queued: { name: 'Queued', meaning: 'It is sent to the marketplace within seconds.' },
  sent: { name: 'Sent', meaning: 'The marketplace has not answered yet.' },
  accepted: { name: 'Accepted, not live yet', meaning: 'The marketplace took it; buyers do not see it yet.' },
  unknown: {
    name: 'Unknown, being read back',
    meaning: 'Nobody knows whether it arrived. What buyers see is read before anything else is sent.',
  },
  rejected: { name: 'Rejected', meaning: 'The price before stays.' },
  expired: { name: 'Not sent', meaning: 'The price before stays.' },
} as const satisfies Record<PriceInProgress['state'], { name: string; meaning: string }>;

/** How far a price is on its way to its marketplace: in a word or two, and what that means. */
export function underWayWords(
  { state, isRefused }: Pick<PriceInProgress, 'state' | 'isRefused'>,
  marketplace: Marketplace,
): { readonly name: string; readonly meaning: string } {
  const words = WORDS[state];
  if (!isRefused) return words;
  const meaning = 'The price before stays. It is not sent again until something changes or you try again.';
  return { name: `Refused by ${MARKETPLACE_NAMES[marketplace]}`, meaning };
}
