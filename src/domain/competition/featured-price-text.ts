import { ageText, moneyText } from '#domain/text.ts';
import type { Cents, Instant, Millis } from '#domain/units.ts';
import {
  FEATURED_PRICE_MAX_AGE,
  type FeaturedPrice,
  OWN_COMPETING_OFFER,
  VALID_FEATURED_PRICE,
} from './featured-price.ts';

/** What Amazon's other statuses mean. */
const STATUS_TEXTS: Readonly<Record<string, string>> = {
  NO_COMPETING_OFFER: 'No other offer competes for the buy box.',
  OFFER_NOT_ELIGIBLE: 'This offer cannot be featured at any price: Amazon says that it is not eligible.',
  OFFER_NOT_FOUND: 'Amazon does not find this offer.',
  ASIN_NOT_ELIGIBLE: 'Amazon features no offer of this product.',
  [OWN_COMPETING_OFFER]: 'Only another offer of yours competes for the buy box.',
};

/**
 * What it takes to become the featured offer, as one or more sentences.
 * @param lowestAllowed our lowest allowed price; null while it is unknown
 */
export function featuredPriceText(
  reported: FeaturedPrice,
  lowestAllowed: Cents | null,
  now: Instant,
): string {
  return `${meaningOf(reported.status, reported.price, lowestAllowed)} ${readText(reported, now)}`;
}

/** Why there is no featured offer price that a rule can follow, as one or two sentences. */
export function noFeaturedPriceText(reported: FeaturedPrice | null, now: Instant): string {
  if (reported === null) return "Amazon's featured offer price has not been synced yet.";
  if (reported.price === null) return meaningOf(reported.status, null, null);
  return `Amazon's featured offer price is out of date. ${readText(reported, now)}`;
}

/** That a price is not expected to be featured, as one sentence; null where it is, or that is not known. */
export function notFeaturedText({ price: expected }: FeaturedPrice, price: Cents): string | null {
  if (expected === null || price <= expected) return null;
  return `Amazon expects to feature this offer at ${moneyText(expected)} or less, so it will not win the buy box at this price.`;
}

function readText({ readAt }: FeaturedPrice, now: Instant): string {
  const age = (now - readAt) as Millis;
  const use =
    age <= FEATURED_PRICE_MAX_AGE ? '' : `, too long: it counts for up to ${ageText(FEATURED_PRICE_MAX_AGE)}`;
  return `Checked ${ageText(age)} ago${use}.`;
}

function meaningOf(status: string, price: Cents | null, lowestAllowed: Cents | null): string {
  if (status !== VALID_FEATURED_PRICE || price === null) {
    return STATUS_TEXTS[status] ?? `Amazon shows no price, with the status ${status}.`;
  }
  const expected = `Amazon expects to feature this offer at ${moneyText(price)} or less`;
  return lowestAllowed !== null && price < lowestAllowed
    ? `${expected}, which is below your lowest allowed price of ${moneyText(lowestAllowed)}.`
    : `${expected}.`;
}
