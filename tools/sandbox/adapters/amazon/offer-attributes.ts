import { z } from 'zod';
import { type Cents, type Instant, instant } from '#domain/units.ts';
import { dollars, priceOf } from '#sandbox/adapters/money.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { QuirkPlan } from '#sandbox/world/quirks.ts';
import {
  type BusinessTerm,
  NO_TERMS,
  type PriceBounds,
  type SaleTerm,
  type Terms,
} from '#sandbox/world/terms.ts';
import { MARKETPLACE_ID } from './amazon-auth.ts';

/** The members that say which offer an entry is. */
const SELECTORS = ['marketplace_id', 'audience', 'currency'] as const;
const AUDIENCES = ['ALL', 'B2B'] as const;
type Audience = (typeof AUDIENCES)[number];

const Amount = z.union([z.number(), z.string()]);
const Priced = z
  .array(z.looseObject({ schedule: z.array(z.looseObject({ value_with_tax: Amount })).min(1) }))
  .min(1);
const Sale = z
  .array(
    z.looseObject({
      schedule: z
        .array(z.looseObject({ value_with_tax: Amount, start_at: z.string(), end_at: z.string() }))
        .min(1),
    }),
  )
  .min(1);
const QuantityPlan = z
  .array(
    z.looseObject({
      schedule: z
        .array(
          z.looseObject({
            discount_type: z.enum(['fixed', 'percent']),
            levels: z.array(z.looseObject({ lower_bound: z.int().min(2), value: z.number() })).min(1),
          }),
        )
        .min(1),
    }),
  )
  .min(1);

/** One entry of the attribute `purchasable_offer`, with all its members. */
type Entry = Readonly<Record<string, unknown>>;
/** The attribute of a listing by audience. */
export type OfferEntries = Readonly<Partial<Record<Audience, Entry>>>;

export const Patches = z
  .array(
    z.looseObject({
      op: z.enum(['add', 'replace', 'merge', 'delete']),
      path: z.string(),
      value: z.array(z.looseObject({})).optional(),
    }),
  )
  .min(1);
export type Patches = z.infer<typeof Patches>;

/** What a patch changes, or the issue with it. */
export type ReadPatch =
  | {
      readonly kind: 'changes';
      readonly item: MarketItem;
      /** Null if the patch leaves the price as it is. */
      readonly price: Cents | null;
      readonly terms: Pick<Terms, 'sale' | 'bounds' | 'mapPrice' | 'repricer' | 'business'>;
      /** All members of all entries, the unknown ones too. */
      readonly entries: OfferEntries;
    }
  | { readonly kind: 'wrong'; readonly code: string; readonly message: string };

/** The attribute of a listing: what it is, with the members that only Amazon knows from the last patch. */
export function entriesOf({ price, terms }: MarketItem, before: OfferEntries): OfferEntries {
  const { sale, bounds, mapPrice, repricer, business } = terms;
  const own = {
    our_price: priced(price),
    discounted_price:
      sale === null
        ? undefined
        : [
            {
              schedule: [
                { start_at: momentText(sale.from), end_at: momentText(sale.to), ...amountOf(sale.price) },
              ],
            },
          ],
    minimum_seller_allowed_price: bounds.min === null ? undefined : priced(bounds.min),
    maximum_seller_allowed_price: bounds.max === null ? undefined : priced(bounds.max),
    map_price: mapPrice === null ? undefined : priced(mapPrice),
    automated_pricing_merchandising_rule_plan:
      repricer === null ? undefined : [{ merchandising_rule: { rule_id: 'R1' } }],
  };
  const all = entry('ALL', { ...before.ALL, ...own });
  if (business === null) return { ALL: all };
  const plan = business.levels.map(({ from, price: value }) => ({
    lower_bound: from,
    value: dollars(value),
  }));
  const theirs = {
    our_price: business.price === null ? undefined : priced(business.price),
    quantity_discount_plan:
      plan.length === 0 ? undefined : [{ schedule: [{ discount_type: 'fixed', levels: plan }] }],
  };
  return { ALL: all, B2B: entry('B2B', { ...before.B2B, ...theirs }) };
}

