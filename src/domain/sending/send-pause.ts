import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { hours, type Instant, instant, type Millis, minutes } from '#domain/units.ts';
import { notFoundUntil } from './not-found.ts';
import { REVISION_LIMITS, revisionDayEnd } from './revision-limits.ts';

/*
 * A refusal that passes: the marketplace did not take a price, for a reason that ends with time. Such a price was not
 * rejected; it is decided again when the pause ends.
 */

/**
 * Why no price is sent for a while: `daily_limit` the marketplace's calls of a day are used up · `revision_limit` the
 * listing was changed as often as a day allows · `too_new` the marketplace is still setting up the listing · `unclear` a
 * refusal with a code that we do not know as final · `not_told` the marketplace does not say whether a sale or another
 * repricer sets the price, and one did when it last said so, or it never did, or refuses to show the listing · `business_price` a price for business buyers
 * cannot follow and would stay too low · `not_found` the marketplace did not find the listing right before its price was to
 * be sent, once.
 */
export const SEND_PAUSE_REASONS = [
  'daily_limit',
  'revision_limit',
  'too_new',
  'unclear',
  'not_told',
  'business_price',
  'not_found',
] as const;
export type SendPauseReason = (typeof SEND_PAUSE_REASONS)[number];

/** A pause of one listing. */
export interface SendPause {
  readonly why: SendPauseReason;
  /** No price is sent before. */
  readonly until: Instant;
  /** A price that ends one below the margin floor is sent all the same. */
  readonly allowsRepairs: boolean;
}

/** A listing that its marketplace has not set up within this time is refused for another reason. */
export const SETUP_TIME = hours(24);
/** A refusal with an unknown code is tried again after this. */
const UNCLEAR_PAUSE = hours(24);
/** So often; the next one counts as a rejection. */
const MAX_UNCLEAR = 3;
/** A used up limit is tried again after this where the marketplace does not report when it resets. */
const UNKNOWN_RESET = hours(1);
/** What was not reported is asked again after this. */
const UNTOLD_RETRY = minutes(15);
/** No pause is longer, whatever the marketplace reports: it is asked again then. */
export const LONGEST_SEND_PAUSE: Millis = hours(48);
/** The seller may have changed them since. */
const BUSINESS_PRICE_RETRY = hours(1);
/** The zone of eBay's day is not documented: a listing that is refused again after midnight is tried so often. */
const REVISION_RETRY = hours(2);

/** A refusal that passes, as the marketplace reported it. */
export interface PassingRefusal {
  readonly why: SendPauseReason;
  /** When it ends, if the marketplace reported it. */
  readonly until: Instant | null;
  /** How often in a row the listing was refused for this reason before. */
  readonly timesBefore: number;
  /** When the last pause for this reason ends or ended; null without one. */
  readonly lastUntil: Instant | null;
  /** When the listing was first seen. */
  readonly listedAt: Instant;
}

/** When the price is decided again, within {@link LONGEST_SEND_PAUSE}; null where the refusal is final after all. */
export function pauseEnd(refusal: PassingRefusal, now: Instant): Instant | null {
  const end = reportedEnd(refusal, now);
  return end === null ? null : instant(Math.min(end, now + LONGEST_SEND_PAUSE));
}

function reportedEnd(
  { why, until, timesBefore, lastUntil, listedAt }: PassingRefusal,
  now: Instant,
): Instant | null {
  switch (why) {
    case 'daily_limit':
      return until !== null && until > now ? until : after(now, UNKNOWN_RESET);
    case 'revision_limit':
      return timesBefore === 0 ? revisionDayEnd(now) : after(now, REVISION_RETRY);
    case 'too_new': {
      const setUp = after(listedAt, SETUP_TIME);
      return setUp > now ? setUp : null;
    }
    case 'unclear':
      return timesBefore < MAX_UNCLEAR ? after(now, UNCLEAR_PAUSE) : null;
    case 'not_told':
      return after(now, UNTOLD_RETRY);
    case 'business_price':
      return after(now, BUSINESS_PRICE_RETRY);
    case 'not_found':
      return notFoundUntil(lastUntil, now);
  }
}

function after(at: Instant, duration: Millis): Instant {
  return instant(at + duration);
}

/** "eBay has reached its daily limit of price changes for E-1 (250)." @param why null where it is not known */
export function sendPauseText(
  why: SendPauseReason | null,
  { marketplace, sku }: { readonly marketplace: Marketplace; readonly sku: string },
): string {
  const name = MARKETPLACE_NAMES[marketplace];
  switch (why) {
    case 'daily_limit':
      return `${name} has reached its daily call limit.`;
    case 'revision_limit': {
      const limit = REVISION_LIMITS[marketplace]?.users;
      return `${name} has reached its daily limit of price changes for ${sku}${limit === undefined ? '' : ` (${limit})`}.`;
    }
    case 'too_new':
      return `${name} is still setting up ${sku}.`;
    case 'unclear':
      return `${name} did not accept the price of ${sku}. The reason may be temporary.`;
    case 'not_told':
      return `${name} does not say whether a sale or another repricer sets the price of ${sku}.`;
    case 'business_price':
      return `A business or quantity price of ${sku} on ${name} is too low and cannot follow a lower price.`;
    case 'not_found':
      return `${name} did not find ${sku}. Pricewright checks again in a few minutes.`;
    default:
      return `${name} does not accept prices for ${sku} right now.`;
  }
}
