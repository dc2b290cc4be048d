import type { BookedSpan, MoneyRead } from '#db/queries/marketplaces/money/money.ts';
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
/** Days that are read again in one sync to learn the orders of their payments. */
const UNNAMED_DAYS_AT_ONCE = 5;

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
 * has left, back in time.
 * @param stored what is known already; null before the first reading
 */
export function moneyWindows(
  marketplace: Marketplace,
  stored: MoneyRead | null,
  times: MoneyTimes,
): MoneyWindow[] {
  const now = times.startedAt;
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
    const isOld = now - stored.rereadAt >= (REREAD_DAYS[marketplace] ?? Number.POSITIVE_INFINITY) * DAY;
    const usual = Math.min(stored.readUntil, now) - overlap;
    const again = isRequested || isOld ? Math.min(usual, now - REREAD_PERIOD) : usual;
    for (let since = Math.max(again, stored.readFrom); since < now; since += WINDOW) {
      const until = Math.min(since + WINDOW, now) as Instant;
      const isLast = until === now;
      read(since, until, {
        readUntil: Math.max(until, stored.readUntil) as Instant,
        ...(isLast && (isRequested || isOld) ? { rereadAt: now } : {}),
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

/** Before then the orders of payments are asked again; later ones are read again anyway. Null: never. */
export function unnamedBefore(marketplace: Marketplace, now: Instant): Instant | null {
  return NAMES_ORDERS_APART.has(marketplace) ? instant(now - overlapOf(marketplace)) : null;
}

/**
 * What to read once more because the orders of payments in it are not known yet: a few days at once, and every day in its turn,
 * so that one whose orders are never said keeps none from being asked.
 * @param unnamed a span for each day that has such payments
 */
export function unnamedWindows(
  unnamed: readonly BookedSpan[],
  now: Instant,
): Pick<MoneyWindow, 'since' | 'until'>[] {
  const start = unnamed.length === 0 ? 0 : Math.floor(now / hours(1)) % unnamed.length;
  return [...unnamed.slice(start), ...unnamed.slice(0, start)]
    .slice(0, UNNAMED_DAYS_AT_ONCE)
    .map(({ first, last }) => ({ since: first, until: instant(last + 1_000) }));
}
