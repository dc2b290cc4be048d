import type { KeepReason, PriceReason } from './decision.ts';
import type { ListingFacts } from './facts.ts';
import type { Policy } from './policy.ts';
import { type Cents, hours } from './units.ts';

/**
 * Step 8: why a move has to wait although it is legal and within reach; null when it need not.
 * A repair sits out no rest.
 * @param isCurrentLegal an illegal price that was not uploaded yet must not leave: it is not waited for
 */
export function reasonToWait(
  { price, reason }: { readonly price: Cents | null; readonly reason: PriceReason },
  isCurrentLegal: boolean,
  facts: ListingFacts,
  policy: Policy,
): KeepReason | null {
  const current = facts.currentPrice as Cents;
  if (price === null || price === current) return null;
  if (facts.awaitingUpload && isCurrentLegal) return 'awaiting_upload';
  if (price === facts.pendingPrice) return 'already_sent';
  if (facts.refusedPrices.includes(price)) return 'refused';
  if (reason === 'repair') return null;
  // Each limit is put so that one that cannot be read (NaN) holds instead of letting go.
  if (!(Math.abs(price - current) >= policy.minStep)) return 'minimum_step';
  if (facts.lastChangedAt !== null && !(policy.now - facts.lastChangedAt >= policy.cooldown))
    return 'cooldown';
  return isAtWar(facts, policy) ? 'price_war' : null;
}

/** Whether a reason to wait leaves another way out of an illegal price: the engine's own rest, or a refusal of that price. */
export function hasOtherWay(reason: KeepReason): boolean {
  return reason === 'refused' || reason === 'minimum_step' || reason === 'cooldown' || reason === 'price_war';
}

const DAY = hours(24);

/** Lowered too often in 24 hours against one competitor, and the rest after the last time is not over. */
function isAtWar({ lowered }: ListingFacts, policy: Policy): boolean {
  if (lowered === null || lowered.times < policy.warLimit) return false;
  const since = policy.now - lowered.lastAt;
  return !(since >= Math.min(policy.warHold, DAY));
}
