import { z } from 'zod';
import type { BusinessOrder } from '#connectors/connector.ts';
import { Dollars as Amount } from '#connectors/dollars.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { NotRepriceable } from '#domain/decision/not-repriceable.ts';
import type { MarketplaceLimits } from '#domain/limits/marketplace-limits.ts';
import type { BusinessOffer, QuantityTier, UnitPrice } from '#domain/sending/business-prices.ts';
import { type Bps, type Cents, type Instant, instant, isPrice } from '#domain/units.ts';
import { Text } from './amazon-responses.ts';
import type { AmazonShop } from './amazon-shop.ts';

const EVERYBODY = 'ALL';
const BUSINESSES = 'B2B';
const CURRENCY = 'USD';

/** Amazon's data of an offer: only what decides the request is parsed, the rest is sent back unchanged. */
const Entry = z.looseObject({
  marketplace_id: z.string().nullish(),
  audience: z.string().nullish(),
  currency: z.string().nullish(),
});
type Entry = z.output<typeof Entry>;

/** The attributes of a listing that concern its price. */
export const Attributes = z.object({ purchasable_offer: z.array(Entry).max(200).nullish() });
export type Attributes = z.output<typeof Attributes>;

const Schedule = z.object({ start_at: Text.nullish(), end_at: Text.nullish() });
const Discount = z.array(z.object({ schedule: z.array(Schedule) }));
/** Past and future ones too: the offer that buyers see may be shown late. */
const SalePrices = z
  .array(z.object({ schedule: z.array(z.object({ value_with_tax: Amount })) }))
  .transform((all) => all.flatMap(({ schedule }) => schedule.map((one) => one.value_with_tax)));
const RulePlan = z.array(z.unknown()).min(1);
const ListedPrice = z
  .tuple([z.object({ schedule: z.tuple([z.object({ value_with_tax: Amount })]).rest(z.unknown()) })])
  .rest(z.unknown())
  .transform(([{ schedule }]) => schedule[0].value_with_tax);

const Quantity = z.int().min(2).max(1_000_000);
/** `fixed` levels name the price of a unit, others a percentage less. */
const QuantityPlan = z
  .tuple([
    z.object({
      schedule: z
        .tuple([
          z.discriminatedUnion('discount_type', [
            z.object({
              discount_type: z.literal('fixed'),
              levels: z.array(z.object({ lower_bound: Quantity, value: Amount })).max(100),
            }),
            z.object({
              discount_type: z.literal('percent'),
              levels: z
                .array(z.object({ lower_bound: Quantity, value: z.coerce.number().min(0).lt(100) }))
                .max(100),
            }),
          ]),
        ])
        .rest(z.unknown()),
    }),
  ])
  .rest(z.unknown())
  .transform(([{ schedule }]) => schedule[0]);

/** Which form of a price an account takes: most take a number, some only quoted text. */
export interface PriceForm {
  readonly isQuoted: boolean;
}

/**
 * The value of `purchasable_offer` for a merge, as JSON text: the entry for all customers with its price alone, and that
 * for businesses with their prices where these follow. Nothing that was read is in it, so nothing that changed since can
 * be overwritten. Prices are written from whole cents.
 */
export function mergedOffer(
  { marketplaceId }: Pick<AmazonShop, 'marketplaceId'>,
  price: Cents,
  form: PriceForm,
  business: BusinessMembers | null = null,
): string {
  const regular = withPrice({ marketplace_id: marketplaceId, audience: EVERYBODY }, price, form);
  const entry = { marketplace_id: marketplaceId, audience: BUSINESSES, currency: CURRENCY };
  return business === null ? `[${regular}]` : `[${regular},${withBusiness(entry, business, form)}]`;
}

/**
 * The value of `purchasable_offer` for a replace, as JSON text: another price for all customers, and everything else as
 * it was read: the seller's own bounds, a sale, business prices.
 * @param attributes with one standard offer at most, in US dollars: see {@link notRepricedBecause}
 */
export function replacedOffer(
  attributes: Attributes | null | undefined,
  { marketplaceId }: Pick<AmazonShop, 'marketplaceId'>,
  price: Cents,
  form: PriceForm,
  business: BusinessMembers | null = null,
): string {
  const entries = here(attributes, marketplaceId);
  const standard = entries.find(isForEverybody);
  const others = entries
    .filter((entry) => entry !== standard)
    .map((entry) =>
      business !== null && isForBusinesses(entry)
        ? withBusiness(entry, business, form)
        : JSON.stringify(entry),
    );
  const current = standard ?? { marketplace_id: marketplaceId, audience: EVERYBODY };
  return `[${[withPrice(current, price, form), ...others].join(',')}]`;
}

