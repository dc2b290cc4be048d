import type { CostGap } from './cost.ts';
import { decide } from './decide.ts';
import type { BlockReason, Decision, KeepReason, ReviewReason } from './decision.ts';
import type { ListingFacts } from './facts.ts';
import { profitOf } from './profit.ts';
import type { DecisionCase } from './stored-case.ts';
import type { Cents } from './units.ts';

/** Why a listing has no price of the engine's; an unknown cost is told by its gaps. */
export type ListingProblem = Exclude<BlockReason, 'unknown_cost'> | CostGap['kind'] | 'no_rule';

/**
 * What a plan comes to on one marketplace; where that only observes, what it would come to if this one were armed too.
 */
export class MarketplaceForecast {
  raised = 0;
  lowered = 0;
  /** All new prices together, less the old ones: cents, as if each listing sold once. */
  priceChange = 0;
  /** What these sales would leave more, after fees and costs: cents. Null when one of them is beyond all amounts. */
  profitChange: number | null = 0;
  /** New prices that wait for a person even where the engine is armed, by the reason. */
  readonly waiting = new Map<ReviewReason, number>();
  /** Listings without a price of the engine's, once under each of their problems. */
  readonly problems = new Map<ListingProblem, number>();

  /** @param decided what the plan says about a listing of this marketplace */
  add({ facts, choice, policy }: DecisionCase, decided: Decision): void {
    const decision =
      decided.reviewReason === 'recommend_only'
        ? decide(facts, choice, { ...policy, mode: 'live' })
        : decided;
    for (const problem of problemsOf(facts, decision)) count(this.problems, problem);
    if (decision.kind === 'recommend') count(this.waiting, decision.reviewReason);
    if (decision.kind === 'change') this.#addMove(facts, facts.currentPrice as Cents, decision.price);
  }

  #addMove({ shippingCharge, cost, fees }: ListingFacts, from: Cents, to: Cents): void {
    if (to > from) this.raised++;
    else this.lowered++;
    this.priceChange += to - from;
    const profitAt = (price: Cents): Cents | null =>
      shippingCharge === null || cost.total === null || fees === null
        ? null
        : profitOf(price, shippingCharge, cost.total, fees);
    const [before, after] = [profitAt(from), profitAt(to)];
    if (this.profitChange !== null) {
      this.profitChange = before === null || after === null ? null : this.profitChange + after - before;
    }
  }
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

const UNRULED: ReadonlySet<string> = new Set<KeepReason>([
  'no_rule',
  'own_rule_paused',
  'own_rule_mismatch',
  'own_rule_missing',
]);

function problemsOf({ cost }: ListingFacts, { kind, reason }: Decision): Iterable<ListingProblem> {
  if (kind === 'keep') return UNRULED.has(reason) ? ['no_rule'] : [];
  if (kind !== 'blocked') return [];
  if (reason !== 'unknown_cost') return [reason];
  return new Set(cost.gaps.map((gap) => gap.kind));
}
