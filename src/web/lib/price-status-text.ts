import type { PriceInProgress } from '#contract/price-status.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { formatMoment } from './moments.ts';

const PRICE_STATUS_TEXT = {
  queued: { name: 'Queued', meaning: 'It is sent to the marketplace within seconds.' },
  sent: { name: 'Sent', meaning: 'The marketplace has not answered yet.' },
  accepted: {
    name: 'Accepted, not confirmed',
    meaning: 'Accepted by the marketplace. Buyers do not see it yet.',
  },
  unknown: {
    name: 'Not confirmed',
    meaning: 'Delivery not confirmed. Pricewright checks the price on the marketplace before sending again.',
  },
  rejected: { name: 'Rejected', meaning: 'The earlier price stays.' },
  expired: { name: 'Not sent', meaning: 'The earlier price stays.' },
} as const satisfies Record<PriceInProgress['state'], { name: string; meaning: string }>;

/** The status of a price sent to its marketplace: a label and its meaning. */
export function priceStatusText(
  { state, isRefused, pausedUntil }: Pick<PriceInProgress, 'state' | 'isRefused' | 'pausedUntil'>,
  marketplace: Marketplace,
): { readonly name: string; readonly meaning: string } {
  if (pausedUntil !== null) {
    const name = MARKETPLACE_NAMES[marketplace];
    const when = formatMoment(pausedUntil, 'short');
    return { name: `Waiting until ${when}`, meaning: `${name} does not accept prices before then.` };
  }
  const words = PRICE_STATUS_TEXT[state];
  if (!isRefused) return words;
  const meaning =
    'The earlier price stays. This price is not sent again until something changes or you try again.';
  return { name: `Rejected by ${MARKETPLACE_NAMES[marketplace]}`, meaning };
}
