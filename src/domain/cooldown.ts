import type { KeepReason, PriceReason } from './decision.ts';
import type { ListingFacts } from './facts.ts';
import type { Policy } from './policy.ts';
import { type Cents, hours, type Instant, type Millis } from './units.ts';

/**
 * Step 8: why a move has to wait although it is allowed and within the move range; null when it need not.
 * A repair waits for no cooldown.
 * @param isCurrentAllowed a price that is not allowed that was not uploaded yet must not leave: it is not waited for
 */
export function waitReason(
  { price, reason }: { readonly price: Cents | null; readonly reason: PriceReason },
  isCurrentAllowed: boolean,
  facts: ListingFacts,
  policy: Policy,
): KeepReason | null {
  const current = facts.currentPrice as Cents;
  if (price === null || price === current) return null;
  if (facts.awaitingUpload && isCurrentAllowed) return 'awaiting_upload';
  if (price === facts.pendingPrice) return 'already_sent';
  if (facts.refusedPrices.includes(price)) return 'refused';
  if (reason === 'repair') return null;
  // Each limit is put so that one that cannot be read (NaN) holds instead of letting go.
  if (!(Math.abs(price - current) >= policy.minStep)) return 'minimum_step';
  if (facts.lastChangedAt !== null && !(policy.now - facts.lastChangedAt >= policy.cooldown))
    return 'cooldown';
  return isInPriceWar(facts, policy) ? 'price_war' : null;
}

/** Whether a reason to wait leaves another way out of a price that is not allowed: a cooldown or pause of the engine, or a refusal of that price. */
export function allowsCorrection(reason: KeepReason): boolean {
  return reason === 'refused' || reason === 'minimum_step' || reason === 'cooldown' || reason === 'price_war';
}

const DAY = hours(24);

/**
 * When a wait is over and the price may move again, at the latest: a price war also ends once enough of its cuts are a day
 * old. Null for a reason to wait that no clock ends, and where a time or limit cannot be read.
 */
export function restEnd(reason: KeepReason, facts: ListingFacts, policy: Policy): Instant | null {
  const end = REST_ENDS[reason]?.(facts, policy) ?? Number.NaN;
  return Number.isFinite(end) ? (end as Instant) : null;
}

const REST_ENDS: Partial<Record<KeepReason, (facts: ListingFacts, policy: Policy) => number>> = {
  cooldown: ({ lastChangedAt }, { cooldown }) => (lastChangedAt ?? Number.NaN) + cooldown,
  price_war: ({ priceWarStreak }, policy) => (priceWarStreak?.lastAt ?? Number.NaN) + warPause(policy),
};

/** How long repricing pauses in a price war: a day at most, for older cuts are forgotten. */
export function warPause({ priceWarPause }: Policy): Millis {
  return Math.min(priceWarPause, DAY) as Millis;
}

/** Lowered too often in 24 hours against one competitor, and the pause after the last time is not over. */
function isInPriceWar({ priceWarStreak }: ListingFacts, policy: Policy): boolean {
  if (priceWarStreak === null || priceWarStreak.times < policy.priceWarThreshold) return false;
  const since = policy.now - priceWarStreak.lastAt;
  return !(since >= warPause(policy));
}
