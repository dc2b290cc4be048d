import { type Cents, hours, type Instant } from '#domain/units.ts';

/** How long a marketplace may still show a price of ours after it was replaced. */
export const OWN_PRICE_WINDOW = hours(24);

/** A price that came into force. */
export interface PriceInForce {
  readonly price: Cents;
  readonly since: Instant;
  /** Set by a rule or a user here; false for prices from imports and from the marketplace. */
  readonly isOwn: boolean;
  /** It undid an external edit, so the price before it was never ours. */
  readonly isRepair?: true;
}

/** A price that was sent to the marketplace, whatever became of it. */
export interface PriceSent {
  readonly price: Cents;
  readonly at: Instant;
  /** Refused, or not seen in time. */
  readonly isGivenUp: boolean;
}

/** The recent prices of one listing. */
export interface RecentPrices {
  /** The oldest first: the one in force when the window began, and all since. The last is in force now. */
  readonly inForce: readonly PriceInForce[];
  /** In any order. */
  readonly sent: readonly PriceSent[];
}

/** What is known of one own price. */
export interface OwnPrice {
  /** When another price last took its place; null while it is in force, and when it never was. */
  readonly replacedAt: Instant | null;
  /** When it was last sent; null when it was not, within the window. */
  readonly sentAt: Instant | null;
  /** Given up after it was last sent: it may still arrive. */
  readonly isGivenUp: boolean;
}

/**
 * Own recent prices: what was in force by our doing or was sent within the last 24 hours, and the price in force before
 * the first of them. A list that is behind shows one of these; it is no change made on the marketplace. Prices that were
 * adopted from the marketplace are not among them, except as the one before the first where that is no repair.
 */
export function ownRecentPrices(recent: RecentPrices, now: Instant): ReadonlyMap<Cents, OwnPrice> {
  const own = new Map<Cents, OwnPrice>();
  const add = (price: Cents, news: Partial<OwnPrice>): void => {
    own.set(price, { replacedAt: null, sentAt: null, isGivenUp: false, ...own.get(price), ...news });
  };
  const spans = spansOf(recent, now);
  const sent = recent.sent.filter(({ at }) => isRecent(at, now)).toSorted((one, other) => one.at - other.at);
  const first = Math.min(
    ...sent.map(({ at }) => at),
    ...spans.filter(({ isOwn }) => isOwn).map(({ since }) => since),
  );
  const at = Number.isFinite(first) ? spans.findLastIndex(({ since }) => since < first) : -1;
  const before = spans[at + 1]?.isRepair === true ? undefined : spans[at];
  for (const span of spans) {
    if (span.isOwn || span === before) add(span.price, { replacedAt: span.until });
  }
  for (const { price, at, isGivenUp } of sent) add(price, { sentAt: at, isGivenUp });
  return own;
}

/**
 * Every price that buyers could see as ours within the last 24 hours, adopted ones included, and every price that was sent. An
 * offer without a seller's name at one of these could be our own.
 */
export function recentlyShownPrices(recent: RecentPrices, now: Instant): ReadonlySet<Cents> {
  return new Set([...spansOf(recent, now).map(({ price }) => price), ...ownRecentPrices(recent, now).keys()]);
}

interface Span extends PriceInForce {
  /** Null for the price in force now. */
  readonly until: Instant | null;
}

/** The prices that were in force at any time of the window. */
function spansOf({ inForce }: RecentPrices, now: Instant): Span[] {
  return inForce
    .map((one, index): Span => ({ ...one, until: inForce[index + 1]?.since ?? null }))
    .filter(({ until }) => until === null || isRecent(until, now));
}

/** A time that is later than now, by a clock that was set back, is recent. */
function isRecent(at: Instant, now: Instant): boolean {
  return at > now - OWN_PRICE_WINDOW;
}
