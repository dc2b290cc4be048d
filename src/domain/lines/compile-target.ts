import { FEATURED_PRICE_MAX_AGE, VALID_FEATURED_PRICE } from '#domain/competition/featured-price.ts';
import { type Offer, sellerKey } from '#domain/competition/offer.ts';
import { costWithoutFees } from '#domain/costs/cost-without-fees.ts';
import type { OwnPrice } from '#domain/decision/cross-channel.ts';
import { isStillKnown } from '#domain/decision/entered-facts.ts';
import type { ListingFacts } from '#domain/decision/facts.ts';
import type { FeeTable } from '#domain/fees/fee-table.ts';
import { lowestWithMargin } from '#domain/limits/margin-floor.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import { type Bps, type Cents, MAX_CENTS, WHOLE } from '#domain/units.ts';
import {
  type OfferGroup,
  RELATIONS,
  type Relation,
  SAME,
  type Shift,
  type Shifts,
  type Target,
} from './line.ts';
import { countedOffers, relationIndex } from './market.ts';
import { percentOf } from './percent-offset.ts';
import type { Question, TargetPrice } from './question.ts';

/** A target, prepared for many listings. */
export interface CompiledTarget {
  /** The price; null is unknown. */
  readonly price: (question: Question) => number | null;
  /** The price with the offer that it comes from, where it comes from one. */
  readonly named: (question: Question) => TargetPrice;
  /** The same without offers that want less than `least`; null where the target is no offer. */
  readonly from: ((question: Question, least: number) => TargetPrice) | null;
  readonly looksAtCompetitors: boolean;
}

export function compileTarget(target: Target): CompiledTarget {
  switch (target.kind) {
    case 'lowest':
      return lowestTarget(target.only, target.by);
    case 'seller':
      return sellerTarget(target.name, target.by);
    case 'box':
      return boxTarget(target.by);
    case 'featured':
      return {
        ...plain((question) => shifted(featuredPrice(question), target.by)),
        looksAtCompetitors: true,
      };
    case 'own':
      return plain(({ facts }) => shifted(facts.anchorPrice, target.by));
    case 'current':
      return plain(({ facts }) => shifted(facts.currentPrice, target.by));
    case 'external':
      return plain((question) => shifted(externalPrice(question), target.by));
    case 'sister':
      return plain((question) => sisterPrice(question, target.sku, target.marketplace, target.by));
    case 'channel':
      return plain((question) => channelPrice(question, target.marketplace, target.by));
    case 'margin':
      return plain((question) => marginPrice(question, target.margin ?? targetMarginOf(question)));
    case 'cost_plus':
      return plain((question) => costPlusPrice(question, target.percent));
    case 'between':
      return plain((question) => betweenPrice(question, target.percent));
    case 'floor':
      return plain(({ lowestPrice }) => lowestPrice);
    case 'ceiling':
      // What no fee allows is lowered later, with the reason.
      return plain(({ allowed }) => allowed.priceCeiling);
    case 'learned':
      // Dynamic Pricing does not learn yet.
      return { ...plain(() => null), looksAtCompetitors: true };
  }
}

/** The target margin of the rule on the listing's marketplace; null if none is set. */
function targetMarginOf({ rule, facts }: Question): Bps | null {
  return rule.marketplaceTargets[facts.marketplace] ?? rule.targetMargin;
}

function plain(price: CompiledTarget['price']): CompiledTarget {
  return {
    price,
    named: (question) => ({ price: price(question), offer: null }),
    from: null,
    looksAtCompetitors: false,
  };
}

function shifted(price: number | null, by: Shift | null): number | null {
  if (price === null || by === null) return price;
  return 'percent' in by ? percentOf(price, WHOLE + by.percent) : price + by.amount;
}

/** The factors and amounts of a shift by {@link RELATIONS}; a factor of 0 leaves the offers out. */
interface ShiftTable {
  readonly factors: readonly number[];
  readonly amounts: readonly number[];
}

/** By the fulfillment of our listing, which decides what a relation without a shift of its own takes. */
type ShiftTables = Readonly<Record<FulfillmentType, ShiftTable>>;

function shiftTables(by: Shifts | null): ShiftTables {
  return { 'FBA/WFS': shiftTable(by, 'equal'), FBM: shiftTable(by, 'faster') };
}

function shiftTable(by: Shifts | null, instead: Relation): ShiftTable {
  const shifts = RELATIONS.map((relation) => shiftOf(by, relation, instead));
  return {
    factors: shifts.map((shift) =>
      shift === 'ignore' ? 0 : 'percent' in shift ? WHOLE + shift.percent : WHOLE,
    ),
    amounts: shifts.map((shift) => (shift !== 'ignore' && 'amount' in shift ? shift.amount : 0)),
  };
}

/** @param instead the relation whose shift the marketplace and unknown shippers take without one of their own */
function shiftOf(by: Shifts | null, relation: Relation, instead: Relation): Shift | 'ignore' {
  if (by === null) return SAME;
  if ('all' in by) return by.all;
  const takes = relation === 'marketplace' || relation === 'unknown' ? instead : relation;
  return by.byRelation[relation] ?? by.byRelation[takes] ?? SAME;
}

