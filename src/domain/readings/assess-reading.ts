import { type Cents, type Instant, instant, type Millis, minutes } from '#domain/units.ts';
import { OWN_PRICE_WINDOW, type OwnPrice, ownRecentPrices, type RecentPrices } from './own-recent-prices.ts';

/**
 * Where a marketplace showed a price: `item` one listing asked for by its key · `list` a search or a page of many ·
 * `document` a report or another file · `event` a message. They disagree for a while after every change, and only an item
 * proves that a price was changed on the marketplace.
 */
export const READING_SOURCES = ['item', 'list', 'document', 'event'] as const;
export type ReadingSource = (typeof READING_SOURCES)[number];

/** A price of ours as its marketplace showed it. */
export interface ShownPrice {
  readonly price: Cents;
  readonly source: ReadingSource;
  /** Before it was read; for a document before its creation was requested. */
  readonly readAt: Instant;
}

/** A price that one source showed and that is not in force: at most one per source of a listing. */
export interface SuspectPrice extends ShownPrice {
  /** Since when it is being checked; null while it is not, and only its refutations count. */
  readonly openSince: Instant | null;
  /** The engine sends nothing for the listing while it is being checked. */
  readonly stopsSending: boolean;
  /** When the item is to be read; null until that is decided for all suspect prices of a reading. */
  readonly nextReadAt: Instant | null;
  /** How often in a row an item showed the price in force instead. */
  readonly refuted: number;
  readonly refutedAt: Instant | null;
}

/** What is known of a listing's price when a reading arrives. */
export interface KnownPrice {
  readonly inForce: Cents;
  readonly recent: RecentPrices;
  readonly suspects: readonly SuspectPrice[];
  /** How often in the last 24 hours the marketplace went back to an own recent price. */
  readonly returns: number;
}

/**
 * `in_force` nothing changed · `stale` a former price: the source is behind · `ignored` refuted too often ·
 * `suspect` the item is to be read · `seen_once` an item shows a former price of ours: it is read again · `arrived` an item
 * shows a price of ours that was sent and given up · `went_back` an item showed a former price of ours twice ·
 * `went_back_often` the same, too often for one day · `outside_edit` an item shows a price that is not ours
 */
export type ReadingResult =
  | 'in_force'
  | 'stale'
  | 'ignored'
  | 'suspect'
  | 'seen_once'
  | 'arrived'
  | 'went_back'
  | 'went_back_often'
  | 'outside_edit';

/** How far a source was behind the item. */
export interface ReadingLag {
  readonly source: ReadingSource;
  readonly lag: Millis;
}

/** What follows from a reading. */
export interface AssessedReading {
  readonly result: ReadingResult;
  /** All suspect prices of the listing from now on. */
  readonly suspects: readonly SuspectPrice[];
  readonly lags: readonly ReadingLag[];
}

/**
 * A suspect price that no item reading settles within this time is dropped until a reading shows it again: without an item
 * nothing is adopted, however long a list shows a price.
 */
export const SUSPECT_TIMEOUT = minutes(60);
/** A former price shown for longer than this may be in force again: the item is read. */
const LONGEST_LAG = minutes(60);
/** Between two item readings that show a former price of ours. */
const SECOND_READ_DELAY = minutes(10);
/** After as many refutations in a row a source's price is ignored for {@link OWN_PRICE_WINDOW}. */
const MAX_REFUTED = 3;
/** How often a day a listing's price may go back without a hold. */
export const MAX_RETURNS = 2;

/** Assesses one reading of a listing with no price on its way that has not moved since. */
export function assessReading(known: KnownPrice, shown: ShownPrice, now: Instant): AssessedReading {
  const suspects = known.suspects.map((suspect) => (isTimedOut(suspect, now) ? closed(suspect) : suspect));
  const all = { ...known, suspects };
  return shown.source === 'item' ? assessItem(all, shown, now) : assessOther(all, shown, now);
}

/** Whether the engine must not send a price for a listing with these suspect prices. */
export function stopsSending(suspects: readonly SuspectPrice[], now: Instant): boolean {
  return suspects.some((one) => one.openSince !== null && one.stopsSending && !isTimedOut(one, now));
}

/** Prices that a list, a document or an event shows and the item, several times, did not: they say nothing for a day. */
export function ignoredPrices(suspects: readonly SuspectPrice[], now: Instant): Cents[] {
  return suspects.flatMap((one) => (one.source !== 'item' && isIgnored(one, now) ? [one.price] : []));
}

