import type { Offer } from '#domain/competition/offer.ts';
import type { ListingFacts } from '#domain/decision/facts.ts';
import type { AllowedPrices } from '#domain/limits/allowed-prices.ts';
import type { Policy } from '#domain/limits/policy.ts';
import type { Rule } from '#domain/rules/rule.ts';
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
