import type { ListingFacts } from '#domain/decision/facts.ts';
import { maxOfferAgeOn, type Policy } from '#domain/limits/policy.ts';
import type { OfferFilter, Rule } from '#domain/rules/rule.ts';
import { isAmount, isPrice, type Millis } from '#domain/units.ts';
import type { Offer } from './offer.ts';

/** Whether an offer counts, or why it is excluded: the first reason that applies, in this order. */
export type OfferStatus =
  | 'counted'
  | 'unreadable'
  | 'ours'
  | 'other_channel'
  | 'no_time'
  | 'from_future'
  | 'too_old'
  | 'could_be_ours'
  | 'other_fulfillment'
  | 'rating'
  | 'rating_count'
  | 'handling_days'
  | 'ignored_seller'
  | 'below_floor';

/** What the status of an offer depends on, of its listing. */
export type CountingListing = Pick<
  ListingFacts,
  | 'marketplace'
  | 'fulfillmentType'
  | 'currentPrice'
  | 'pendingPrice'
  | 'shippingCharge'
  | 'ownPrices'
  | 'elsewhere'
>;

/** What the buyer pays for an offer: item plus shipping, in cents. */
export function landedPrice(offer: Offer): number {
  return offer.price + offer.shipping;
}

export function offerStatus(
  offer: Offer,
  facts: CountingListing,
  rule: Pick<Rule, 'otherChannels' | 'filter' | 'onlySameShipping'>,
  policy: Policy,
): OfferStatus {
  if (!isPrice(offer.price) || !isAmount(offer.shipping)) return 'unreadable';
  return (
    excludedStatus(offer, facts, rule, policy) ??
    (couldBeOurs(offer, facts) ? 'could_be_ours' : filteredStatus(offer, facts, rule))
  );
}

/** The status of an offer if its price could be read and were none of ours. */
export function statusBesidesPrice(
  offer: Offer,
  facts: CountingListing,
  rule: Pick<Rule, 'otherChannels' | 'filter' | 'onlySameShipping'>,
  policy: Policy,
): OfferStatus {
  return excludedStatus(offer, facts, rule, policy) ?? filteredStatus(offer, facts, rule);
}

function excludedStatus(
  offer: Offer,
  facts: CountingListing,
  rule: Pick<Rule, 'otherChannels'>,
  policy: Policy,
): OfferStatus | null {
  if (offer.isOurs || (offer.seller !== null && policy.ownSellers.has(offer.seller))) return 'ours';
  const isElsewhere = offer.channel !== facts.marketplace;
  if (isElsewhere && !rule.otherChannels) return 'other_channel';
  // Nearly every offer is on our own channel, and a lookup by name takes time.
  return ageStatus(offer, isElsewhere ? maxOfferAgeOn(offer.channel, policy) : policy.maxOfferAge, policy);
}

function filteredStatus(
  offer: Offer,
  facts: CountingListing,
  rule: Pick<Rule, 'filter' | 'onlySameShipping'>,
): OfferStatus {
  if (rule.onlySameShipping && facts.fulfillmentType === 'FBA/WFS' && !competesWithWarehouse(offer)) {
    return 'other_fulfillment';
  }
  return rule.filter === null ? 'counted' : filterStatus(offer, rule.filter);
}

/** Null for an offer that was seen recently enough. */
function ageStatus({ seenAt }: Offer, maxAge: Millis, { now }: Policy): OfferStatus | null {
  if (seenAt === null || !Number.isFinite(seenAt)) return 'no_time';
  const age = now - seenAt;
  if (age < 0) return 'from_future';
  return age <= maxAge ? null : 'too_old';
}

/** FBA/WFS listings compete with the marketplace's own offer, the featured offer and other FBA/WFS offers. */
function competesWithWarehouse(offer: Offer): boolean {
  return offer.isMarketplace || offer.isFeatured || offer.fulfillmentType === 'FBA/WFS';
}

// NaN is neither above nor below any limit, so an unknown value passes none.
const UNKNOWN = Number.NaN;

/** An offer whose rating or handling time is unknown cannot pass a limit on it. */
function filterStatus(offer: Offer, filter: OfferFilter): OfferStatus {
  if (filter.fulfillmentType !== null && offer.fulfillmentType !== filter.fulfillmentType) {
    return 'other_fulfillment';
  }
  if (filter.minRating !== null && !((offer.rating ?? UNKNOWN) >= filter.minRating)) return 'rating';
  if (filter.minRatingCount !== null && !((offer.ratingCount ?? UNKNOWN) >= filter.minRatingCount)) {
    return 'rating_count';
  }
  if (filter.maxHandlingDays !== null && !((offer.handlingDays ?? UNKNOWN) <= filter.maxHandlingDays)) {
    return 'handling_days';
  }
  return offer.seller !== null && filter.ignoreSellers.has(offer.seller) ? 'ignored_seller' : 'counted';
}

/**
 * An offer without a seller at a price of ours is most likely ours, and must not be undercut: what marketplaces show can be
 * hours behind.
 */
function couldBeOurs(offer: Offer, facts: CountingListing): boolean {
  if (offer.seller !== null || offer.isMarketplace) return false;
  if (isAtPriceInForce(offer, facts)) return true;
  const landed = landedPrice(offer);
  const charge = facts.shippingCharge ?? Number.NaN;
  const { ownPrices } = facts;
  for (let at = 0; at < ownPrices.length; at += 1) {
    if (landed === ownPrices[at] || landed - charge === ownPrices[at]) return true;
  }
  return offer.channel !== facts.marketplace && isAtOurPriceThere(offer, facts);
}

/** Whether an offer on another channel is at a price of ours there, within the last 24 hours: it is compared with none here. */
function isAtOurPriceThere(offer: Offer, { elsewhere }: CountingListing): boolean {
  const landed = landedPrice(offer);
  return elsewhere.some(
    ({ marketplace, shippingCharge, ownPrices = [] }) =>
      marketplace === offer.channel &&
      ownPrices.some((price) => landed === price || landed - shippingCharge === price),
  );
}

/** Whether an offer is at the current price, or at the pending one, which buyers can see before it is confirmed. */
export function isAtPriceInForce(
  offer: Offer,
  { currentPrice, pendingPrice, shippingCharge, ownPrices }: CountingListing,
): boolean {
  const landed = landedPrice(offer);
  const price = landed - (shippingCharge ?? Number.NaN);
  if (price === currentPrice || price === pendingPrice) return true;
  // Without our shipping charge only where own prices are known: former decisions compared with it alone.
  return currentPrice !== null && landed === currentPrice && ownPrices.includes(currentPrice);
}

/**
 * The competitor to price against: the lowest landed offer that counts; of equals the first.
 * @param atLeast lower landed prices are skipped ("skip to the next")
 */
export function lowestCompetitor(
  facts: ListingFacts,
  rule: Rule,
  policy: Policy,
  atLeast: number,
): Offer | null {
  let lowest: Offer | null = null;
  let lowestLanded = Number.POSITIVE_INFINITY;
  const { offers } = facts;
  for (let at = 0; at < offers.length; at += 1) {
    const offer = offers[at] as Offer;
    const landed = landedPrice(offer);
    // The cheap comparison first: the status matters only for the lowest offer.
    if (!(landed < lowestLanded) || landed < atLeast) continue;
    if (offerStatus(offer, facts, rule, policy) !== 'counted') continue;
    lowest = offer;
    lowestLanded = landed;
  }
  return lowest;
}
