import type { Offer, SellerKey } from '#domain/competition/offer.ts';
import { compileFees } from '#domain/fees/compose-fees.ts';
import type { FeeBand, FeeSchedule } from '#domain/fees/fee-schedule.ts';
import type { FeeTable } from '#domain/fees/fee-table.ts';
import { checkFeeSchedule } from '#domain/fees/fee-tables.ts';
import type { Policy } from '#domain/limits/policy.ts';
import { asksForTime } from '#domain/lines/compile-lines.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import {
  type LineTerms,
  type OfferFilter,
  type Rule,
  type RuleChoice,
  type ScopeTerms,
  WITHOUT_LINES,
  WITHOUT_SCOPE,
} from '#domain/rules/rule.ts';
import type { Bps, Cents, Instant } from '#domain/units.ts';
import type { ListingFacts } from './facts.ts';

/** The inputs of a decision. */
export interface DecisionCase {
  readonly facts: ListingFacts;
  readonly choice: RuleChoice;
  readonly policy: Policy;
}

/** The version of the stored format. A reader rejects an unknown one instead of guessing. */
const FORM = 5;

/**
 * All inputs of a decision as plain data for the ledger: rule, fees and limits as they were at that time,
 * so that the explanation can be repeated after they have changed. Amounts are whole cents.
 */
export interface StoredCase {
  readonly form: typeof FORM;
  readonly facts: Omit<ListingFacts, 'offers' | 'fees'>;
  /** The composed table with its basis: later arithmetic must not change what an old decision explains. */
  readonly fees: FeeTable | null;
  readonly offers: readonly StoredOffer[];
  readonly choice: StoredChoice<StoredRule>;
  readonly policy: Omit<Policy, 'ownSellers'> & { readonly ownSellers: readonly SellerKey[] };
  /** Whom the price goes against, by `opponentKey`; null for no one, and without a name in rows of earlier releases. */
  readonly against: SellerKey | null;
}

interface StoredChoice<OneRule> {
  readonly kind: RuleChoice['kind'];
  readonly minimumMargin: Bps | null;
  readonly rule: OneRule | null;
}

/** Rows of earlier releases have no scope. */
type StoredRule = Omit<Rule, 'filter' | keyof ScopeTerms> &
  Partial<ScopeTerms> & { readonly filter: StoredFilter | null };
type StoredFilter = Omit<OfferFilter, 'ignoreSellers'> & { readonly ignoreSellers: readonly SellerKey[] };

/** Form 4 has no lines of rules, and nothing that only these ask about. */
type StoredCaseForm4 = Omit<StoredCase, 'form' | 'facts' | 'choice' | 'policy'> & {
  readonly form: 4;
  readonly facts: Omit<StoredCase['facts'], 'signals'>;
  readonly choice: StoredChoice<Omit<StoredRule, keyof LineTerms>>;
  readonly policy: Omit<StoredCase['policy'], 'local'>;
};

/** Form 3 has no readings of competitors: offers that did not count were no competitors. */
type StoredCaseForm3 = Omit<StoredCaseForm4, 'form' | 'facts'> & {
  readonly form: 3;
  readonly facts: Omit<StoredCaseForm4['facts'], 'readAt' | 'coverage' | 'ownPrices' | 'featuredPrice'>;
};

/** Form 2 has the fee schedule alone, none of its bands on the total with tax, and no band edge was avoided. */
type StoredCaseForm2 = Omit<StoredCaseForm3, 'form' | 'fees' | 'policy'> & {
  readonly form: 2;
  readonly policy: Omit<StoredCaseForm4['policy'], 'avoidBandEdges'>;
  readonly fees: ScheduleForm2 | null;
};

type ScheduleForm2 = Omit<FeeSchedule, 'bands' | 'edgeBase'> & {
  readonly bands: readonly Omit<FeeBand, 'percentTaxed' | 'perUnit'>[];
};

/** Form 1 has former names, and its early rows lack later fields. The ledger keeps these rows permanently. */
interface StoredCaseForm1 extends Pick<StoredCaseForm2, 'fees' | 'offers' | 'against'> {
  readonly form: 1;
  readonly facts: Omit<
    StoredCaseForm3['facts'],
    'elsewhere' | 'isMissing' | 'isPriceUnverified' | 'priceWarStreak' | 'refusedPrices' | 'sendPause'
  > & {
    readonly elsewhere?: ListingFacts['elsewhere'];
    readonly isGone?: boolean;
    readonly isUnread?: boolean;
    readonly lowered: ListingFacts['priceWarStreak'];
    readonly refusedPrices?: ListingFacts['refusedPrices'];
  };
  readonly choice: StoredChoice<RuleForm1>;
  readonly policy: Omit<
    StoredCaseForm2['policy'],
    'maxDailyChange' | 'priceWarThreshold' | 'priceWarPause' | 'areOwnSellersKnown' | 'mode'
  > & {
    readonly engine: keyof typeof MODES_FORM_1;
    readonly maxDrift: Policy['maxDailyChange'];
    readonly warLimit: Policy['priceWarThreshold'];
    readonly warHold: Policy['priceWarPause'];
    readonly ownOffersKnown: boolean;
  };
}

const MODES_FORM_1 = {
  armed: 'live',
  observe: 'recommend_only',
  paused: 'paused',
  read_only: 'read_only',
} as const satisfies Record<string, Policy['mode']>;

type RuleForm1 = Omit<StoredRule, 'requiresReview' | 'refuseCrossChannel' | keyof LineTerms> & {
  readonly askFirst: boolean;
  readonly refuseCrossChannel?: boolean;
};

/** An offer as a tuple without field names, since one row may contain a hundred of them. */
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