/** What is written of the entry for businesses. */
export interface BusinessMembers {
  /** Null: it is not written, and neither are tiers where there are none. */
  readonly price: Cents | null;
  readonly tiers: readonly UnitPrice[];
}

function withPrice({ our_price: _replaced, ...kept }: Entry, price: Cents, form: PriceForm): string {
  return `{${[...textsOf({ ...kept, currency: CURRENCY }), ourPrice(price, form)].join(',')}}`;
}

function withBusiness(entry: Entry, { price, tiers }: BusinessMembers, form: PriceForm): string {
  const { our_price: oldPrice, quantity_discount_plan: oldPlan, ...kept } = entry;
  const left = {
    ...kept,
    ...(price === null && oldPrice !== undefined ? { our_price: oldPrice } : {}),
    ...(tiers.length === 0 && oldPlan !== undefined ? { quantity_discount_plan: oldPlan } : {}),
  };
  const levels = tiers.map((tier) => `{"lower_bound":${tier.from},"value":${decimalFromCents(tier.price)}}`);
  const plan = `"quantity_discount_plan":[{"schedule":[{"discount_type":"fixed","levels":[${levels.join(',')}]}]}]`;
  const written = [...(price === null ? [] : [ourPrice(price, form)]), ...(tiers.length === 0 ? [] : [plan])];
  return `{${[...textsOf(left), ...written].join(',')}}`;
}

function textsOf(members: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(members).map(([name, member]) => `${JSON.stringify(name)}:${JSON.stringify(member)}`);
}

function ourPrice(price: Cents, { isQuoted }: PriceForm): string {
  const decimal = decimalFromCents(price);
  return `"our_price":[{"schedule":[{"value_with_tax":${isQuoted ? JSON.stringify(decimal) : decimal}}]}]`;
}

/**
 * What of an order is written for businesses: a price and tiers only where the seller has them now, and tiers only where
 * each of theirs is known, since they are written as a whole.
 * @returns null for nothing
 */
export function businessMembers(
  attributes: Attributes | null | undefined,
  shop: Pick<AmazonShop, 'marketplaceId'>,
  order: BusinessOrder | null | undefined,
): BusinessMembers | null {
  const there = order == null ? null : businessOffer(attributes, shop);
  if (order == null || there === null) return null;
  const price = there.price === null ? null : order.price;
  const isKnown = there.tiers.length > 0 && there.tiers.every(({ from }) => order.known.includes(from));
  const tiers = isKnown ? order.tiers : [];
  return price === null && tiers.length === 0 ? null : { price, tiers };
}

/** Whether Amazon shows what was written for businesses. */
export function showsBusiness(
  attributes: Attributes | null | undefined,
  shop: Pick<AmazonShop, 'marketplaceId'>,
  { price, tiers }: BusinessMembers,
): boolean {
  const shown = businessOffer(attributes, shop);
  if (shown === null || (price !== null && shown.price !== price)) return false;
  return (
    tiers.length === 0 ||
    (shown.tiers.length === tiers.length &&
      tiers.every((tier, at) => shown.tiers[at]?.from === tier.from && shown.tiers[at]?.price === tier.price))
  );
}

/**
 * Why a price must not be changed from here.
 * @returns null when it may be
 */
export function notRepricedBecause(
  attributes: Attributes | null | undefined,
  shop: Pick<AmazonShop, 'marketplaceId'>,
  now: Instant,
): NotRepriceable | null {
  const ambiguous = ambiguousOffer(attributes, shop);
  if (ambiguous !== null) return { reason: ambiguous, isConfirmable: false, until: null };
  const [standard] = here(attributes, shop.marketplaceId).filter(isForEverybody);
  if (standard === undefined) return null;
  const sale = runningSale(standard, now);
  // A merge leaves both as they are.
  if (sale === 'unreadable')
    return { reason: 'Amazon holds a sale that cannot be read.', isConfirmable: true, until: null };
  if (sale !== null) return { reason: 'A sale price runs on Amazon.', isConfirmable: true, ...sale };
  const isAutomated = RulePlan.safeParse(standard.automated_pricing_merchandising_rule_plan).success;
  return isAutomated
    ? { reason: "Amazon's Automate Pricing sets this price.", isConfirmable: true, until: null }
    : null;
}

