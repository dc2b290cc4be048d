import type { ListingFacts } from '#domain/decision/facts.ts';
import type { Policy } from '#domain/limits/policy.ts';
import type { Situation } from '#domain/lines/line.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Rule } from '#domain/rules/rule.ts';
import type { Instant } from '#domain/units.ts';
import { isAtPriceInForce, offerStatus, statusBesidesPrice } from './competitors.ts';
import type { Offer } from './offer.ts';

/** What a reading of competitors shows: every offer, the first ones of a longer list, or the buy box alone. */
export const READ_COVERAGES = ['all', 'top', 'box'] as const;
export type ReadCoverage = (typeof READ_COVERAGES)[number];

/** `none`: the marketplace shows no competitors, so that offers come from files and from other channels only. */
export type Coverage = ReadCoverage | 'none';

/** What is known about the competitors of a listing: it has some, it has none, or it is not known. */
export const COMPETITION_STATUSES = ['competitors', 'alone', 'not_read'] as const;
export type CompetitionStatus = (typeof COMPETITION_STATUSES)[number];

/** Why the competitors of a listing are not known. */
export type NotReadReason =
  | 'never'
  | 'from_future'
  | 'too_old'
  /** The reading is recent, the only offers in it are not. */
  | 'offers_too_old'
  /** An offer that would count has a price that cannot be read, and no other one counts. */
  | 'offer_unreadable'
  /** The only offer has no seller name and is at a price that was ours within the last 24 hours. */
  | 'former_price'
  /** Only the buy box is shown, and no offer of another seller counts. */
  | 'box_only';

/** The status on a reading of a listing's competitors. */
export interface Competition {
  readonly status: CompetitionStatus;
  /** When they were last read; null if never, or where the marketplace shows none. */
  readonly readAt: Instant | null;
  /** Null unless not read. */
  readonly because: NotReadReason | null;
  /** Only our own offer is shown, and who else sells the item is not known; only for `competitors`. */
  readonly isOnlyOurs: boolean;
}

/** The options of a rule that decide which offers count. */
export type OfferChoice = Pick<Rule, 'otherChannels' | 'filter' | 'onlySameShipping'>;

/** For a listing without a rule: every offer on its own marketplace. */
export const EVERY_OFFER: OfferChoice = { otherChannels: false, filter: null, onlySameShipping: true };

/**
 * Determines what is known about the competitors of a listing. No competitor (`alone`) takes a recent reading that would have
 * shown one, or a marketplace that shows none; silence is `not_read`.
 * @param atLeast offers with a lower landed price are skipped ("skip to the next")
 */
export function competitionOf(
  facts: ListingFacts,
  rule: OfferChoice,
  policy: Policy,
  atLeast: number = Number.NEGATIVE_INFINITY,
): Competition {
  const { coverage, readAt } = facts;
  const late = coverage === 'none' || coverage === 'unrecorded' ? null : ageReason(readAt, policy);
  if (late !== null) return notRead(readAt, late);
  const seen = sightOf(facts, rule, policy, atLeast);
  if (seen.isCounted) return known(readAt, 'competitors');
  // Before readings were stored, offers that did not count were no competitors.
  if (coverage === 'unrecorded') return known(readAt, 'alone');
  if (seen.isLate) return notRead(readAt, 'offers_too_old');
  if (seen.isUnreadable) return notRead(readAt, 'offer_unreadable');
  if (seen.isAtFormerPrice) return notRead(readAt, 'former_price');
  if (seen.isAtOurPrice) return known(readAt, 'competitors', true);
  if (coverage !== 'box') return known(readAt, 'alone');
  return seen.isBoxOurs ? known(readAt, 'competitors', true) : notRead(readAt, 'box_only');
}

/**
 * Lines know from who holds the buy box, or from the share of it, that there are competitors, also where the rule ignores
 * all that are shown.
 * @param situation what the lines saw; null where none of them looked
 */
