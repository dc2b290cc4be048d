import type { BookedSpan, MoneyRead, UnnamedTurn } from '#db/queries/marketplaces/money/money.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { hours, type Instant, instant, type Millis } from '#domain/units.ts';

const DAY = hours(24);
/** How many days the first reading goes back. */
const FIRST_DAYS: Readonly<Partial<Record<Marketplace, number>>> = { amazon: 60 };
const USUAL_FIRST_DAYS = 30;
/**
 * How far the next reading goes back: amounts are reported late. Amazon's transactions may be missing for 48 hours; Walmart's
 * reports are those of a cycle of two weeks.
 */
const OVERLAP_DAYS: Readonly<Partial<Record<Marketplace, number>>> = { amazon: 2, walmart: 14 };
const USUAL_OVERLAP_DAYS = 3;
/** The last weeks are read again so often, where amounts are restated. */
const REREAD_DAYS: Readonly<Partial<Record<Marketplace, number>>> = { amazon: 7 };
const REREAD_PERIOD = (35 * DAY) as Millis;
/** Time that is read at once: after an interruption, the next reading continues with the window that was not finished. */
const WINDOW = (7 * DAY) as Millis;

/** Marketplaces that are asked apart for the order of a payment, and may refuse to say it. */
const NAMES_ORDERS_APART: ReadonlySet<Marketplace> = new Set(['etsy']);
/** To learn the orders of payments, so many days of them are read again at once, and so often. */
const UNNAMED_DAYS_AT_ONCE = 5;
const UNNAMED_PERIOD = hours(6);
/** An order that is not named for so long never will be. */
const UNNAMED_FOR = (180 * DAY) as Millis;

/** How far back sales and money are read at first: money is worth nothing without the sales that it is for. */
export function firstReadingOf(marketplace: Marketplace): Millis {
  return ((FIRST_DAYS[marketplace] ?? USUAL_FIRST_DAYS) * DAY) as Millis;
}

function overlapOf(marketplace: Marketplace): number {
  return (OVERLAP_DAYS[marketplace] ?? USUAL_OVERLAP_DAYS) * DAY;
}

/** What a reading of money has to know of the times of former ones. */
export interface MoneyTimes {
  readonly startedAt: Instant;
  /** When a user last requested a full sync. */
  readonly requestedAt: Instant | null;
}

/** A time to read at once. */
export interface MoneyWindow {
  readonly since: Instant;
  readonly until: Instant;
  /** What is known once it was read. */
  readonly after: MoneyRead;
}

/**
 * What is to be read, in order: what is new, with an overlap, since amounts are reported late; then what the first reading
 * has left, back in time. By a clock that was ahead it is not known until when was read: the last weeks are read again, or
 * everything where that reading began in the future.
 * @param before what is known already; null before the first reading
 */
export function moneyWindows(
  marketplace: Marketplace,
  before: MoneyRead | null,
  times: MoneyTimes,
): MoneyWindow[] {
  const now = times.startedAt;
  const stored = before === null || before.readFrom > now ? null : before;
  const first = firstReadingOf(marketplace);
  const overlap = overlapOf(marketplace);
  let known: MoneyRead = stored ?? {
    readFrom: now,
    readUntil: now,
    backTo: (now - first) as Instant,
    rereadAt: now,
  };
  const windows: MoneyWindow[] = [];
  const read = (since: number, until: number, after: Partial<MoneyRead>): void => {
    known = { ...known, ...after };
    windows.push({ since: since as Instant, until: until as Instant, after: known });
  };
  if (stored !== null) {
    const isRequested = times.requestedAt !== null && times.requestedAt > stored.rereadAt;
    const isAhead = stored.readUntil > now || stored.rereadAt > now;
    const isOld =
      isAhead || now - stored.rereadAt >= (REREAD_DAYS[marketplace] ?? Number.POSITIVE_INFINITY) * DAY;
    const usual = Math.min(stored.readUntil, now) - overlap;
    const again = isRequested || isOld ? Math.min(usual, now - REREAD_PERIOD) : usual;
    for (let since = Math.max(again, stored.readFrom); since < now; since += WINDOW) {
      const until = Math.min(since + WINDOW, now) as Instant;
      const isLast = until === now;
      read(since, until, {
        readUntil: instant(isAhead ? until : Math.max(until, stored.readUntil)),
        ...(isAhead || (isLast && (isRequested || isOld)) ? { rereadAt: now } : {}),
      });
    }
  }
  while (known.readFrom > known.backTo) {
    const until = known.readFrom;
    const since = Math.max(until - WINDOW, known.backTo) as Instant;
    read(since, until, { readFrom: since });
  }
  return windows;
}

/**
 * Of when the orders of payments are asked again: what was booked before is given up, and what was booked later is read again
 * anyway. Null: never, or not now.
 * @param turn the last such reading; null before the first one
 */
export function unnamedSpan(
  marketplace: Marketplace,
  turn: UnnamedTurn | null,
  now: Instant,
): { readonly from: Instant; readonly before: Instant } | null {
  // A time in the future is that of a clock that was set back.
  const isDue = turn === null || turn.readAt > now || now - turn.readAt >= UNNAMED_PERIOD;
  if (!NAMES_ORDERS_APART.has(marketplace) || !isDue) return null;
  return { from: instant(now - UNNAMED_FOR), before: instant(now - overlapOf(marketplace)) };
}

/**
 * What to read once more because the orders of payments in it are not known yet: a few days, those before the last ones that
 * were read, and after the oldest the newest again. So one whose orders are never named keeps none from its turn.
 * @param unnamed a span for each day that has such payments, the newest first
 * @param readDownTo where the last reading ended; null begins with the newest
 */
export function unnamedWindows(
  unnamed: readonly BookedSpan[],
  readDownTo: Instant | null,
): Pick<MoneyWindow, 'since' | 'until'>[] {
  const next = readDownTo === null ? 0 : unnamed.findIndex(({ first }) => first < readDownTo);
  const start = Math.max(0, next);
  return [...unnamed.slice(start), ...unnamed.slice(0, start)]
    .slice(0, UNNAMED_DAYS_AT_ONCE)
    .map(({ first, last }) => ({ since: first, until: instant(last + 1_000) }));
}