/**
 * Why it is unknown which price of a listing would change.
 * @returns null when there is one standard offer at most, in US dollars
 */
function ambiguousOffer(
  attributes: Attributes | null | undefined,
  { marketplaceId }: Pick<AmazonShop, 'marketplaceId'>,
): string | null {
  const [first, ...more] = here(attributes, marketplaceId).filter(isForEverybody);
  if (more.length > 0) return 'Amazon holds several standard offers of this listing at once.';
  const currency = first?.currency ?? CURRENCY;
  return currency === CURRENCY ? null : `Amazon holds a price in ${currency} for this listing.`;
}

/** The standard price among the attributes; null where there is none that can be read. */
export function standardPrice(
  attributes: Attributes | null | undefined,
  { marketplaceId }: Pick<AmazonShop, 'marketplaceId'>,
): Cents | null {
  const entry = here(attributes, marketplaceId).find(isForEverybody);
  return priceIn(entry?.our_price);
}

/**
 * The price that a price sent from here replaces, where buyers see this one: while a sale runs they see its price, which
 * neither is an edit nor changes what was sent.
 * @returns null where a sale price is shown and the standard price cannot be read, and where the shown price may be that of a
 *   sale which cannot be read
 */
export function priceBehindSale(
  attributes: Attributes | null | undefined,
  shop: Pick<AmazonShop, 'marketplaceId'>,
  shown: Cents,
): Cents | null {
  const entry = here(attributes, shop.marketplaceId).find(isForEverybody);
  const standard = standardPrice(attributes, shop);
  const sales = salePrices(entry?.discounted_price);
  if (sales === null) return shown === standard ? shown : null;
  return sales.includes(shown) ? standard : shown;
}

/** Null where one of them cannot be read. */
function salePrices(discount: unknown): readonly Cents[] | null {
  return discount == null ? [] : (SalePrices.safeParse(discount).data ?? null);
}

/** The limits that the seller set for the standard price; null for none. One that cannot be read is none. */
export function priceLimits(
  attributes: Attributes | null | undefined,
  { marketplaceId, ignorePriceLimits }: Pick<AmazonShop, 'marketplaceId' | 'ignorePriceLimits'>,
): MarketplaceLimits | null {
  const entry = here(attributes, marketplaceId).find(isForEverybody);
  if (entry === undefined || ignorePriceLimits === 'yes') return null;
  const min = priceIn(entry.minimum_seller_allowed_price);
  const max = priceIn(entry.maximum_seller_allowed_price);
  const map = priceIn(entry.map_price);
  return min === null && max === null && map === null ? null : { min, max, map };
}

/**
 * The seller's prices for business buyers; null for none. Members that cannot be read are none: these prices are shown,
 * and nothing is sent because of them.
 */
export function businessOffer(
  attributes: Attributes | null | undefined,
  { marketplaceId }: Pick<AmazonShop, 'marketplaceId'>,
): BusinessOffer | null {
  const entry = here(attributes, marketplaceId).find(isForBusinesses);
  if (entry === undefined) return null;
  const price = priceIn(entry.our_price);
  const tiers = tiersIn(entry.quantity_discount_plan);
  return price === null && tiers.length === 0 ? null : { price, tiers };
}

/** By rising quantity; of one that is named twice the first. */
function tiersIn(member: unknown): QuantityTier[] {
  const plan = QuantityPlan.safeParse(member).data;
  if (plan === undefined) return [];
  const tiers =
    plan.discount_type === 'percent'
      ? plan.levels.map(({ lower_bound: from, value }) => ({
          from,
          discount: Math.round(value * 100) as Bps,
        }))
      : plan.levels.flatMap(({ lower_bound: from, value }) =>
          isPrice(value) ? [{ from, price: value }] : [],
        );
  const isFirst = ({ from }: QuantityTier, at: number) =>
    tiers.findIndex((tier) => tier.from === from) === at;
  return tiers.filter(isFirst).toSorted((a, b) => a.from - b.from);
}

function priceIn(member: unknown): Cents | null {
  const amount = ListedPrice.safeParse(member).data;
  return isPrice(amount) ? amount : null;
}

