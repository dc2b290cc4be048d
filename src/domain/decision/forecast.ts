import type { CostGap } from '#domain/costs/cost.ts';
import { costWithoutFees } from '#domain/costs/cost-without-fees.ts';
import { profitOf } from '#domain/costs/profit.ts';
import type { Cents } from '#domain/units.ts';
import { decide } from './decide.ts';
import type { BlockReason, Decision, KeepReason, ReviewReason } from './decision.ts';
import type { ListingFacts } from './facts.ts';
import type { DecisionCase } from './stored-case.ts';

/** Why the engine cannot price a listing; an unknown cost is represented by its gaps. */
export type ListingProblem = Exclude<BlockReason, 'unknown_cost'> | CostGap['kind'] | 'no_rule';

/**
 * The totals of a run preview on one marketplace; for one set to recommend only, the totals if it were live.
 */
export class MarketplaceForecast {
  raised = 0;
  lowered = 0;
  /** The sum of all price changes in cents, as if each listing sold once. */
  priceChange = 0;
  /** The change of the profit of these sales in cents. Null if a profit is out of range. */
  profitChange: number | null = 0;
  /** New prices that need review even on a live marketplace, by reason. */
  readonly waiting = new Map<ReviewReason, number>();
  /** Listings that the engine cannot price, counted under each of their problems. */
  readonly problems = new Map<ListingProblem, number>();

  /** @param decided the planned decision for a listing of this marketplace */
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
    const totalCost = costWithoutFees({ cost, fees });
    const profitAt = (price: Cents): Cents | null =>
      shippingCharge === null || totalCost === null || fees === null
        ? null
        : profitOf(price, shippingCharge, totalCost, fees);
    const [before, after] = [profitAt(from), profitAt(to)];
    if (this.profitChange !== null) {
      this.profitChange = before === null || after === null ? null : this.profitChange + after - before;
    }
  }
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

const WITHOUT_RULE: ReadonlySet<string> = new Set<KeepReason>([
  'no_rule',
  'own_rule_paused',
  'own_rule_mismatch',
  'own_rule_off_hours',
  'own_rule_missing',
]);

function problemsOf({ cost }: ListingFacts, { kind, reason }: Decision): Iterable<ListingProblem> {
  if (kind === 'keep') return WITHOUT_RULE.has(reason) ? ['no_rule'] : [];
  if (kind !== 'blocked') return [];
  if (reason !== 'unknown_cost') return [reason];
  return new Set(cost.gaps.map((gap) => gap.kind));
}
