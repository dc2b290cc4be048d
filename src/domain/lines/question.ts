import type { AllowedPrices } from '#domain/allowed-prices.ts';
import type { ListingFacts } from '#domain/facts.ts';
import type { Offer } from '#domain/offer.ts';
import type { Policy } from '#domain/policy.ts';
import type { Rule } from '#domain/rule.ts';
import type { Bps, Cents } from '#domain/units.ts';
import type { Market } from './market.ts';

/** What conditions and targets of a line are asked about. */
export interface Question {
  readonly facts: ListingFacts;
  readonly rule: Rule;
  readonly policy: Policy;
  readonly minimumMargin: Bps;
  readonly allowed: AllowedPrices;
  readonly lowestPrice: Cents;
  /** Null where no line looks at competitors. */
  readonly market: Market | null;
}

/** A price, and the offer that it comes from; a null price is unknown. */
export interface TargetPrice {
  readonly price: number | null;
  readonly offer: Offer | null;
}