/** What of an offer a merge must not change: the entries of this store, the standard price aside. */
export type KeptOffer = readonly Entry[];
export const KeptOffer = z.array(Entry).max(200);

/** @param business what moves with the standard price, if anything does */
export function keptOffer(
  attributes: Attributes | null | undefined,
  { marketplaceId }: Pick<AmazonShop, 'marketplaceId'>,
  business: BusinessMembers | null = null,
): KeptOffer {
  return here(attributes, marketplaceId).map((entry) => {
    if (isForEverybody(entry)) return without(entry, ['our_price']);
    if (business === null || !isForBusinesses(entry)) return entry;
    const moves = [
      ...(business.price === null ? [] : ['our_price']),
      ...(business.tiers.length === 0 ? [] : ['quantity_discount_plan']),
    ];
    return without(entry, moves);
  });
}

function without(entry: Entry, names: readonly string[]): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !names.includes(name)));
}

/** Whether an offer has anything that a merge could erase. */
export function hasMoreThanPrice(before: KeptOffer): boolean {
  return before.some((entry) => Object.keys(entry).some((name) => !SELECTORS.has(name)));
}

/**
 * The members that an offer had before and does not have as they were, by Amazon's names: "discounted_price". What was
 * added is not among them.
 */
function lostMembers(before: KeptOffer, after: KeptOffer): string[] {
  const lost = before.flatMap((entry) => {
    const same = after.filter((one) => selectorsOf(one) === selectorsOf(entry));
    return Object.entries(entry)
      .filter(([name]) => !SELECTORS.has(name))
      .filter(([name, value]) => !same.some((one) => canonicalJson(one[name]) === canonicalJson(value)))
      .map(([name]) => name);
  });
  return [...new Set(lost)];
}

/** What vanished from an offer when a price was sent. */
interface ComparedOffers {
  /** By Amazon's names; empty for nothing. */
  readonly lost: readonly string[];
  /** Something vanished and nothing else changed: else the seller is editing the offer, and may have removed it too. */
  readonly isErased: boolean;
}

/** @param before and `after`: without what was sent */
export function comparedOffers(before: KeptOffer, after: KeptOffer): ComparedOffers {
  const lost = lostMembers(before, after);
  return { lost, isErased: lost.length > 0 && lostMembers(after, before).length === 0 };
}

const SELECTORS = new Set(['marketplace_id', 'audience', 'currency']);

function selectorsOf({ audience, currency }: Entry): string {
  return `${audience ?? EVERYBODY} ${currency ?? CURRENCY}`;
}

/** JSON with the members of objects in one order. */
function canonicalJson(value: unknown): string | undefined {
  return JSON.stringify(value, (_, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** The sale that runs now, with its end; null where none does, "unreadable" where one may. */
function runningSale(
  { discounted_price: discount }: Entry,
  now: Instant,
): Pick<NotRepriceable, 'until'> | 'unreadable' | null {
  if (discount == null) return null;
  const answer = Discount.safeParse(discount);
  if (!answer.success) return 'unreadable';
  const times = answer.data
    .flatMap(({ schedule }) => schedule)
    .map(({ start_at, end_at }) => ({
      begins: start_at == null ? Number.NEGATIVE_INFINITY : Date.parse(start_at),
      ends: end_at == null ? Number.POSITIVE_INFINITY : Date.parse(end_at),
    }));
  // A time that cannot be read is NaN, which is neither before now nor after it.
  const mayRun = times.filter(({ begins, ends }) => !(begins > now || ends < now));
  if (mayRun.some(({ begins, ends }) => Number.isNaN(begins) || Number.isNaN(ends))) return 'unreadable';
  if (mayRun.length === 0) return null;
  const last = Math.max(...mayRun.map(({ ends }) => ends));
  return { until: Number.isFinite(last) ? instant(last) : null };
}

function here(attributes: Attributes | null | undefined, marketplaceId: string): Entry[] {
  const all = attributes?.purchasable_offer ?? [];
  return all.filter((entry) => (entry.marketplace_id ?? marketplaceId) === marketplaceId);
}

function isForBusinesses({ audience, currency }: Entry): boolean {
  return audience === BUSINESSES && (currency ?? CURRENCY) === CURRENCY;
}

function isForEverybody({ audience }: Entry): boolean {
  return (audience ?? EVERYBODY) === EVERYBODY;
}
