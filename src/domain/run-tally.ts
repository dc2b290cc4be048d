import { reviewReasonFor } from './decide.ts';
import type { Decision } from './decision.ts';
import type { DecisionCase } from './stored-case.ts';
import { type Bps, type Cents, WHOLE } from './units.ts';

/** The counts of a run that the circuit breaker compares. */
export interface RunShares {
  /** Listings that the engine may change. */
  readonly mayChange: number;
  /** Of these, listings whose rule is not Fixed Margin. */
  readonly competitive: number;
  /** Changes that lower a price by at least the depth of a drop. */
  readonly dropped: number;
  /** Changes to the margin floor, except by Fixed Margin. */
  readonly atMarginFloor: number;
  /** Blocked now and not at the last decision, since a known gap is no sign of a wrong run. */
  readonly newlyBlocked: number;
  /** Changes to the most frequent new price. */
  readonly atSamePrice: number;
}

/** Whether a move lowers the price by at least that share. */
export function isDrop(from: Cents, to: Cents, depth: Bps): boolean {
  return to * WHOLE <= from * (WHOLE - depth);
}

/** Counts the decisions of a run as they are made. */
export class RunTally implements RunShares {
  evaluated = 0;
  changed = 0;
  kept = 0;
  recommended = 0;
  blocked = 0;
  raised = 0;
  lowered = 0;
  mayChange = 0;
  competitive = 0;
  dropped = 0;
  atMarginFloor = 0;
  newlyBlocked = 0;
  atSamePrice = 0;
  /** The most frequent new price; null without a change. */
  commonPrice: Cents | null = null;
  readonly #byPrice = new Map<Cents, number>();
  readonly #dropDepth: Bps;

  /** @param dropDepth a price lowered by at least this share counts as dropped */
  constructor(dropDepth: Bps) {
    this.#dropDepth = dropDepth;
  }

  /** @param lastOutcome the kind of the listing's last decision; null for its first */
  add({ facts, choice, policy }: DecisionCase, decision: Decision, lastOutcome: string | null): void {
    const { rule } = choice;
    // A missing listing does not count as newly blocked: sync has its own check against incomplete catalogs.
    const isFree =
      !facts.isMissing &&
      choice.minimumMargin !== null &&
      rule !== null &&
      reviewReasonFor(facts, rule, policy) === null;
    const isCompetitive = isFree && rule.strategy !== 'Fixed Margin';
    this.evaluated++;
    if (isFree) this.mayChange++;
    if (isCompetitive) this.competitive++;
    switch (decision.kind) {
      case 'keep':
        this.kept++;
        break;
      case 'recommend':
        this.recommended++;
        break;
      case 'blocked':
        this.blocked++;
        if (isFree && lastOutcome !== null && lastOutcome !== 'blocked') this.newlyBlocked++;
        break;
      case 'change':
        this.changed++;
        if (isCompetitive && decision.price === decision.marginFloor) this.atMarginFloor++;
        this.#countMove(facts.currentPrice as Cents, decision.price);
    }
  }

  #countMove(from: Cents, to: Cents): void {
    if (to > from) this.raised++;
    else this.lowered++;
    if (isDrop(from, to, this.#dropDepth)) this.dropped++;
    const count = (this.#byPrice.get(to) ?? 0) + 1;
    this.#byPrice.set(to, count);
    if (count <= this.atSamePrice) return;
    this.atSamePrice = count;
    this.commonPrice = to;
  }
}