/** The shift of a target against one offer of another seller; null where there is none. */
export function shiftAgainst(by: Shifts | null, offer: Offer, ours: FulfillmentType): Shift | null {
  const relation = RELATIONS[relationIndex(offer, ours)] as Relation;
  const shift = shiftOf(by, relation, ours === 'FBM' ? 'faster' : 'equal');
  return shift === 'ignore' || ('amount' in shift && shift.amount === 0) ? null : shift;
}

/** Our price against one offer; null where its relation is ignored. */
function wantAgainst(offer: Offer, tables: ShiftTables, { facts }: Question): number | null {
  const relation = relationIndex(offer, facts.fulfillmentType);
  return wantAt(offer, relation, tableOf(tables, facts), facts.shippingCharge as Cents);
}

/** Our price against one counted offer, for the explanation; null where a target does not go by it. */
export function wantAgainstOffer(target: Target, offer: Offer, facts: ListingFacts): number | null {
  if (target.kind !== 'lowest' && target.kind !== 'seller' && target.kind !== 'box') return null;
  const { fulfillmentType, marketplace, shippingCharge } = facts;
  const relation = relationIndex(offer, fulfillmentType);
  const isMeant =
    target.kind === 'lowest'
      ? isInGroup(relation, target.only, fulfillmentType)
      : target.kind === 'seller'
        ? offer.seller !== null && offer.seller === sellerKey(target.name)
        : offer.isFeatured && offer.channel === marketplace;
  const table = tableOf(shiftTables(target.by), facts);
  return isMeant ? wantAt(offer, relation, table, shippingCharge as Cents) : null;
}

/** A comparison takes less time than a lookup by name. */
function tableOf(tables: ShiftTables, { fulfillmentType }: ListingFacts): ShiftTable {
  return fulfillmentType === 'FBM' ? tables.FBM : tables['FBA/WFS'];
}

function wantAt(
  offer: Offer,
  relation: number,
  { factors, amounts }: ShiftTable,
  charge: Cents,
): number | null {
  const factor = factors[relation] as number;
  if (factor === 0) return null;
  const landed = offer.price + offer.shipping;
  const exact = factor === WHOLE ? landed : percentOf(landed, factor);
  return exact + (amounts[relation] as number) - charge;
}

const NOTHING: TargetPrice = { price: null, offer: null };

/** Whether a group of offers has those of a relation, by our fulfillment; null is all of them. */
function isInGroup(relation: number, only: OfferGroup | null, ours: FulfillmentType): boolean {
  if (only === null) return true;
  const name = RELATIONS[relation];
  if (only === 'marketplace') return name === 'marketplace';
  const isSame = only === (ours === 'FBM' ? 'merchant' : 'warehouse');
  return isSame ? name === 'equal' : name === (ours === 'FBM' ? 'faster' : 'slower');
}

/** The table without the relations that a group does not have. */
function onlyInGroup(table: ShiftTable, only: OfferGroup | null, ours: FulfillmentType): ShiftTable {
  const factors = table.factors.map((factor, relation) => (isInGroup(relation, only, ours) ? factor : 0));
  return { ...table, factors };
}

function lowestTarget(only: OfferGroup | null, by: Shifts | null): CompiledTarget {
  const all = shiftTables(by);
  const tables: ShiftTables = {
    'FBA/WFS': onlyInGroup(all['FBA/WFS'], only, 'FBA/WFS'),
    FBM: onlyInGroup(all.FBM, only, 'FBM'),
  };
  return offerTarget(
    ({ market, facts }) =>
      market === null || market.situation === 'not_read'
        ? NOTHING
        : lowestOfRelations(market.lowest, tableOf(tables, facts), facts),
    (question, atLeast) => lowestAmong(question, tables, atLeast, () => true),
  );
}

/** A shift keeps the order of prices, so that only the lowest offer of each relation can have the lowest price of ours. */
function lowestOfRelations(
  lowest: readonly (Offer | null)[],
  table: ShiftTable,
  { offers, shippingCharge }: ListingFacts,
): TargetPrice {
  let price: number | null = null;
  let from: Offer | null = null;
  for (let relation = 0; relation < lowest.length; relation += 1) {
    const offer = lowest[relation] as Offer | null;
    if (offer === null) continue;
    const want = wantAt(offer, relation, table, shippingCharge as Cents);
    if (want === null || !isNamedBefore(want, offer, price, from, offers)) continue;
    price = want;
    from = offer;
  }
  return from === null ? NOTHING : { price, offer: from };
}

/** The lowest want of the counted offers of a kind that is not below `atLeast`. */
function lowestAmong(
  question: Question,
  tables: ShiftTables,
  atLeast: number,
  isOne: (offer: Offer) => boolean,
): TargetPrice {
  const { facts, rule, policy, lowestPrice, market } = question;
  if (market === null || market.situation === 'not_read') return NOTHING;
  let best = NOTHING;
  for (const offer of countedOffers(facts, rule, policy, lowestPrice)) {
    if (!isOne(offer)) continue;
    const want = wantAgainst(offer, tables, question);
    if (want === null || want < atLeast) continue;
    if (isNamedBefore(want, offer, best.price, best.offer, facts.offers)) best = { price: want, offer };
  }
  return best;
}