export function asLinesSaw(competition: Competition, situation: Situation | null): Competition {
  const isContested = situation === 'winning' || situation === 'losing';
  return isContested && competition.status === 'not_read'
    ? { ...competition, status: 'competitors', because: null }
    : competition;
}

function known(readAt: Instant | null, status: 'competitors' | 'alone', isOnlyOurs = false): Competition {
  return { status, readAt, because: null, isOnlyOurs };
}

function notRead(readAt: Instant | null, because: NotReadReason): Competition {
  return { status: 'not_read', readAt, because, isOnlyOurs: false };
}

/** Whether the last reading is recent enough to decide by, or none is needed. */
export function isReadingUsable({ coverage, readAt }: ListingFacts, policy: Policy): boolean {
  return coverage === 'none' || coverage === 'unrecorded' || ageReason(readAt, policy) === null;
}

/** Whether the buy box, the only offer that is shown, is ours. */
export function holdsOnlyBox(facts: ListingFacts, rule: OfferChoice, policy: Policy): boolean {
  if (facts.coverage !== 'box') return false;
  return facts.offers.some((offer) => {
    if (!offer.isFeatured || offer.channel !== facts.marketplace) return false;
    const status = offerStatus(offer, facts, rule, policy);
    return status === 'ours' || (status === 'could_be_ours' && isAtPriceInForce(offer, facts));
  });
}

function ageReason(readAt: Instant | null, { now, maxOfferAge }: Policy): NotReadReason | null {
  if (readAt === null || !Number.isFinite(readAt)) return 'never';
  const age = now - readAt;
  if (age < 0) return 'from_future';
  // Written so that an invalid limit (NaN) makes every reading too old.
  return age <= maxOfferAge ? null : 'too_old';
}

/**
 * When the offers of a file, or of before readings were stored, were read: when the newest of them was seen.
 * @returns null without an offer that was seen there by now
 */
export function newestSeen(offers: readonly Offer[], marketplace: Marketplace, now: Instant): Instant | null {
  let newest: Instant | null = null;
  for (const { seenAt, channel } of offers) {
    if (seenAt === null || !(seenAt <= now) || channel !== marketplace) continue;
    if (newest === null || seenAt > newest) newest = seenAt;
  }
  return newest;
}

/** Which kinds of offers there are. */
interface Sight {
  isCounted: boolean;
  isLate: boolean;
  isUnreadable: boolean;
  isAtFormerPrice: boolean;
  isAtOurPrice: boolean;
  isBoxOurs: boolean;
}

function sightOf(facts: ListingFacts, rule: OfferChoice, policy: Policy, atLeast: number): Sight {
  const seen: Sight = {
    isCounted: false,
    isLate: false,
    isUnreadable: false,
    isAtFormerPrice: false,
    isAtOurPrice: false,
    isBoxOurs: false,
  };
  const { offers } = facts;
  for (let at = 0; at < offers.length; at += 1) {
    const offer = offers[at] as Offer;
    const status = offerStatus(offer, facts, rule, policy);
    const isUnreadable = status === 'unreadable';
    switch (isUnreadable ? statusBesidesPrice(offer, facts, rule, policy) : status) {
      case 'counted':
        if (isUnreadable) seen.isUnreadable = true;
        else if (offer.price + offer.shipping >= atLeast) {
          // Next to one that counts, no other one makes a difference.
          seen.isCounted = true;
          return seen;
        }
        break;
      case 'no_time':
      case 'from_future':
      case 'too_old':
        seen.isLate = true;
        break;
      case 'could_be_ours':
        if (isAtPriceInForce(offer, facts)) seen.isAtOurPrice = true;
        else seen.isAtFormerPrice = true;
        break;
      case 'ours':
        if (offer.isFeatured && offer.channel === facts.marketplace) seen.isBoxOurs = true;
        break;
    }
  }
  return seen;
}
