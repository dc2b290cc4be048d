import { createHash } from 'node:crypto';
import { type SellerKey, sellerKey } from '#domain/competition/offer.ts';
import { longestPriceWarStreak, NAMELESS, priceDayAgo } from '#domain/competition/recent-moves.ts';
import type { ListingFacts, ListingSignals } from '#domain/decision/facts.ts';
import { SITUATIONS } from '#domain/lines/line.ts';
import { type LineMemory, NOTHING_REMEMBERED } from '#domain/lines/line-memory.ts';
import { printLines } from '#domain/lines/print-lines.ts';
import type { Rule } from '#domain/rules/rule.ts';
import { type Cents, hours, type Instant } from '#domain/units.ts';
import { count, listOf, type Members, objectOf, oneOf, price, type Reader, text } from './json-members.ts';
import { momentReader, type PolicyObservation } from './policy-observation.ts';

const DAY = hours(24);

/** One change of the price, seen by the command. */
interface PolicyMove {
  readonly at: Instant;
  readonly from: Cents;
  readonly to: Cents;
  /** Whom it went against; null for none, and for a change by hand. */
  readonly against: SellerKey | null;
  /** The command had decided it. */
  readonly isDecided: boolean;
}

/** A price that a decision requested. It may arrive after a newer one was requested. */
export interface PolicyRequest {
  readonly price: Cents;
  /** Whom it goes against; null for none. */
  readonly against: SellerKey | null;
  readonly at: Instant;
}

/** What the product would have stored of a listing by now: a simulator hands it back with the next observation. */
export interface PolicyState {
  /** The price at the last observation. */
  readonly price: Cents;
  /** The last price that was set by hand. */
  readonly ownPrice: Cents;
  /** The prices that decisions of the last 24 hours requested and that were not seen since, the newest last. */
  readonly requested: readonly PolicyRequest[];
  /** The changes of the last 24 hours, the oldest first. */
  readonly moves: readonly PolicyMove[];
  readonly lastChangedAt: Instant | null;
  /** What the lines of a rule remember, and of which: see {@link memoryKeyOf}. Null before lines have decided. */
  readonly rememberedBy: string | null;
  readonly situation: ListingSignals['situation'];
  readonly turns: ListingSignals['turns'];
}

/** Times in a state are timestamps, never periods. */
const moment = momentReader(1);

/** @throws MemberError naming the member that cannot be read */
export function stateOf(state: Members): PolicyState {
  return {
    price: state.get('price', price),
    ownPrice: state.get('ownPrice', price),
    requested: state.find('requested', listOf(objectOf(requestOf))) ?? [],
    moves: state.find('moves', listOf(objectOf(moveOf))) ?? [],
    lastChangedAt: state.find('lastChangedAt', moment),
    rememberedBy: state.find('rememberedBy', text),
    situation: state.find(
      'situation',
      objectOf((last) => ({ kind: last.get('kind', oneOf(SITUATIONS)), since: last.get('since', moment) })),
    ),
    turns: Object.fromEntries(state.find('turns', listOf(objectOf(turnOf))) ?? []),
  };
}

function requestOf(request: Members): PolicyRequest {
  return {
    price: request.get('price', price),
    against: request.find('against', seller),
    at: request.get('at', moment),
  };
}

function moveOf(move: Members): PolicyMove {
  return {
    at: move.get('at', moment),
    from: move.get('from', price),
    to: move.get('to', price),
    against: move.find('against', seller),
    isDecided: move.get('by', oneOf(['rule', 'hand'])) === 'rule',
  };
}

const seller: Reader<SellerKey> = (value, path) => sellerKey(text(value, path)) ?? NAMELESS;

function turnOf(turn: Members): [number, Instant] {
  return [turn.get('line', count), turn.get('since', moment)];
}

