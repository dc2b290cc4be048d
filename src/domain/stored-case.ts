import type { ListingFacts } from './facts.ts';
import type { FeeSchedule } from './fee.ts';
import { feeBook, feesInForce } from './fee-book.ts';
import type { FulfillmentType, Marketplace } from './marketplaces.ts';
import type { Offer, SellerKey } from './offer.ts';
import type { Policy } from './policy.ts';
import type { OfferFilter, Rule, RuleChoice } from './rule.ts';
import type { Bps, Cents, Instant } from './units.ts';

/** What a decision is made from. */
export interface DecisionCase {
  readonly facts: ListingFacts;
  readonly choice: RuleChoice;
  readonly policy: Policy;
}

/** The form changed: a reader that does not know a form says so instead of guessing. */
const FORM = 1;

type LaterFact = 'elsewhere' | 'isGone' | 'isUnread' | 'refusedPrices';

/**
 * Everything a decision was made from, as plain data for the ledger: rule, fees and limits are kept as they were,
 * so that the explanation can be given again after all of them have changed. Amounts are whole cents.
 */
export interface StoredCase {
  readonly form: typeof FORM;
  /** What was stored before our other channels, refusals, vanished and unread listings were looked at lacks them. */
  readonly facts: Omit<ListingFacts, 'offers' | 'fees' | LaterFact> & Partial<Pick<ListingFacts, LaterFact>>;
  readonly fees: FeeSchedule | null;
  readonly offers: readonly StoredOffer[];
  readonly choice: StoredChoice;
  readonly policy: Omit<Policy, 'ownSellers'> & { readonly ownSellers: readonly SellerKey[] };
  /** The seller the price was made against; null without one, and when it has no name. */
  readonly against: SellerKey | null;
}

interface StoredChoice {
  readonly kind: RuleChoice['kind'];
  readonly minimumMargin: Bps | null;
  readonly rule: StoredRule | null;
}

type StoredRule = Omit<Rule, 'filter' | 'refuseCrossChannel'> &
  Partial<Pick<Rule, 'refuseCrossChannel'>> & { readonly filter: StoredFilter | null };
type StoredFilter = Omit<OfferFilter, 'ignoreSellers'> & { readonly ignoreSellers: readonly SellerKey[] };

/** An offer without its names: there may be a hundred of them in one row. */
type StoredOffer = readonly [
  sellerName: string | null,
  seller: SellerKey | null,
  price: Cents,
  shipping: Cents,
  seenAt: Instant | null,
  channel: Marketplace,
  fulfillmentType: FulfillmentType | null,
  /** 1 marketplace, 2 featured, 4 ours. */
  marks: number,
  rating: Bps | null,
  ratingCount: number | null,
  handlingDays: number | null,
];

/** @param against the seller of the competitor that counted */
export function storeCase(
  { facts, choice, policy }: DecisionCase,
  against: SellerKey | null = null,
): StoredCase {
  const { offers, fees, ...rest } = facts;
  return {
    form: FORM,
    facts: rest,
    fees: fees?.schedule ?? null,
    offers: offers.map(storeOffer),
    choice: {
      kind: choice.kind,
      minimumMargin: choice.minimumMargin,
      rule: choice.rule === null ? null : storeRule(choice.rule),
    },
    policy: { ...policy, ownSellers: [...policy.ownSellers] },
    against,
  };
}

/** @returns null for what is no stored case of a form known here, such as a row that was written by hand */
export function readStoredCase(stored: unknown): DecisionCase | null {
  if (!isStoredCase(stored)) return null;
  const { facts, fees, offers, choice, policy } = stored;
  return {
    facts: {
      ...facts,
      elsewhere: facts.elsewhere ?? [],
      isGone: facts.isGone ?? false,
      isUnread: facts.isUnread ?? false,
      refusedPrices: facts.refusedPrices ?? [],
      // Through the book: a schedule that cannot be used must block today as it did then.
      fees: fees === null ? null : feesInForce(feeBook([fees]), fees.marketplace, fees.category, policy.now),
      offers: offers.map(readOffer),
    },
    choice: {
      ...choice,
      rule: choice.rule === null ? null : readRule(choice.rule),
      // The union ties kind, rule and margin together; they were stored together.
    } as RuleChoice,
    policy: { ...policy, ownSellers: new Set(policy.ownSellers) },
  };
}

function isStoredCase(value: unknown): value is StoredCase {
  return typeof value === 'object' && value !== null && 'form' in value && value.form === FORM;
}

function storeOffer(offer: Offer): StoredOffer {
  const marks = Number(offer.isMarketplace) + 2 * Number(offer.isFeatured) + 4 * Number(offer.isOurs);
  return [
    offer.sellerName,
    offer.seller,
    offer.price,
    offer.shipping,
    offer.seenAt,
    offer.channel,
    offer.fulfillmentType,
    marks,
    offer.rating,
    offer.ratingCount,
    offer.handlingDays,
  ];
}

function readOffer(stored: StoredOffer): Offer {
  const [sellerName, seller, price, shipping, seenAt, channel, fulfillmentType, marks] = stored;
  const [, , , , , , , , rating, ratingCount, handlingDays] = stored;
  return {
    sellerName,
    seller,
    price,
    shipping,
    seenAt,
    channel,
    fulfillmentType,
    isMarketplace: (marks & 1) !== 0,
    isFeatured: (marks & 2) !== 0,
    isOurs: (marks & 4) !== 0,
    rating,
    ratingCount,
    handlingDays,
  };
}

function storeRule(rule: Rule): StoredRule {
  const { filter } = rule;
  return {
    ...rule,
    filter: filter === null ? null : { ...filter, ignoreSellers: [...filter.ignoreSellers] },
  };
}

function readRule(rule: StoredRule): Rule {
  const { filter } = rule;
  return {
    ...rule,
    refuseCrossChannel: rule.refuseCrossChannel ?? false,
    filter: filter === null ? null : { ...filter, ignoreSellers: new Set(filter.ignoreSellers) },
  };
}