function assessItem(known: KnownPrice, shown: ShownPrice, now: Instant): AssessedReading {
  const { inForce, recent, suspects, returns } = known;
  const { price, readAt } = shown;
  if (price === inForce) return refuted(known, now);
  const own = ownRecentPrices(recent, now).get(price);
  const others = suspects.filter(({ source }) => source !== 'item');
  const settled = (result: ReadingResult): AssessedReading => ({ result, suspects: [], lags: [] });
  if (own === undefined) return settled('outside_edit');
  if (mayArrive(own)) return settled('arrived');
  const before = suspects.find(({ source, openSince }) => source === 'item' && openSince !== null);
  if (before?.price === price && readAt - before.readAt >= SECOND_READ_DELAY) {
    return settled(returns >= MAX_RETURNS ? 'went_back_often' : 'went_back');
  }
  const first = before?.price === price ? before : opened(shown, now, true);
  const again = { ...first, nextReadAt: instant(first.readAt + SECOND_READ_DELAY) };
  // What another source showed is answered: the marketplace no longer shows the price in force.
  return { result: 'seen_once', suspects: [...others.map(closed), again], lags: [] };
}

/** The item shows the price in force: whatever else was shown was late. */
function refuted({ recent, suspects }: KnownPrice, now: Instant): AssessedReading {
  const since = recent.inForce.at(-1)?.since ?? null;
  const open = suspects.filter(({ source, openSince }) => source !== 'item' && openSince !== null);
  const quiet = suspects.filter(({ source, openSince }) => source !== 'item' && openSince === null);
  return {
    result: 'in_force',
    suspects: [
      ...quiet,
      ...open.map((one) => ({ ...closed(one), refuted: one.refuted + 1, refutedAt: now })),
    ],
    lags: open.flatMap(({ source, readAt }) => (since === null ? [] : lagOf(source, readAt, since))),
  };
}

function assessOther(known: KnownPrice, shown: ShownPrice, now: Instant): AssessedReading {
  const { inForce, recent, suspects } = known;
  const { price, source, readAt } = shown;
  const others = suspects.filter((one) => one.source !== source);
  if (price === inForce) {
    // An item that showed another price is read again all the same.
    const left = others.map((one) => (one.source === 'item' ? one : closed(one)));
    return { result: 'in_force', suspects: left, lags: [] };
  }
  const since = recent.inForce.at(-1)?.since ?? null;
  const own = ownRecentPrices(recent, now).get(price);
  // Sent after the price in force began, a price can still arrive: then the source is ahead.
  const replacedAt = replacedAtOf(price, recent) ?? (own === undefined ? null : since);
  const isAhead = own?.sentAt != null && since !== null && own.sentAt > since;
  if (!isAhead && replacedAt !== null && readAt - replacedAt <= LONGEST_LAG) {
    return { result: 'stale', suspects, lags: lagOf(source, readAt, replacedAt) };
  }
  const before = suspects.find((one) => one.source === source);
  if (before?.price === price && isIgnored(before, now)) return { result: 'ignored', suspects, lags: [] };
  const suspect = { ...opened(shown, now, own === undefined), ...counted(before, price) };
  return { result: 'suspect', suspects: [...others, suspect], lags: [] };
}

/** When another price last took the place of this one, an own one or not; null when it was not in force recently. */
function replacedAtOf(price: Cents, { inForce }: RecentPrices): Instant | null {
  const index = inForce.findLastIndex((one) => one.price === price);
  return index < 0 ? null : (inForce[index + 1]?.since ?? null);
}

/** Sent, given up, and never in force since then. */
function mayArrive({ sentAt, isGivenUp, replacedAt }: OwnPrice): boolean {
  return isGivenUp && sentAt !== null && (replacedAt === null || replacedAt < sentAt);
}

function isIgnored({ refuted: times, refutedAt }: SuspectPrice, now: Instant): boolean {
  return times >= MAX_REFUTED && refutedAt !== null && now - refutedAt < OWN_PRICE_WINDOW;
}

/** A clock that was set back ends the check, too. */
function isTimedOut({ openSince }: SuspectPrice, now: Instant): boolean {
  return openSince !== null && (now - openSince >= SUSPECT_TIMEOUT || openSince > now);
}

function opened(shown: ShownPrice, now: Instant, stops: boolean): SuspectPrice {
  const { price, source, readAt } = shown;
  const never = { nextReadAt: null, refuted: 0, refutedAt: null };
  return { price, source, readAt, openSince: now, stopsSending: stops, ...never };
}

/** What stays of the source's former suspect price: the time of its check, and for the same price its refutations. */
function counted(before: SuspectPrice | undefined, price: Cents): Partial<SuspectPrice> {
  if (before === undefined) return {};
  const { refuted: times, refutedAt, openSince, nextReadAt } = before;
  return {
    ...(before.price === price && { refuted: times, refutedAt }),
    ...(openSince !== null && { openSince, nextReadAt }),
  };
}

function closed(suspect: SuspectPrice): SuspectPrice {
  return { ...suspect, openSince: null, nextReadAt: null };
}

/** None where the clock was set back in between. */
function lagOf(source: ReadingSource, readAt: Instant, movedAt: Instant): ReadingLag[] {
  return readAt < movedAt ? [] : [{ source, lag: (readAt - movedAt) as Millis }];
}