function entry(audience: Audience, members: Readonly<Record<string, unknown>>): Entry {
  const known = Object.entries(members).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(known), marketplace_id: MARKETPLACE_ID, audience, currency: 'USD' };
}

/** Reads what the patches of a listing change, given the present attribute. */
export function readPatches(
  item: MarketItem | null,
  before: OfferEntries,
  patches: Patches,
  quirks: QuirkPlan['offerChanges'] = {},
): ReadPatch {
  if (item === null) return wrong('13013', 'This SKU is not in the catalog of the seller.');
  const patch = patches.find(({ path }) => path === '/attributes/purchasable_offer');
  if (patch === undefined || patch.op === 'delete' || patches.length > 1) {
    return wrong('90000900', 'Only the purchasable_offer can be changed here.');
  }
  if (patch.op === 'merge' && quirks.refusesMerge === true) {
    return wrong('90000910', "The operation 'merge' is not supported for purchasable_offer.");
  }
  const sent = patch.value ?? [];
  const problem = problemIn(sent, quirks);
  if (problem !== null) return problem;
  const named = Object.fromEntries(sent.map((one) => [audienceOf(one), one])) as OfferEntries;
  // "replace" removes entries and members that it does not name; "merge" keeps them.
  const after =
    patch.op === 'merge' ? merged(entriesOf(item, before), named, quirks.mergeErases ?? []) : named;
  const price = priceIn(after.ALL?.our_price);
  if (price === null) return wrong('90220', 'purchasable_offer: our_price is required and must be a price.');
  const terms = termsIn(after, item.terms.repricer ?? NO_TERMS.bounds);
  if (terms === null) return wrong('90225', 'purchasable_offer: a member is not valid.');
  const outside = outsideBounds(terms, price);
  if (outside !== null) return outside;
  return {
    kind: 'changes',
    item,
    price: named.ALL?.our_price === undefined ? null : price,
    terms,
    entries: after,
  };
}

function problemIn(sent: readonly Entry[], { wantsText }: NonNullable<QuirkPlan['offerChanges']>) {
  const audiences = sent.map(audienceOf);
  if (sent.length === 0 || audiences.some((one) => one === null) || new Set(audiences).size < sent.length) {
    return wrong('90220', 'purchasable_offer: each entry must name another audience.');
  }
  if (
    sent.some(
      (one) => (one.marketplace_id ?? MARKETPLACE_ID) !== MARKETPLACE_ID || (one.currency ?? 'USD') !== 'USD',
    )
  ) {
    return wrong('90244', 'purchasable_offer: the currency must be that of the marketplace.');
  }
  if (sent.some(({ our_price }) => our_price === null)) {
    return wrong('90220', 'purchasable_offer: our_price cannot be null.');
  }
  const value = Priced.safeParse(sent[0]?.our_price).data?.[0]?.schedule[0]?.value_with_tax;
  if (wantsText === true && typeof value === 'number') {
    return wrong('90226', 'purchasable_offer: value_with_tax must be a text.');
  }
  return null;
}

function audienceOf({ audience = 'ALL' }: Entry): Audience | null {
  return AUDIENCES.find((one) => one === audience) ?? null;
}

/** Only named entries change, and of them only named members; null removes one. */
function merged(before: OfferEntries, named: OfferEntries, erased: readonly string[]): OfferEntries {
  const after: Partial<Record<Audience, Entry>> = { ...before };
  for (const audience of AUDIENCES) {
    const changes = named[audience];
    if (changes === undefined) continue;
    const kept = Object.entries({ ...before[audience], ...changes }).filter(
      ([name, value]) => value !== null && (!erased.includes(name) || name in changes),
    );
    after[audience] = Object.fromEntries(kept);
  }
  return after;
}