/** The state as JSON: amounts in dollars, times as timestamps. */
export function stateJson(state: PolicyState): object {
  const { requested, lastChangedAt, rememberedBy, situation } = state;
  return {
    price: dollars(state.price),
    ownPrice: dollars(state.ownPrice),
    requested: requested.map(({ price: amount, against, at }) => ({
      price: dollars(amount),
      against,
      at: timestamp(at),
    })),
    moves: state.moves.map(({ at, from, to, against, isDecided }) => ({
      at: timestamp(at),
      from: dollars(from),
      to: dollars(to),
      against,
      by: isDecided ? 'rule' : 'hand',
    })),
    lastChangedAt: lastChangedAt === null ? null : timestamp(lastChangedAt),
    rememberedBy,
    situation: situation === null ? null : { kind: situation.kind, since: timestamp(situation.since) },
    turns: Object.entries(state.turns).map(([line, since]) => ({
      line: Number(line),
      since: timestamp(since),
    })),
  };
}

export function dollars(amount: Cents): number {
  return amount / 100;
}

function timestamp(at: Instant): string {
  return new Date(at).toISOString();
}

/** The prices that may still be seen after one more is requested. */
export function withRequest(requested: readonly PolicyRequest[], one: PolicyRequest): PolicyRequest[] {
  return [...requested.filter(({ price: amount }) => amount !== one.price), one];
}

/**
 * The state at an observation, before it is decided: a price that differs from the last one was changed since, by a decision
 * if it is one that was requested, else by hand.
 * @param last null: the listing is seen for the first time
 */
export function stateAt(last: PolicyState | null, observation: PolicyObservation): PolicyState {
  const { currentPrice, pendingPrice, ownPrice, now } = observation;
  if (last === null) {
    return {
      price: currentPrice,
      ownPrice: ownPrice ?? currentPrice,
      requested: [],
      moves: [],
      lastChangedAt: null,
      rememberedBy: null,
      ...NOTHING_REMEMBERED,
    };
  }
  const recent = last.moves.filter(({ at }) => now - at <= DAY);
  const requested = last.requested.filter(({ at }) => now - at <= DAY);
  if (currentPrice === last.price)
    return { ...last, ownPrice: ownPrice ?? last.ownPrice, requested, moves: recent };
  const reached = requested.findIndex(({ price: amount }) => amount === currentPrice);
  const isDecided = reached >= 0;
  const against = requested[reached]?.against ?? null;
  return {
    ...last,
    price: currentPrice,
    // Those before it are superseded. A price that was set by hand leaves only one that is on its way.
    requested: isDecided
      ? requested.slice(reached + 1)
      : requested.filter(({ price: amount }) => amount === pendingPrice),
    ownPrice: ownPrice ?? (isDecided ? last.ownPrice : currentPrice),
    moves: [...recent, { at: now, from: last.price, to: currentPrice, against, isDecided }],
    lastChangedAt: isDecided ? now : last.lastChangedAt,
  };
}

/** A short name of a rule and its lines, which another rule and an edit of the lines do not have; null without lines. */
export function memoryKeyOf(rule: Rule | null): string | null {
  if (rule === null || rule.lines === null) return null;
  return createHash('sha256')
    .update(`${rule.name}\n${printLines(rule.lines)}`)
    .digest('hex')
    .slice(0, 16);
}

/** What a rule remembers: nothing of what another rule, or its former lines, left. */
export function memoryOf({ rememberedBy, situation, turns }: PolicyState, rule: Rule | null): LineMemory {
  const key = memoryKeyOf(rule);
  return key !== null && key === rememberedBy ? { situation, turns } : NOTHING_REMEMBERED;
}

/** What a decision needs of the past. */
export function pastFacts(
  { price: current, moves }: PolicyState,
  pending: Cents | null,
): Pick<ListingFacts, 'ownPrices' | 'priceDayAgo' | 'priceWarStreak'> {
  const stored = moves.map(({ at, from, to, against, isDecided }) => ({
    oldPrice: from,
    newPrice: to,
    source: isDecided ? ('rule' as const) : ('manual' as const),
    at,
    against,
  }));
  return {
    ownPrices: [
      ...new Set([current, ...(pending === null ? [] : [pending]), ...moves.map(({ from }) => from)]),
    ],
    priceDayAgo: priceDayAgo(current, stored),
    priceWarStreak: longestPriceWarStreak(stored),
  };
}