/** @param against whom the price goes against, by `opponentKey` */
export function storeCase(
  { facts, choice, policy }: DecisionCase,
  against: SellerKey | null = null,
): StoredCase {
  const { offers, fees, ...rest } = facts;
  // The time of the shop is a fact of rules that ask for it alone.
  const local = asksForTime(choice.rule?.lines ?? []) ? policy.local : null;
  return {
    form: FORM,
    facts: rest,
    fees,
    offers: offers.map(storeOffer),
    choice: {
      kind: choice.kind,
      minimumMargin: choice.minimumMargin,
      rule: choice.rule === null ? null : storeRule(choice.rule),
    },
    policy: { ...policy, local, ownSellers: [...policy.ownSellers] },
    against,
  };
}

/** @returns null for anything but a stored case of a known form, such as a row written by hand */
export function readStoredCase(stored: unknown): DecisionCase | null {
  const current = inCurrentForm(stored);
  if (current === null) return null;
  const { facts, fees, offers, choice, policy } = current;
  return {
    facts: {
      ...facts,
      // Rows of earlier releases do not have them.
      sendPause: facts.sendPause ?? null,
      marketplaceLimits: facts.marketplaceLimits ?? null,
      group: facts.group ?? null,
      signals: facts.signals === null ? null : { ...NO_ENTERED_SIGNALS, ...facts.signals },
      greatestDiscount: facts.greatestDiscount ?? 0,
      fees,
      offers: offers.map(readOffer),
    },
    choice: {
      ...choice,
      rule: choice.rule === null ? null : readRule(choice.rule),
      // The union ties kind, rule and margin together; they were stored together.
    } as RuleChoice,
    policy: {
      ...policy,
      otherOfferAges: policy.otherOfferAges ?? {},
      ownSellers: new Set(policy.ownSellers),
    },
  };
}

/** No age of a listing counted then. */
const LONG_AGO = 0 as Instant;
/** Rows from before lines could ask for these do not have them. */
const NO_ENTERED_SIGNALS = { externalPrice: null, sisters: [], listedAt: LONG_AGO } as const;

function inCurrentForm(value: unknown): StoredCase | null {
  if (typeof value !== 'object' || value === null || !('form' in value)) return null;
  if (value.form === 1) return fromForm4(fromForm3(fromForm2(fromForm1(value as StoredCaseForm1))));
  if (value.form === 2) return fromForm4(fromForm3(fromForm2(value as StoredCaseForm2)));
  if (value.form === 3) return fromForm4(fromForm3(value as StoredCaseForm3));
  if (value.form === 4) return fromForm4(value as StoredCaseForm4);
  return value.form === FORM ? (value as StoredCase) : null;
}

function fromForm4(stored: StoredCaseForm4): StoredCase {
  const { facts, choice, policy } = stored;
  return {
    ...stored,
    form: FORM,
    facts: { ...facts, signals: null },
    choice: { ...choice, rule: choice.rule === null ? null : { ...choice.rule, ...WITHOUT_LINES } },
    policy: { ...policy, local: null },
  };
}

function fromForm3(stored: StoredCaseForm3): StoredCaseForm4 {
  const unrecorded = { readAt: null, coverage: 'unrecorded', ownPrices: [], featuredPrice: null } as const;
  return { ...stored, form: 4, facts: { ...stored.facts, ...unrecorded } };
}

function fromForm2(stored: StoredCaseForm2): StoredCaseForm3 {
  const { fees, policy } = stored;
  return {
    ...stored,
    form: 3,
    fees: fees === null ? null : tableOf(fees),
    policy: { ...policy, avoidBandEdges: false },
  };
}

function tableOf(stored: ScheduleForm2): FeeTable {
  const nothing = { percentTaxed: 0 as Bps, perUnit: 0 as Cents };
  const schedule: FeeSchedule = {
    ...stored,
    edgeBase: 'revenue',
    bands: stored.bands.map((band) => ({ ...band, ...nothing })),
  };
  const table = compileFees(schedule, 0 as Bps);
  // An invalid schedule must block today as it did then.
  return checkFeeSchedule(schedule) === null ? table : { ...table, pieces: [] };
}

function fromForm1({ facts, choice, policy, fees, offers, against }: StoredCaseForm1): StoredCaseForm2 {
  const { elsewhere, isGone, isUnread, lowered, refusedPrices, ...sameFacts } = facts;
  const { maxDrift, warLimit, warHold, ownOffersKnown, engine, ...samePolicy } = policy;
  return {
    form: 2,
    facts: {
      ...sameFacts,
      elsewhere: elsewhere ?? [],
      isMissing: isGone ?? false,
      isPriceUnverified: isUnread ?? false,
      priceWarStreak: lowered,
      refusedPrices: refusedPrices ?? [],
      sendPause: null,
    },
    fees,
    offers,
    choice: { ...choice, rule: choice.rule === null ? null : ruleFromForm1(choice.rule) },
    policy: {
      ...samePolicy,
      maxDailyChange: maxDrift,
      priceWarThreshold: warLimit,
      priceWarPause: warHold,
      areOwnSellersKnown: ownOffersKnown,
      mode: MODES_FORM_1[engine],
    },
    against,
  };
}

function ruleFromForm1({
  askFirst,
  refuseCrossChannel,
  ...same
}: RuleForm1): Omit<StoredRule, keyof LineTerms> {
  return { ...same, requiresReview: askFirst, refuseCrossChannel: refuseCrossChannel ?? false };
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
    ...WITHOUT_SCOPE,
    ...rule,
    filter: filter === null ? null : { ...filter, ignoreSellers: new Set(filter.ignoreSellers) },
  };
}
