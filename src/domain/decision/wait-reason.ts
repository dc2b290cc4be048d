import type { Policy } from '#domain/limits/policy.ts';
import { type Cents, hours, type Instant, type Millis } from '#domain/units.ts';
import type { KeepReason, PriceReason } from './decision.ts';
import type { ListingFacts } from './facts.ts';

/**
 * Step 8: why an allowed move within the move range has to wait; null if it does not.
 * A correction ignores the cooldown.
 * @param isCurrentAllowed only an allowed price waits for its upload: one that is not allowed must not be uploaded
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
  if (isPaused(facts, policy.now) && !(reason === 'repair' && facts.sendPause?.allowsRepairs))
    return 'send_paused';
  if (reason === 'repair') return null;
  // Each comparison is written so that an invalid limit (NaN) makes the price wait.
  if (!(Math.abs(price - current) >= policy.minStep)) return 'minimum_step';
  if (facts.lastChangedAt !== null && !(policy.now - facts.lastChangedAt >= policy.cooldown))
    return 'cooldown';
  return isInPriceWar(facts, policy) ? 'price_war' : null;
}

/** Whether a price that is not allowed may be corrected despite this reason: a cooldown, a pause, or a rejection of the other price. */
export function allowsCorrection(reason: KeepReason): boolean {
  return CORRECTABLE.has(reason);
}

const CORRECTABLE: ReadonlySet<KeepReason> = new Set([
  'refused',
  'send_paused',
  'minimum_step',
  'cooldown',
  'price_war',
]);

/** A pause that cannot be read lasts. */
function isPaused({ sendPause }: ListingFacts, now: Instant): boolean {
  return sendPause != null && !(sendPause.until <= now);
}

const DAY = hours(24);

/**
 * The latest time at which the price may move again; a price war also ends once enough of its cuts are a day old. Null
 * for a reason that does not end with time, and for an invalid time or limit.
 */
export function waitEnd(reason: KeepReason, facts: ListingFacts, policy: Policy): Instant | null {
  const end = WAIT_ENDS[reason]?.(facts, policy) ?? Number.NaN;
  return Number.isFinite(end) ? (end as Instant) : null;
}

const WAIT_ENDS: Partial<Record<KeepReason, (facts: ListingFacts, policy: Policy) => number>> = {
  cooldown: ({ lastChangedAt }, { cooldown }) => (lastChangedAt ?? Number.NaN) + cooldown,
  price_war: ({ priceWarStreak }, policy) =>
    (priceWarStreak?.lastAt ?? Number.NaN) + effectivePriceWarPause(policy),
  send_paused: ({ sendPause }) => sendPause?.until ?? Number.NaN,
};

/** How long repricing pauses in a price war: up to 24 hours, since older cuts do not count. */
export function effectivePriceWarPause({ priceWarPause }: Policy): Millis {
  return Math.min(priceWarPause, DAY) as Millis;
}

/** Whether the price was lowered too often in 24 hours against one competitor and the pause since then is not over. */
function isInPriceWar({ priceWarStreak }: ListingFacts, policy: Policy): boolean {
  if (priceWarStreak === null || priceWarStreak.times < policy.priceWarThreshold) return false;
  const since = policy.now - priceWarStreak.lastAt;
  return !(since >= effectivePriceWarPause(policy));
}