/** The lower want; of equal ones the lower landed price, then the first offer of the list. */
function isNamedBefore(
  want: number,
  offer: Offer,
  bestWant: number | null,
  best: Offer | null,
  offers: readonly Offer[],
): boolean {
  if (bestWant === null || best === null || want !== bestWant) return bestWant === null || want < bestWant;
  const difference = offer.price + offer.shipping - (best.price + best.shipping);
  return difference === 0 ? offers.indexOf(offer) < offers.indexOf(best) : difference < 0;
}

function sellerTarget(name: string, by: Shifts | null): CompiledTarget {
  const tables = shiftTables(by);
  const key = sellerKey(name);
  const from = (question: Question, atLeast: number): TargetPrice =>
    lowestAmong(question, tables, atLeast, ({ seller }) => seller !== null && seller === key);
  return offerTarget((question) => from(question, Number.NEGATIVE_INFINITY), from);
}

function boxTarget(by: Shifts | null): CompiledTarget {
  const tables = shiftTables(by);
  const from = (question: Question, atLeast: number): TargetPrice => {
    const { market } = question;
    if (market === null || market.situation === 'not_read' || market.box === null) return NOTHING;
    const want = wantAgainst(market.box, tables, question);
    return want === null || want < atLeast ? NOTHING : { price: want, offer: market.box };
  };
  return offerTarget((question) => from(question, Number.NEGATIVE_INFINITY), from);
}

function offerTarget(
  named: CompiledTarget['named'],
  from: NonNullable<CompiledTarget['from']>,
): CompiledTarget {
  return { price: (question) => named(question).price, named, from, looksAtCompetitors: true };
}

function featuredPrice({ facts: { featuredPrice: featured }, policy: { now } }: Question): Cents | null {
  if (featured === null || featured.status !== VALID_FEATURED_PRICE) return null;
  const age = now - featured.readAt;
  return age >= 0 && age <= FEATURED_PRICE_MAX_AGE ? featured.price : null;
}

function channelPrice({ facts }: Question, marketplace: Marketplace, by: Shift | null): number | null {
  return sameLanded(
    facts,
    facts.elsewhere.find((each) => each.marketplace === marketplace),
    by,
  );
}

/** Of the other listing's price in force. Its own price is no sister's: that would move with every change. */
function sisterPrice(
  { facts }: Question,
  sku: string,
  marketplace: Marketplace | null,
  by: Shift | null,
): number | null {
  const on = marketplace ?? facts.marketplace;
  if (on === facts.marketplace && sku === facts.sku) return null;
  return sameLanded(
    facts,
    facts.signals?.sisters.find((each) => each.sku === sku && each.marketplace === on),
    by,
  );
}

/** Our price at which buyers pay as much as for another listing of ours, shifted. */
function sameLanded(facts: ListingFacts, own: OwnPrice | undefined, by: Shift | null): number | null {
  if (own === undefined) return null;
  const landed = shifted(own.price + own.shippingCharge, by);
  return landed === null ? null : landed - (facts.shippingCharge as Cents);
}

function externalPrice({ facts: { signals }, policy: { now } }: Question): Cents | null {
  const external = signals?.externalPrice ?? null;
  return external !== null && isStillKnown(external.at, now) ? external.price : null;
}

function marginPrice({ facts, minimumMargin }: Question, margin: Bps | null): number | null {
  if (margin === null) return null;
  return lowestWithMargin({
    totalCost: costWithoutFees(facts) as Cents,
    shippingCharge: facts.shippingCharge as Cents,
    fees: facts.fees as FeeTable,
    minimumMargin: Math.max(margin, minimumMargin) as Bps,
  });
}

/** The lowest price that covers the cost and a share of it, with the fulfillment fee as at that price. */
function costPlusPrice({ facts }: Question, percent: Bps): number | null {
  const cost = costWithoutFees(facts) as Cents;
  const charge = facts.shippingCharge as Cents;
  const priceOf = (fee: number): number => Math.ceil(((cost + fee) * (WHOLE + percent)) / WHOLE) - charge;
  const steps = (facts.fees as FeeTable).basis.fulfillment;
  if (steps.length === 0) return priceOf(0);
  let above = Number.NEGATIVE_INFINITY;
  for (const { upTo, fee } of steps) {
    const price = fee === null ? Number.POSITIVE_INFINITY : Math.max(priceOf(fee), above + 1);
    if (price <= (upTo ?? MAX_CENTS)) return price;
    above = upTo ?? MAX_CENTS;
  }
  return null;
}

function betweenPrice(question: Question, percent: Bps): number {
  const { lowestPrice } = question;
  return lowestPrice + percentOf(highestPrice(question) - lowestPrice, percent);
}

/** The highest allowed price. */
function highestPrice({ allowed: { ranges } }: Question): number {
  return ranges[ranges.length - 1] as number;
}
