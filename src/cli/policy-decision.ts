import { VALID_FEATURED_PRICE } from '#domain/competition/featured-price.ts';
import { explain } from '#domain/decision/explain.ts';
import type { ListingFacts } from '#domain/decision/facts.ts';
import { compileFees } from '#domain/fees/compose-fees.ts';
import { PLAIN_BAND } from '#domain/fees/fee-schedule.ts';
import type { FeeTable } from '#domain/fees/fee-table.ts';
import { withOwnMap } from '#domain/limits/marketplace-limits.ts';
import { DEFAULT_LIMITS, type LocalTime, type Policy } from '#domain/limits/policy.ts';
import { rememberDecision } from '#domain/lines/line-memory.ts';
import type { RuleChoice } from '#domain/rules/rule.ts';
import type { RuleIndex } from '#domain/rules/rule-choice.ts';
import { NOTHING_KNOWN } from '#domain/rules/segment.ts';
import { localTimeOf } from '#domain/time/local-time.ts';
import { type Bps, type Cents, type Ounces, WHOLE } from '#domain/units.ts';
import { MemberError, Members, share } from './json-members.ts';
import { observationOf, type PolicyObservation } from './policy-observation.ts';
import type { PolicySession } from './policy-session.ts';
import {
  dollars,
  memoryKeyOf,
  memoryOf,
  type PolicyState,
  pastFacts,
  stateAt,
  stateJson,
  stateOf,
  withRequest,
} from './policy-state.ts';

/** What a rule is chosen by. */
export interface RuleQuestion {
  readonly members: Members;
  readonly observation: PolicyObservation;
  /** The last price that was set by hand. */
  readonly ownPrice: Cents;
  /** Null: the time of the shop is not known. */
  readonly local: LocalTime | null;
}

/** What every observation of a run is decided with. */
export interface PolicyRun {
  /** Null before a line with `init`, if there is no rules file. @throws MemberError for a member that it needs */
  readonly chooseRule: ((question: RuleQuestion) => RuleChoice) | null;
  /** Where the shop is; null: not known, unless an observation says it. */
  readonly timeZone: string | null;
  /** What remembers the listings; null where their states come with the observations. */
  readonly session: PolicySession | null;
}

/**
 * The answer to an observation, as JSON.
 * @param path where it is on the line, such as "observations[2]"
 * @throws MemberError for a member that is missing or cannot be read
 */
export function decisionJson(
  value: unknown,
  { chooseRule, timeZone, session }: PolicyRun,
  path = '',
): object {
  if (chooseRule === null) throw new MemberError('init is missing, and there is no rules file');
  const members = membersOf(value, session, path);
  const observation = observationOf(members);
  const { listingId, now } = observation;
  const local = observation.local ?? (timeZone === null ? null : localTimeOf(now, timeZone));
  const remembered = session?.remembered.get(listingId) ?? null;
  const given = observation.state === null ? null : stateOf(observation.state);
  const before = stateAt(given ?? remembered?.state ?? null, observation);
  const sold = (remembered?.sold ?? 0) + observation.units;
  const choice = chooseRule({ members, observation, ownPrice: before.ownPrice, local });
  const policy: Policy = { ...LIMITS, minStep: observation.tick ?? LIMITS.minStep, now, local };
  const known = memoryOf(before, choice.rule);
  const facts = {
    ...factsOf(observation, { ...before, ...known }),
    salesCount: session === null ? null : sold,
  };
  const { decision, sentence, against } = explain(facts, choice, policy);
  const { kind, price, line, marginFloor } = decision;
  const state: PolicyState = {
    ...before,
    requested:
      kind === 'change' || kind === 'recommend'
        ? withRequest(before.requested, { price, against, at: now })
        : before.requested,
    rememberedBy: memoryKeyOf(choice.rule),
    ...rememberDecision(known, line, now),
  };
  session?.remembered.set(listingId, { state, sold });
  return {
    listingId,
    outcome: kind,
    price: price === null ? null : dollars(price),
    reasonCode: decision.reason,
    reason: sentence,
    rule: choice.rule?.name ?? null,
    line: line?.number ?? null,
    situation: line?.situation ?? null,
    floor: marginFloor === null ? null : dollars(marginFloor),
    ...(session === null ? { state: stateJson(state) } : {}),
  };
}

