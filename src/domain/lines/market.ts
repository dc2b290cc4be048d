import { isReadingUsable } from '#domain/competition/competition.ts';
import {
  isAtPriceInForce,
  landedPrice,
  offerStatus,
  statusBesidesPrice,
} from '#domain/competition/competitors.ts';
import type { Offer } from '#domain/competition/offer.ts';
import type { ListingFacts } from '#domain/decision/facts.ts';
import type { Policy } from '#domain/limits/policy.ts';
import type { FulfillmentType } from '#domain/marketplaces.ts';
import type { Rule } from '#domain/rules/rule.ts';
import { type Cents, WHOLE } from '#domain/units.ts';
import { RELATIONS, type Relation, type Situation } from './line.ts';

/** What the lines of a rule see of the competition. */
export interface Market {
  readonly situation: Situation;
  /** By {@link RELATIONS}, the counted offer with the lowest landed price; of equal ones the first. */
  readonly lowest: readonly (Offer | null)[];
  /** The lowest landed price of all counted offers; infinite without one. */
  readonly lowestLanded: number;
  /** The buy box of another seller, whether or not the rule counts it; null if it is ours, or not known. */
  readonly box: Offer | null;
  /** Only the buy box is shown, and it is ours: who else sells the item is not known. */
  readonly isOnlyOursShown: boolean;
}

/**
 * Goes over the offers of a listing once.
 * @param lowestPrice the lowest allowed price of the listing
 */
export function marketOf(facts: ListingFacts, rule: Rule, policy: Policy, lowestPrice: Cents): Market {
  const { offers, marketplace, fulfillmentType } = facts;
  // Not a literal of five nulls, whose first write would copy it.
  const none: Offer | null = null;
  const lowest: (Offer | null)[] = [none, none, none, none, none];
  let lowestLanded = Number.POSITIVE_INFINITY;
  let box: Offer | null = null;
  let isBoxOurs = false;
  let isBoxUnpriced = false;
  let hasUnusable = false;
  let hasFormer = false;
  let hasOurPrice = false;
  const bound = landedBound(rule, lowestPrice, facts.shippingCharge as Cents);
  for (let at = 0; at < offers.length; at += 1) {
    const offer = offers[at] as Offer;
    const isBox = offer.isFeatured && offer.channel === marketplace;
    const landed = offer.price + offer.shipping;
    const relation = relationIndex(offer, fulfillmentType);
    const known = lowest[relation] as Offer | null;
    // The cheap comparison first: next to a counted offer, the status of a higher one matters only for the buy box.
    if (!isBox && known !== null && landed >= known.price + known.shipping) continue;
    switch (offerStatus(offer, facts, rule, policy)) {
      case 'counted':
        if (isBox) box = boxOf(box, offer, fulfillmentType);
        if (landed < bound) break;
        if (landed < lowestLanded) lowestLanded = landed;
        if (known === null || landed < known.price + known.shipping) lowest[relation] = offer;
        break;
      case 'ours':
        if (isBox) isBoxOurs = true;
        break;
      case 'could_be_ours':
        if (!isAtPriceInForce(offer, facts)) hasFormer = true;
        else {
          hasOurPrice = true;
          if (isBox) isBoxOurs = true;
        }
        break;
      case 'unreadable':
        // An offer that would count, had it a price that can be read.
        if (statusBesidesPrice(offer, facts, rule, policy) !== 'counted') break;
        hasUnusable = true;
        // Whose it is is known, and that is enough to lose it.
        if (isBox && offer.seller !== null) isBoxUnpriced = true;
        break;
      case 'no_time':
      case 'from_future':
      case 'too_old':
        hasUnusable = true;
        break;
      case 'other_fulfillment':
      case 'rating':
      case 'rating_count':
      case 'handling_days':
      case 'ignored_seller':
        if (isBox) box = boxOf(box, offer, fulfillmentType);
        break;
    }
  }
  if (isBoxOurs) box = null;
  const isAlone = lowestLanded === Number.POSITIVE_INFINITY;
  const isRead = isReadingUsable(facts, policy) && !(isAlone && !isBoxUnpriced && (hasUnusable || hasFormer));
  const situation = isRead
    ? situationOf(facts, rule, policy, lowestLanded, box, isBoxOurs, isBoxUnpriced, hasOurPrice)
    : 'not_read';
  return { situation, lowest, lowestLanded, box, isOnlyOursShown: facts.coverage === 'box' && isBoxOurs };
}

