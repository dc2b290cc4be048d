import { CAPABILITIES } from '#domain/connections/marketplace-capabilities.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { MoneyKind } from '#domain/money/money-event.ts';
import { type MoneyShare, REVENUE_KINDS } from '#domain/money/share-money.ts';
import { mainFeeOf, WITH_WAREHOUSE } from '#domain/sales/sale-fees.ts';
import { type Cents, type Instant, isPrice } from '#domain/units.ts';
import { type FeeFact, refusalOf } from './fee-fact.ts';

/** A sold order line with what was booked of it. */
export interface SettledLine {
  readonly marketplace: Marketplace;
  readonly fulfillmentType: FulfillmentType;
  readonly quantity: number;
  /** What the buyer paid for shipping; null while it is unknown. */
  readonly shipping: Cents | null;
  readonly shares: readonly MoneyShare[];
}

/** Marketplaces whose commission is a share of a total with the sales tax of the order. */
const TAKEN_ON_TOTAL: ReadonlySet<Marketplace> = new Set<Marketplace>(['ebay']);

/** No package costs more than this to fulfill, unless what is in it is worth a part of it. */
const MAX_USUAL_CHARGE = 10_000 as Cents;
const MAX_TIMES_REVENUE = 10;

/**
 * The fees of one unit that a marketplace took of a sale, as what it takes of the next one. Only where its commission and the
 * revenue were reported for all units. A fulfillment fee above $100.00 and ten times the revenue is out of range: it is kept, and not used until
 * an administrator accepts it.
 * @returns the commission where it does not answer what it would take, and the fulfillment fee where it ships; empty where they
 *   cannot be right
 */
export function settledFees(line: SettledLine): FeeFact[] {
  const { marketplace, fulfillmentType, quantity, shares } = line;
  const isCommissionNeeded = CAPABILITIES[marketplace].fees === 'after_sale';
  const isReported =
    mainFeeOf(marketplace) === 'commission' && (isCommissionNeeded || WITH_WAREHOUSE.has(marketplace));
  const isWhole = isForAll(line, 'commission') && isForAll(line, 'principal');
  if (!isReported || !isWhole || shares.some(({ isPart }) => isPart)) return [];
  const revenue = unitOf(sumOf(shares, [...REVENUE_KINDS, 'funded']), quantity);
  const shipping = unitOf(shippingOf(line), quantity);
  const commissions = shares.filter(({ kind }) => kind === 'commission');
  const { charged, saved } = regularOf(commissions);
  const base = baseOf(commissions, quantity);
  if (revenue === null || shipping === null || charged <= 0) return [];
  if (base === null && TAKEN_ON_TOTAL.has(marketplace)) return [];
  const askedPrice = (revenue - shipping) as Cents;
  const question = { fulfillmentType, askedPrice, askedShipping: shipping };
  // Of several units the highest amount that one of them may have been charged.
  const amount = Math.ceil(charged / quantity) as Cents;
  const promotion = Math.floor(saved / quantity) as Cents;
  const isUsable =
    isPrice(askedPrice) &&
    shipping >= 0 &&
    refusalOf({ ...question, fulfillmentType: 'FBM' }, [{ kind: 'commission', amount, promotion }]) === null;
  if (!isUsable || amount >= revenue) return [];
  const toldAt = Math.max(...commissions.map(({ postedAt }) => postedAt)) as Instant;
  const fact = {
    ...question,
    name: null,
    source: 'settled',
    toldAt,
    isAccepted: false,
  } as const;
  const categoryTold = commissions.find(({ fee }) => fee?.category != null)?.fee?.category ?? null;
  const commission: FeeFact = { ...fact, kind: 'commission', amount, promotion, feeBase: base, categoryTold };
  const charges = shares.filter(({ kind }) => kind === 'fulfillment');
  const ofWarehouse = regularOf(charges);
  const fulfillment = Math.ceil(ofWarehouse.charged / quantity) as Cents;
  const isShipped =
    fulfillmentType === 'FBA/WFS' &&
    isForAll(line, 'fulfillment') &&
    fulfillment > 0 &&
    charges.every(({ isOfSeveral }) => isOfSeveral === undefined);
  const isAbsurd = fulfillment > MAX_USUAL_CHARGE && fulfillment > MAX_TIMES_REVENUE * revenue;
  const charge = {
    ...fact,
    kind: 'fulfillment',
    amount: fulfillment,
    promotion: Math.floor(ofWarehouse.saved / quantity) as Cents,
    units: quantity,
    refusal: isAbsurd ? 'out_of_range' : null,
  } as const;
  return [...(isCommissionNeeded ? [commission] : []), ...(isShipped ? [charge] : [])];
}

/** The regular amount of a fee of all units, and what promotions took off it, in cents. */
function regularOf(shares: readonly MoneyShare[]): { readonly charged: number; readonly saved: number } {
  const saved = shares.reduce((sum, { fee }) => sum + (fee?.saved ?? 0), 0);
  return { saved, charged: saved - shares.reduce((sum, { amount }) => sum + amount, 0) };
}

/** Whether a kind was reported for every unit; its parts of other types are for the same units. */
function isForAll({ shares, quantity }: SettledLine, wanted: MoneyKind): boolean {
  const units = new Map<string, number>();
  for (const { kind, rawType, units: reported } of shares) {
    if (kind === wanted) units.set(rawType, (units.get(rawType) ?? 0) + reported);
  }
  return quantity > 0 && [...units.values()].includes(quantity);
}

function sumOf(shares: readonly MoneyShare[], kinds: readonly MoneyKind[]): number {
  return shares.reduce((sum, { kind, amount }) => (kinds.includes(kind) ? sum + amount : sum), 0);
}

/** Distinguished from the goods, else as the order reported it. */
function shippingOf({ shares, shipping }: SettledLine): number {
  return shares.some(({ kind }) => kind === 'shipping') ? sumOf(shares, ['shipping']) : (shipping ?? 0);
}

/** Null where it is no whole cent. */
function unitOf(amount: number, quantity: number): Cents | null {
  return amount % quantity === 0 ? ((amount / quantity) as Cents) : null;
}

/** What the commission of one unit is a share of; null where it is not reported for each part of it. */
function baseOf(commissions: readonly MoneyShare[], quantity: number): Cents | null {
  const bases = commissions.map(({ fee }) => fee?.base ?? null);
  const [first = null] = bases;
  return first !== null && bases.every((base) => base === first) && first >= quantity
    ? (Math.round(first / quantity) as Cents)
    : null;
}
