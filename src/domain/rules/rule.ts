import type { SellerKey } from '#domain/competition/offer.ts';
import type { Line } from '#domain/lines/line.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Bps, Cents } from '#domain/units.ts';
import type { Schedule } from './schedule.ts';
import { type Segment, WHOLE_CATALOG } from './segment.ts';

export const STRATEGIES = ['Match Competitor', 'Beat Competitor', 'Fixed Margin', 'Dynamic Pricing'] as const;
export type Strategy = (typeof STRATEGIES)[number];

export const RULE_FULFILLMENTS = ['FBA/WFS', 'FBM', 'All'] as const;
export type RuleFulfillment = (typeof RULE_FULFILLMENTS)[number];

/** What to do when no competitor counts. */
export const NO_COMPETITOR = ['keep', 'floor', 'ceiling'] as const;
export type NoCompetitor = (typeof NO_COMPETITOR)[number];

/** What to do when the competitor is below our lowest allowed price. */
export const BELOW_FLOOR = ['floor', 'keep', 'ceiling', 'skip'] as const;
export type BelowFloor = (typeof BELOW_FLOOR)[number];

/** Which offers a rule excludes. A null limit excludes none. */
export interface OfferFilter {
  /** Offers with a lower or unknown rating are excluded. */
  readonly minRating: Bps | null;
  readonly minRatingCount: number | null;
  readonly maxHandlingDays: number | null;
  readonly ignoreSellers: ReadonlySet<SellerKey>;
  readonly fulfillmentType: FulfillmentType | null;
}

/** The members of a rule that its lines use. */
export interface LineTerms {
  /** In the order in which they apply; null: the strategy decides. */
  readonly lines: readonly Line[] | null;
  /** The margin that `target margin` asks for, 0 to 99.99%; null if none is set. */
  readonly targetMargin: Bps | null;
  /** Target margins of single marketplaces. */
  readonly marketplaceTargets: Partial<Readonly<Record<Marketplace, Bps>>>;
  /** From which share of the buy box on a listing is winning. */
  readonly winShare: Bps;
  /** FBA/WFS listings are compared with offers from the warehouse, featured offers and the marketplace's own alone. */
  readonly onlySameShipping: boolean;
  /** Offers further than this below our lowest allowed price do not count; null: all count. */
  readonly ignoreUnderFloor: Bps | null;
}

/** Of a rule whose strategy decides. */
export const WITHOUT_LINES: LineTerms = {
  lines: null,
  targetMargin: null,
  marketplaceTargets: {},
  winShare: 5_000 as Bps,
  onlySameShipping: true,
  ignoreUnderFloor: null,
};

/** The members of a rule that narrow its listings and its time, and its place among rules for the same listings. */
export interface ScopeTerms {
  readonly segment: Segment;
  /** 1 to 999, the smaller first; null comes after all numbers. */
  readonly priority: number | null;
  /** Null: always. */
  readonly schedule: Schedule | null;
}

/** Of a rule for every listing of its marketplace and fulfillment type, at any time. */
export const WITHOUT_SCOPE: ScopeTerms = { segment: WHOLE_CATALOG, priority: null, schedule: null };

/** The least urgent priority. */
export const MAX_PRIORITY = 999;

export interface Rule extends LineTerms, ScopeTerms {
  readonly id: string;
  readonly name: string;
  /** Null for those of the segment, which are all where it names none. */
  readonly marketplace: Marketplace | null;
  readonly fulfillmentType: RuleFulfillment;
  readonly strategy: Strategy;
  /** 0 to 99.99 %. */
  readonly minimumMargin: Bps;
  /** Minimum margins of single marketplaces. */
  readonly marketplaceMargins: Partial<Readonly<Record<Marketplace, Bps>>>;
  /** Added to the competitor's price by Match, subtracted by Beat; null if not set. */
  readonly competitorOffset: Cents | null;
  readonly isActive: boolean;
  /** Prices are only recommended; a user applies them. */
  readonly requiresReview: boolean;
  readonly noCompetitor: NoCompetitor;
  readonly belowFloor: BelowFloor;
  /** Offers for the same SKU on other marketplaces count too. */
  readonly otherChannels: boolean;
  /** A price that would make the SKU more expensive on Walmart or Amazon than on another channel is only recommended. */
  readonly refuseCrossChannel: boolean;
  readonly filter: OfferFilter | null;
  /** Age: of two rules that nothing else sets apart, the one with the smaller number is older and wins. */
  readonly order: number;
}

/** The rule that prices a listing and why, or why there is none. */
export type RuleChoice =
  | { readonly kind: 'own' | 'matched'; readonly rule: Rule; readonly minimumMargin: Bps }
  | {
      readonly kind: 'own_paused' | 'own_mismatch' | 'own_off_hours';
      readonly rule: Rule;
      readonly minimumMargin: null;
    }
  | { readonly kind: 'own_missing' | 'none'; readonly rule: null; readonly minimumMargin: null };

/** The part of a rule that decides which listings it applies to. */
export type RuleScope = Pick<
  Rule,
  'marketplace' | 'fulfillmentType' | 'segment' | 'priority' | 'schedule' | 'order'
>;
