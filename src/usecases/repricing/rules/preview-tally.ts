import { createHash } from 'node:crypto';
import type { PreviewedListing, RulePreview } from '#contract/rules.ts';
import { decimalFromCents, decimalFromMargin } from '#domain/decimal.ts';
import type { Decision } from '#domain/decision.ts';
import { explain } from '#domain/explain.ts';
import type { RuleChoice } from '#domain/rule.ts';
import type { Bps } from '#domain/units.ts';
import { marginAt } from '#usecases/repricing/pricing/metrics-of.ts';
import type { DecidedCase } from '#usecases/repricing/pricing/record-decisions.ts';

const MAX_MOVES = 10;
const MAX_SAMPLES = 5;

/** Totals of a rule preview, added up one listing at a time; keeps only the listings it shows. */
export interface Tally {
  /** @param today the rule that prices the listing now */
  add(decided: DecidedCase, today: RuleChoice): void;
  result(): Omit<RulePreview, 'givenUp'>;
}

type Counted =
  | 'listings'
  | 'own'
  | 'changes'
  | 'raised'
  | 'lowered'
  | 'kept'
  | 'recommended'
  | 'blocked'
  | 'atMarginFloor';
/** Kinds of samples, in display order. */
const SHOWN = ['lowered', 'raised', 'recommend', 'blocked', 'keep'] as const;
type Shown = (typeof SHOWN)[number];

/** An empty tally. */
export function createTally(): Tally {
  const counts: Record<Counted, number> = {
    listings: 0,
    own: 0,
    changes: 0,
    raised: 0,
    lowered: 0,
    kept: 0,
    recommended: 0,
    blocked: 0,
    atMarginFloor: 0,
  };
  const hash = createHash('sha256');
  const takenFrom = new Map<string | null, { name: string; listings: number }>();
  const moves: DecidedCase[] = [];
  const samples: Record<Shown, DecidedCase[]> = {
    lowered: [],
    raised: [],
    recommend: [],
    blocked: [],
    keep: [],
  };
  return {
    add(decided, today) {
      const { pricingCase, decision } = decided;
      count(counts, decided);
      noteTaken(takenFrom, pricingCase.choice, today);
      keepLargest(moves, decided);
      const kind = samples[shownAs(decided)];
      if (kind.length < MAX_SAMPLES) kind.push(decided);
      const { kind: outcome, price, reason, reviewReason } = decision;
      hash.update(
        `${pricingCase.listing.id} ${pricingCase.listing.currentPrice} ${outcome} ${price} ${reason} ${reviewReason}\n`,
      );
    },
    result: () => ({
      token: hash.copy().digest('base64url'),
      ...counts,
      takenFrom: [...takenFrom]
        .map(([id, { name, listings }]) => ({ rule: id === null ? null : { id, name }, listings }))
        .sort((a, b) => b.listings - a.listings),
      moves: moves.map(shown),
      samples: oneOfEach(samples).map(shown),
    }),
  };
}

function count(counts: Record<Counted, number>, { pricingCase, decision }: DecidedCase): void {
  const { currentPrice } = pricingCase.listing;
  counts.listings += 1;
  if (pricingCase.choice.kind === 'own') counts.own += 1;
  counts[COUNTED_AS[decision.kind]] += 1;
  if (decision.kind === 'change') counts[decision.price > currentPrice ? 'raised' : 'lowered'] += 1;
  if (decision.price !== null && decision.price === decision.marginFloor) counts.atMarginFloor += 1;
}

const COUNTED_AS = {
  change: 'changes',
  keep: 'kept',
  recommend: 'recommended',
  blocked: 'blocked',
} as const satisfies Record<Decision['kind'], Counted>;

function noteTaken(
  takenFrom: Map<string | null, { name: string; listings: number }>,
  then: RuleChoice,
  today: RuleChoice,
): void {
  // A paused or non-matching rule prices nothing today.
  const rule = today.minimumMargin === null ? null : today.rule;
  if (rule !== null && rule.id === then.rule?.id) return;
  const taken = takenFrom.get(rule?.id ?? null) ?? { name: rule?.name ?? '', listings: 0 };
  taken.listings += 1;
  takenFrom.set(rule?.id ?? null, taken);
}

function distance({ pricingCase, decision }: DecidedCase): number {
  return decision.price === null ? 0 : Math.abs(decision.price - pricingCase.listing.currentPrice);
}

/** Keeps the ten largest moves, the largest first; of equal ones the one added first. */
function keepLargest(moves: DecidedCase[], decided: DecidedCase): void {
  const moved = distance(decided);
  if (moved === 0) return;
  const last = moves.at(-1);
  if (moves.length === MAX_MOVES && last !== undefined && distance(last) >= moved) return;
  const at = moves.findIndex((move) => distance(move) < moved);
  moves.splice(at === -1 ? moves.length : at, 0, decided);
  moves.length = Math.min(moves.length, MAX_MOVES);
}

function shownAs({ pricingCase, decision }: DecidedCase): Shown {
  if (decision.kind !== 'change') return decision.kind;
  return decision.price > pricingCase.listing.currentPrice ? 'raised' : 'lowered';
}

/** Takes one sample of each kind in turn until the maximum is reached. */
function oneOfEach(samples: Readonly<Record<Shown, readonly DecidedCase[]>>): DecidedCase[] {
  const rounds = Array.from({ length: MAX_SAMPLES }, (_, round) =>
    SHOWN.flatMap((kind) => samples[kind].slice(round, round + 1)),
  );
  return rounds.flat().slice(0, MAX_SAMPLES);
}

function shown({ pricingCase, decision }: DecidedCase): PreviewedListing {
  const { listing, facts, choice, policy } = pricingCase;
  const { sentence, fix } = explain(facts, choice, policy);
  return {
    listingId: String(listing.id),
    marketplace: listing.marketplace,
    sku: listing.sku,
    title: listing.title,
    outcome: decision.kind,
    oldPrice: decimalFromCents(listing.currentPrice),
    newPrice: decision.price === null ? null : decimalFromCents(decision.price),
    marginBefore: percentOf(marginAt(listing.currentPrice, facts)),
    marginAfter: percentOf(marginAt(decision.price, facts)),
    sentence: fix === null ? sentence : `${sentence} ${fix}`,
  };
}

const percentOf = (share: Bps | null): string | null => (share === null ? null : decimalFromMargin(share));