/** Null for members that cannot be read. @param repricer the limits of a rule, which the attribute does not name */
function termsIn({ ALL = {}, B2B }: OfferEntries, repricer: PriceBounds) {
  const sale = saleIn(ALL.discounted_price);
  const business = businessIn(B2B);
  if (sale === undefined || business === undefined) return null;
  return {
    sale,
    bounds: {
      min: priceIn(ALL.minimum_seller_allowed_price),
      max: priceIn(ALL.maximum_seller_allowed_price),
    },
    mapPrice: priceIn(ALL.map_price),
    repricer: ALL.automated_pricing_merchandising_rule_plan === undefined ? null : repricer,
    business,
  };
}

function priceIn(member: unknown): Cents | null {
  return priceOf(Priced.safeParse(member).data?.[0]?.schedule[0]?.value_with_tax);
}

/** Undefined for a sale that cannot be read. */
function saleIn(member: unknown): SaleTerm | null | undefined {
  if (member === undefined) return null;
  const [first] = Sale.safeParse(member).data?.[0]?.schedule ?? [];
  const price = priceOf(first?.value_with_tax);
  const [from, to] = [first?.start_at, first?.end_at].map((text) => Date.parse(text ?? ''));
  if (price === null || from === undefined || to === undefined || !(from < to)) return undefined;
  return { price, from: instant(from), to: instant(to) };
}

/** Undefined for a plan that cannot be read. */
function businessIn(entry: Entry | undefined): BusinessTerm | null | undefined {
  if (entry === undefined) return null;
  const price = priceIn(entry.our_price);
  if (entry.quantity_discount_plan === undefined) return { price, levels: [] };
  const plan = QuantityPlan.safeParse(entry.quantity_discount_plan).data?.[0]?.schedule[0];
  if (plan === undefined) return undefined;
  const levels = plan.levels.map(({ lower_bound, value }) => {
    const isShare = plan.discount_type === 'percent';
    const amount = isShare ? ((price ?? 0) * (100 - value)) / 10_000 : value;
    return { from: lower_bound, price: priceOf(amount.toFixed(2)) };
  });
  const known = levels.flatMap(({ from, price: each }) => (each === null ? [] : [{ from, price: each }]));
  return known.length === levels.length ? { price, levels: known } : undefined;
}

function outsideBounds({ bounds: { min, max } }: Pick<Terms, 'bounds'>, price: Cents): ReadPatch | null {
  if (min !== null && price < min) {
    return wrong('99022', 'The price is below the minimum price allowed by the seller.');
  }
  if (max !== null && price > max) {
    return wrong('99023', 'The price is above the maximum price allowed by the seller.');
  }
  return null;
}

function priced(price: Cents) {
  return [{ schedule: [amountOf(price)] }];
}

function amountOf(price: Cents) {
  return { value_with_tax: dollars(price) };
}

function momentText(moment: Instant): string {
  return new Date(moment).toISOString().replace('.000Z', 'Z');
}

/** The members besides the selectors that no term of the world keeps. */
export function unknownMembers(entries: OfferEntries): OfferEntries {
  const strip = (one: Entry): Entry =>
    Object.fromEntries(Object.entries(one).filter(([name]) => !KNOWN.has(name)));
  return Object.fromEntries(Object.entries(entries).map(([audience, one]) => [audience, strip(one)]));
}

const KNOWN: ReadonlySet<string> = new Set([
  ...SELECTORS,
  ...['our_price', 'discounted_price', 'minimum_seller_allowed_price', 'maximum_seller_allowed_price'],
  ...['map_price', 'automated_pricing_merchandising_rule_plan', 'quantity_discount_plan'],
]);

function wrong(code: string, message: string): Extract<ReadPatch, { kind: 'wrong' }> {
  return { kind: 'wrong', code, message };
}

/** An issue about the price of a listing. */
export function priceIssue(code: string, message: string) {
  return {
    code,
    message,
    severity: 'ERROR',
    attributeNames: ['purchasable_offer'],
    categories: ['INVALID_ATTRIBUTE'],
    marketplaceIds: [MARKETPLACE_ID],
  };
}