/** The members of an observation, and what `init` said of its listing. */
function membersOf(value: unknown, session: PolicySession | null, path: string): Members {
  const written = new Members(value, path);
  if (session === null) return written;
  const { listingId } = value as { readonly listingId?: unknown };
  return new Members({ ...session.membersOf(listingId), ...(value as object) }, path);
}

/** Chooses by the rules of a file. */
export function chooserOf(rulesAt: (local: LocalTime | null) => RuleIndex): PolicyRun['chooseRule'] {
  return ({ observation, ownPrice, local }) => {
    const { marketplace, fulfillmentType, cost, stock, stockAgeDays } = observation;
    const scope = { ...NOTHING_KNOWN, ownPrice, cost, stock, stockAgeDays };
    return rulesAt(local).choose({ marketplace, fulfillmentType, ownRule: null, scope });
  };
}

/** Chooses the strategy of a session, with the minimum margin of each observation. */
export function strategyChooserOf({ rule }: PolicySession): PolicyRun['chooseRule'] {
  return ({ members }) => {
    const minimumMargin = members.get('minMargin', share);
    return { kind: 'matched', rule: { ...rule, minimumMargin }, minimumMargin };
  };
}

/** The limits of a new installation, in a shop that is live. */
const LIMITS: Omit<Policy, 'now' | 'local'> = {
  ...DEFAULT_LIMITS,
  ownSellers: new Set(),
  areOwnSellersKnown: true,
  mode: 'live',
  halted: false,
  autoRepricing: true,
  areFeeEstimatesAccepted: false,
};

const NOTHING = 0 as Cents;

function factsOf(observation: PolicyObservation, state: PolicyState): ListingFacts {
  const { marketplace, currentPrice, pendingPrice, cost, mapPrice, featuredPrice, readAt, now } = observation;
  const { situation, turns } = state;
  return {
    marketplace,
    sku: observation.listingId,
    fulfillmentType: observation.fulfillmentType,
    currentPrice,
    anchorPrice: state.ownPrice,
    minPrice: observation.minPrice,
    maxPrice: observation.maxPrice,
    marketplaceLimits: withOwnMap(null, mapPrice),
    greatestDiscount: 0 as Bps,
    shippingCharge: observation.shippingCharge,
    cost: {
      product: cost,
      shipping: NOTHING,
      fulfillment: NOTHING,
      packaging: NOTHING,
      misc: NOTHING,
      weight: 1 as Ounces,
      total: cost,
      gaps: [],
      estimate: null,
    },
    fees: feesOf(observation),
    offers: observation.offers,
    readAt,
    coverage: observation.coverage,
    ...pastFacts(state, pendingPrice),
    featuredPrice:
      featuredPrice === null
        ? null
        : { price: featuredPrice, status: VALID_FEATURED_PRICE, readAt: readAt ?? now },
    elsewhere: observation.elsewhere,
    autoRepricing: true,
    hold: null,
    pendingPrice,
    isMissing: false,
    isPriceUnverified: false,
    refusedPrices: [],
    sendPause: null,
    awaitingUpload: false,
    lastChangedAt: state.lastChangedAt,
    salesCount: null,
    signals: {
      boxShare: observation.boxShare,
      followShare: observation.followShare,
      boxSuppressedAt: observation.isBoxSuppressed ? (readAt ?? now) : null,
      situation,
      turns,
      stock: observation.stock,
      daysOfSupply: observation.daysOfSupply,
      stockAgeDays: observation.stockAgeDays,
      lastSaleAt: observation.lastSaleAt,
      listedAt: observation.listedAt,
      sold: observation.sold,
      externalPrice: observation.externalPrice,
      sisters: observation.sisters,
    },
    group: null,
  };
}

/** The same share of the revenue and the same amount at any price. A share of everything leaves no price with a margin. */
function feesOf({ marketplace, feeRate, fixedFee }: PolicyObservation): FeeTable {
  const percent = Math.min(feeRate, WHOLE) as Bps;
  return compileFees({
    marketplace,
    category: null,
    effectiveFrom: null,
    bandKind: 'whole',
    edgeBase: 'revenue',
    bands: [{ ...PLAIN_BAND, upTo: null, percent, fixed: fixedFee, minimum: NOTHING }],
  });
}