/** Of a reading that can be used: the first that applies. @param lowestLanded infinite where no offer counts */
function situationOf(
  { coverage, signals, currentPrice, shippingCharge }: ListingFacts,
  { winShare }: Rule,
  { now, maxOfferAge }: Policy,
  lowestLanded: number,
  box: Offer | null,
  isBoxOurs: boolean,
  isBoxUnpriced: boolean,
  hasOurPrice: boolean,
): Situation {
  const suppressedAt = signals?.boxSuppressedAt ?? null;
  if (suppressedAt !== null && suppressedAt <= now && now - suppressedAt <= maxOfferAge) return 'suppressed';
  const isAlone = lowestLanded === Number.POSITIVE_INFINITY;
  // A reading of the buy box alone shows nothing of the other sellers.
  if (isAlone && coverage !== 'box' && !hasOurPrice && !isBoxUnpriced) return 'alone';
  const boxShare = signals?.boxShare ?? null;
  if (boxShare !== null) return boxShare >= winShare ? 'winning' : 'losing';
  if (isBoxOurs) return 'winning';
  if (box !== null || isBoxUnpriced) return 'losing';
  if (isAlone) return hasOurPrice ? 'winning' : 'not_read';
  return (currentPrice as Cents) + (shippingCharge as Cents) <= lowestLanded ? 'winning' : 'losing';
}

/** Offers with a lower landed price are ignored by the rule. */
export function landedBound({ ignoreUnderFloor }: Rule, lowestPrice: Cents, charge: Cents): number {
  if (ignoreUnderFloor === null) return Number.NEGATIVE_INFINITY;
  return Math.ceil((lowestPrice * (WHOLE - ignoreUnderFloor)) / WHOLE) + charge;
}

/** Of two that are marked as the buy box the cheaper one: the order of a reading must not decide. */
function boxOf(known: Offer | null, offer: Offer, ours: FulfillmentType): Offer {
  if (known === null) return offer;
  const difference =
    landedPrice(offer) - landedPrice(known) || relationIndex(offer, ours) - relationIndex(known, ours);
  return difference < 0 ? offer : known;
}

const [EQUAL, FASTER, SLOWER, MARKETPLACE, UNKNOWN] = [0, 1, 2, 3, 4] as const;

/** The place in {@link RELATIONS} of an offer's shipping compared with ours. */
export function relationIndex({ isMarketplace, fulfillmentType }: Offer, ours: FulfillmentType): number {
  if (isMarketplace) return MARKETPLACE;
  if (fulfillmentType === null) return UNKNOWN;
  if (fulfillmentType === ours) return EQUAL;
  return ours === 'FBM' ? FASTER : SLOWER;
}

export function relationOf(offer: Offer, ours: FulfillmentType): Relation {
  return RELATIONS[relationIndex(offer, ours)] as Relation;
}

/** The counted offers of a listing, for what is asked too rarely to be worked out every time. */
export function countedOffers(
  facts: ListingFacts,
  rule: Rule,
  policy: Policy,
  lowestPrice: Cents,
): readonly Offer[] {
  const bound = landedBound(rule, lowestPrice, facts.shippingCharge as Cents);
  return facts.offers.filter(
    (offer) => offerStatus(offer, facts, rule, policy) === 'counted' && landedPrice(offer) >= bound,
  );
}
