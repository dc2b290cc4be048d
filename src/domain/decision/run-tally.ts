import {
  asLinesSaw,
  type CompetitionStatus,
  competitionOf,
  EVERY_OFFER,
} from '#domain/competition/competition.ts';
import type { PriceSpan } from '#domain/fees/doubted-fees.ts';
import type { Policy } from '#domain/limits/policy.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Rule, RuleChoice } from '#domain/rules/rule.ts';
import { type Bps, type Cents, hours, type Instant, WHOLE } from '#domain/units.ts';
import { canDependOnCompetitors, reviewReasonFor } from './decide.ts';
import type { Decision } from './decision.ts';
import type { ListingFacts } from './facts.ts';
import type { DecisionCase } from './stored-case.ts';

/** The counts of a run that the circuit breaker compares. */
export interface RunShares {
  /** Listings that the engine may change. */
  readonly mayChange: number;
  /** Of these, listings whose price depends on competitors: not by Fixed Margin, nor by a line that looks at none. */
  readonly competitive: number;
  /** Changes that lower a price by at least the depth of a drop. */
  readonly dropped: number;
  /** Changes that raise a price by at least that depth. */
  readonly rose: number;
  /**
   * Changes by rules that follow competitors, of listings whose competitors were read and are not since less than an hour:
   * of the marketplace with the largest share of them.
   */
  readonly movedUnread: number;
  /** Listings of that marketplace that such rules may change. */
  readonly movedUnreadOf: number;
  /** Changes of those to the margin floor. */
  readonly atMarginFloor: number;
  /** Blocked now and not at the last decision, since a known gap is no sign of a wrong run. */
  readonly newlyBlocked: number;
  /** Changes to the most frequent new price; listings that share a price are one. */
  readonly atSamePrice: number;
}

/** Whether a move lowers the price by at least that share. */
export function fallsBy(from: Cents, to: Cents, depth: Bps): boolean {
  return to * WHOLE <= from * (WHOLE - depth);
}

/** Whether a move raises the price by at least that share. */
export function risesBy(from: Cents, to: Cents, depth: Bps): boolean {
  return to * WHOLE >= from * (WHOLE + depth);
}

/** What the last decision about a listing left. */
export interface LastDecision {
  /** Null before the first one. */
  readonly outcome: string | null;
  /** Null before the first one. */
  readonly status: CompetitionStatus | null;
  /** Since when its competitors are not read that were read before; null while they are, or never were. */
  readonly notReadSince: Instant | null;
}

const HOUR = hours(1);

interface UnreadCount {
  moved: number;
  of: number;
}

/** Since when the competitors of a listing that were read before are not read. */
export function notReadSince(
  { status: before, notReadSince: since }: LastDecision,
  status: CompetitionStatus,
  now: Instant,
): Instant | null {
  if (status !== 'not_read' || before === null) return null;
  return before === 'not_read' ? since : now;
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
  rose = 0;
  atMarginFloor = 0;
  newlyBlocked = 0;
  atSamePrice = 0;
  /** The most frequent new price; null without a change. */
  commonPrice: Cents | null = null;
  readonly #byPrice = new Map<Cents, number>();
  readonly #unreadOn = new Map<Marketplace, UnreadCount>();
  readonly #dropDepth: Bps;

  get movedUnread(): number {
    return this.#mostUnread().moved;
  }

  get movedUnreadOf(): number {
    return this.#mostUnread().of;
  }

  /** Of the marketplace with the largest share. */
  #mostUnread(): UnreadCount {
    let most: UnreadCount = { moved: 0, of: 0 };
    for (const one of this.#unreadOn.values()) {
      if (most.of === 0 || one.moved * most.of > most.moved * one.of) most = one;
    }
    return most;
  }

  /** @param dropDepth a price lowered by at least this share counts as dropped */
  constructor(dropDepth: Bps) {
    this.#dropDepth = dropDepth;
  }

  add({ facts, choice, policy }: DecisionCase, decision: Decision, last: LastDecision): void {
    const { rule } = choice;
    // A missing listing does not count as newly blocked: sync has its own check against incomplete catalogs.
    const isFree =
      !facts.isMissing &&
      choice.minimumMargin !== null &&
      rule !== null &&
      (decision.kind === 'change' || mayChange(facts, rule, policy, decision));
    const isCompetitive = isFree && dependsOnCompetitors(decision, rule);
    this.evaluated++;
    if (isFree) this.mayChange++;
    if (isCompetitive) {
      this.competitive++;
      this.#countUnread(facts, choice, policy, decision, last);
    }
    switch (decision.kind) {
      case 'keep':
        this.kept++;
        break;
      case 'recommend':
        this.recommended++;
        break;
      case 'blocked':
        this.blocked++;
        if (isFree && last.outcome !== null && last.outcome !== 'blocked') this.newlyBlocked++;
        break;
      case 'change':
        this.changed++;
        if (isCompetitive && decision.price === decision.marginFloor) this.atMarginFloor++;
        this.#countMove(facts.currentPrice as Cents, decision.price);
        // Of listings that share a price only the one that decides it: the others take it.
        if (facts.group?.decision == null) this.#countPrice(decision.price);
    }
  }

  #countUnread(
    facts: ListingFacts,
    { rule }: RuleChoice,
    policy: Policy,
    decision: Decision,
    last: LastDecision,
  ): void {
    const on = this.#unreadOn.get(facts.marketplace) ?? { moved: 0, of: 0 };
    this.#unreadOn.set(facts.marketplace, on);
    on.of++;
    if (decision.kind === 'change') {
      const { status } = asLinesSaw(
        competitionOf(facts, rule ?? EVERY_OFFER, policy),
        decision.line?.situation ?? null,
      );
      const since = notReadSince(last, status, policy.now);
      if (since !== null && policy.now - since < HOUR) on.moved++;
    }
  }

  #countMove(from: Cents, to: Cents): void {
    if (to > from) this.raised++;
    else this.lowered++;
    if (fallsBy(from, to, this.#dropDepth)) this.dropped++;
    if (risesBy(from, to, this.#dropDepth)) this.rose++;
  }

  #countPrice(to: Cents): void {
    const count = (this.#byPrice.get(to) ?? 0) + 1;
    this.#byPrice.set(to, count);
    if (count <= this.atSamePrice) return;
    this.atSamePrice = count;
    this.commonPrice = to;
  }
}

/** By the line that decided, as the decision itself: lines that look at no competitors go on without a seller name. */
function mayChange(facts: ListingFacts, rule: Rule, policy: Policy, { line }: Decision): boolean {
  const depends = line === null ? null : line.dependsOnCompetitors;
  return reviewReasonFor(facts, rule, policy, false, depends, spanOf(facts)) === null;
}

/** Of a rule with lines the line that decided counts: the strategy that the rule would fall back to decides nothing. */
function dependsOnCompetitors({ line }: Decision, rule: Rule): boolean {
  return line === null ? canDependOnCompetitors(rule) : line.dependsOnCompetitors;
}

/** Doubted fees of other price bands leave a price free. */
function spanOf({ currentPrice, group }: ListingFacts): PriceSpan | null {
  return currentPrice === null || group !== null ? null : { from: currentPrice, to: currentPrice };
}
