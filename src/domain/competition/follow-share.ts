import { type Bps, type Cents, hours, type Instant, type Millis, WHOLE } from '#domain/units.ts';

/** A rise by at least this share of the landed price is an occasion to follow. */
export const LEAST_RISE = 200 as Bps;
/** Rises so soon after the first one are steps of the same occasion: the step limit splits a long way. */
const ONE_RISE = hours(12);
/** So long competitors have to come after us, and so long they have to stay, or until our price comes down before that. */
const FOLLOWS_WITHIN = hours(48);
const STAYS_FOR = hours(12);
/** What happens later than this after a rise says nothing about it. */
export const JUDGED_WITHIN = (FOLLOWS_WITHIN + STAYS_FOR) as Millis;
/** Older occasions do not count. */
export const OCCASIONS_OF = hours(30 * 24);
const MOST_OCCASIONS = 20;
const LEAST_OCCASIONS = 3;

/** Our landed price rose: from one price in force to the next. */
export interface Rise {
  readonly at: Instant;
  readonly from: Cents;
  readonly to: Cents;
  /** When our price had come down again by more than half of it; null while it has not. */
  readonly downAt: Instant | null;
}

/** The landed prices of the two lowest competitors that count; infinite without them. Known from `at` until before `until`. */
export interface KnownPrices {
  readonly at: Instant;
  readonly until: Instant;
  readonly lowest: number;
  readonly second: number;
}

interface Occasion extends Rise {
  /** The lowest competitor before it. */
  readonly lowest: number;
}

/**
 * How often competitors came after us when we raised our price: of at most the last 20 occasions of 30 days on which our
 * landed price rose by 2% or more while at most one competitor was below it. Followed: the lowest competitor that counts
 * rose by at least half of our rise within 48 hours, and stayed there for 12, or for as long as our own price stayed up after
 * that: one that comes down with us has not left us alone. One that goes up for some hours and comes down while our price is
 * up has not followed. An occasion counts once that is known either way; where competitors were not read in between, and
 * without any, it does not.
 * @param rises the oldest first
 * @param known the oldest first; what is later than `now` does not count
 * @returns null below three occasions
 */
export function followShare(rises: readonly Rise[], known: readonly KnownPrices[], now: Instant): Bps | null {
  const occasions = occasionsOf(rises, known, now);
  const judged = occasions.map((occasion) => isFollowed(occasion, known, now)).filter((one) => one !== null);
  if (judged.length < LEAST_OCCASIONS) return null;
  return Math.floor((judged.filter((one) => one).length * WHOLE) / judged.length) as Bps;
}

function occasionsOf(rises: readonly Rise[], known: readonly KnownPrices[], now: Instant): Occasion[] {
  const occasions: Occasion[] = [];
  let isOpen = false;
  for (const { at, from, to, downAt } of rises) {
    if (at > now || now - at > OCCASIONS_OF || !isRise(from, to)) continue;
    const last = occasions.at(-1);
    if (isOpen && last !== undefined && at - last.at <= ONE_RISE) {
      occasions[occasions.length - 1] = {
        ...last,
        to: Math.max(last.to, to) as Cents,
        downAt: earlier(last.downAt, downAt),
      };
      continue;
    }
    const before = pricesAt(known, at);
    // Without a competitor there is no one to follow; with two below us our price was not the one to follow.
    isOpen = before !== null && before.lowest !== Number.POSITIVE_INFINITY && before.second >= from;
    if (isOpen && before !== null) occasions.push({ at, from, to, downAt, lowest: before.lowest });
  }
  return occasions.slice(-MOST_OCCASIONS);
}

function earlier(one: Instant | null, other: Instant | null): Instant | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** Exact: both are whole cents. */
function isRise(from: Cents, to: Cents): boolean {
  return (to - from) * WHOLE >= from * LEAST_RISE;
}

/** What was known at a time; null where nothing was. */
function pricesAt(known: readonly KnownPrices[], at: Instant): KnownPrices | null {
  const last = known.findLast((prices) => prices.at <= at);
  return last === undefined || last.until <= at ? null : last;
}

/** Null while it is not known. */
function isFollowed(
  { at, from, to, downAt, lowest }: Occasion,
  known: readonly KnownPrices[],
  now: Instant,
): boolean | null {
  const last = at + FOLLOWS_WITHIN;
  /** Since when they have come after us, without a break; null while they have not. */
  let since: number | null = null;
  /** All is known up to here. */
  let upTo: number = at;
  for (let index = 0; index < known.length; index += 1) {
    const prices = known[index] as KnownPrices;
    const next = known[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    const until = Math.min(prices.until, next, now);
    if (until <= upTo) continue;
    if (prices.at > upTo) return null;
    // Without a competitor no one came after us.
    const hasRisen = prices.lowest !== Number.POSITIVE_INFINITY && (prices.lowest - lowest) * 2 >= to - from;
    if (!hasRisen) since = null;
    else since ??= upTo;
    // One that comes later is too late.
    if (since === null ? until > last : since > last) return false;
    if (since !== null && until - since >= STAYS_FOR) return true;
    if (since !== null && downAt !== null && since < downAt && until >= downAt) return true;
    upTo = until;
  }
  return null;
}
