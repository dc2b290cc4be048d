import { createHash } from 'node:crypto';
import { MOVE_SIZES, type MoveSize, type RulePreview } from '#contract/rules.ts';
import type { Decision } from '#domain/decision/decision.ts';
import type { RuleChoice } from '#domain/rules/rule.ts';
import type { DecidedCase } from '#usecases/repricing/pricing/record-decisions.ts';
import { PreviewAverages } from './preview-averages.ts';
import { previewedListing } from './previewed-listing.ts';

const MAX_MOVES = 10;
const MAX_SAMPLES = 5;
/** Of the listings at their margin floor, and of the blocked ones. */
const MAX_LISTED = 10;

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
  | 'atMarginFloor'
  | 'notRead'
  | 'noLine'
  | 'bigRises'
  | 'bigDrops';
/** A move of at least this share of the current price is big, in percent. */
const BIG_MOVE = 10 as const;
/** Kinds of samples, in display order. */
const SHOWN = ['lowered', 'raised', 'recommend', 'blocked', 'keep'] as const;
type Shown = (typeof SHOWN)[number];

/** An empty tally. @param lines how many lines the rule has; 0 where its strategy decides */
export function createTally(lines: number): Tally {
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
    notRead: 0,
    noLine: 0,
    bigRises: 0,
    bigDrops: 0,
  };
  const byLine = Array.from({ length: lines }, (_, index) => ({ line: index + 1, listings: 0, held: 0 }));
  const known = { stock: 0, supply: 0, stockAge: 0, sales: 0 };
  const hash = createHash('sha256');
  const outcomes = createHash('sha256');
  const takenFrom = new Map<string | null, { name: string; listings: number }>();
  const averages = new PreviewAverages();
  const moveSizes = Object.fromEntries(MOVE_SIZES.map((size) => [size, 0])) as Record<MoveSize, number>;
  const floored: DecidedCase[] = [];
  const blocked: DecidedCase[] = [];
  const drops: DecidedCase[] = [];
  const rises: DecidedCase[] = [];
  const samples: Record<Shown, DecidedCase[]> = {
    lowered: [],
    raised: [],
    recommend: [],
    blocked: [],
    keep: [],
  };
  return {
    add(decided, today) {
      const { pricingInput, decision } = decided;
      count(counts, decided);
      countLine(byLine, decided);
      countKnown(known, decided);
      averages.add(decided);
      countSize(moveSizes, decided);
      if (isFloored(decided) && floored.length < MAX_LISTED) floored.push(decided);
      if (decision.kind === 'blocked' && blocked.length < MAX_LISTED) blocked.push(decided);
      noteTaken(takenFrom, pricingInput.choice, today);
      keepLargest(isRise(decided) ? rises : drops, decided);
      const kind = samples[shownAs(decided)];
      if (kind.length < MAX_SAMPLES) kind.push(decided);
      const { kind: outcome, price, reason, reviewReason } = decision;
      outcomes.update(`${pricingInput.listing.id} ${outcome} ${price} ${reviewReason}\n`);
      hash.update(
        `${pricingInput.listing.id} ${pricingInput.listing.currentPrice} ${outcome} ${price} ${reason} ${reviewReason}\n`,
      );
    },
    result: () => ({
      token: hash.copy().digest('base64url'),
      outcomes: outcomes.copy().digest('base64url'),
      ...counts,
      moveSizes,
      averages: averages.result(),
      lines: byLine,
      known,
      takenFrom: [...takenFrom]
        .map(([id, { name, listings }]) => ({ rule: id === null ? null : { id, name }, listings }))
        .sort((a, b) => b.listings - a.listings),
      moves: [...drops, ...rises].sort((a, b) => distance(b) - distance(a)).map(previewedListing),
      samples: oneOfEach(samples).map(previewedListing),
      floorListings: floored.map(previewedListing),
      blockedListings: blocked.map(previewedListing),
    }),
  };
}

function count(counts: Record<Counted, number>, decided: DecidedCase): void {
  const { pricingInput, decision } = decided;
  const { currentPrice } = pricingInput.listing;
  counts.listings += 1;
  if (pricingInput.choice.kind === 'own') counts.own += 1;
  counts[COUNTED_AS[decision.kind]] += 1;
  if (decision.kind === 'change') counts[decision.price > currentPrice ? 'raised' : 'lowered'] += 1;
  if (isFloored(decided)) counts.atMarginFloor += 1;
  if (decision.reason === 'not_read') counts.notRead += 1;
  if (decision.reason === 'no_line') counts.noLine += 1;
  const move = moveOf(decided) ?? 0;
  if (move >= BIG_MOVE) counts.bigRises += 1;
  if (move <= -BIG_MOVE) counts.bigDrops += 1;
}

function isFloored({ decision: { price, marginFloor } }: DecidedCase): boolean {
  return price !== null && price === marginFloor;
}

/** In percent of the current price; null without a new one. */
function moveOf({ pricingInput: { listing }, decision: { price } }: DecidedCase): number | null {
  return price === null ? null : (100 * (price - listing.currentPrice)) / listing.currentPrice;
}

function countSize(moveSizes: Record<MoveSize, number>, decided: DecidedCase): void {
  const move = moveOf(decided);
  if (move !== null) moveSizes[sizeOf(move)] += 1;
}

function sizeOf(move: number): MoveSize {
  if (move === 0) return 'stay';
  const from = ([BIG_MOVE, 5, 2] as const).find((size) => Math.abs(move) >= size) ?? '';
  return `${move < 0 ? 'fall' : 'rise'}${from}`;
}

type ByLine = { line: number; listings: number; held: number }[];

function countLine(byLine: ByLine, { decision: { line, reason } }: DecidedCase): void {
  const decided = line === null ? undefined : byLine[line.number - 1];
  if (decided === undefined) return;
  decided.listings += 1;
  if (reason === 'line_hold' || reason === 'line_waits') decided.held += 1;
}

function countKnown(known: RulePreview['known'], { pricingInput: { facts } }: DecidedCase): void {
  const { signals } = facts;
  if (signals === null) return;
  if (signals.stock !== null) known.stock += 1;
  if (signals.daysOfSupply !== null) known.supply += 1;
  if (signals.stockAgeDays !== null) known.stockAge += 1;
  if (signals.sold !== null) known.sales += 1;
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

function distance({ pricingInput, decision }: DecidedCase): number {
  return decision.price === null ? 0 : Math.abs(decision.price - pricingInput.listing.currentPrice);
}

function isRise({ pricingInput, decision }: DecidedCase): boolean {
  return decision.price !== null && decision.price > pricingInput.listing.currentPrice;
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

function shownAs({ pricingInput, decision }: DecidedCase): Shown {
  if (decision.kind !== 'change') return decision.kind;
  return decision.price > pricingInput.listing.currentPrice ? 'raised' : 'lowered';
}

/** Takes one sample of each kind in turn until the maximum is reached. */
function oneOfEach(samples: Readonly<Record<Shown, readonly DecidedCase[]>>): DecidedCase[] {
  const rounds = Array.from({ length: MAX_SAMPLES }, (_, round) =>
    SHOWN.flatMap((kind) => samples[kind].slice(round, round + 1)),
  );
  return rounds.flat().slice(0, MAX_SAMPLES);
}
