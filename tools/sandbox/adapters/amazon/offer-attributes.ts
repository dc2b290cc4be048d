import { z } from 'zod';
import type { Cents } from '#domain/units.ts';
import { priceOf } from '#sandbox/adapters/money.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import { MARKETPLACE_ID } from './amazon-auth.ts';

const Priced = z.looseObject({
  schedule: z.array(z.looseObject({ value_with_tax: z.union([z.number(), z.string()]) })).min(1),
});

/** One entry of the attribute `purchasable_offer`. */
const Offer = z.looseObject({
  marketplace_id: z.string().optional(),
  audience: z.string().optional(),
  currency: z.string().optional(),
  our_price: z.array(Priced).min(1).optional(),
  minimum_seller_allowed_price: z.array(Priced).optional(),
  maximum_seller_allowed_price: z.array(Priced).optional(),
});

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

/** The attribute without its price: minimum and maximum allowed price, sale prices. */
export type OfferAttribute = Readonly<Record<string, unknown>>;

/** A parsed patch: the price it sets, or the issue with it. */
export type ReadPatch =
  | { readonly kind: 'price'; readonly price: Cents; readonly offer: OfferAttribute }
  | { readonly kind: 'wrong'; readonly code: string; readonly message: string };

const OURS = ['marketplace_id', 'audience', 'currency', 'our_price'];

/** Reads the price from the patches of a listing, given the current attribute. */
export function readPatches(item: MarketItem | null, before: OfferAttribute, patches: Patches): ReadPatch {
  if (item === null) return wrong('13013', 'This SKU is not in the catalog of the seller.');
  const patch = patches.find(({ path }) => path === '/attributes/purchasable_offer');
  if (patch === undefined || patch.op === 'delete' || patches.length > 1) {
    return wrong('90000900', 'Only the purchasable_offer can be changed here.');
  }
  const offers = z.array(Offer).safeParse(patch.value);
  const offer = offers.data?.find(({ audience = 'ALL' }) => audience === 'ALL');
  const price = priceOf(offer?.our_price?.[0]?.schedule[0]?.value_with_tax);
  if (offer === undefined || price === null) {
    return wrong('90220', 'purchasable_offer: our_price is required and must be a price.');
  }
  if ((offer.marketplace_id ?? MARKETPLACE_ID) !== MARKETPLACE_ID || (offer.currency ?? 'USD') !== 'USD') {
    return wrong('90244', 'purchasable_offer: the currency must be that of the marketplace.');
  }
  const rest = Object.fromEntries(Object.entries(offer).filter(([name]) => !OURS.includes(name)));
  // "replace" removes members that it does not name; "merge" keeps them.
  const after = patch.op === 'merge' ? { ...before, ...rest } : rest;
  return boundsHold(after, price) ?? { kind: 'price', price, offer: after };
}

function boundsHold(offer: OfferAttribute, price: Cents): ReadPatch | null {
  const bounds = Offer.safeParse(offer).data;
  const lowest = priceOf(bounds?.minimum_seller_allowed_price?.[0]?.schedule[0]?.value_with_tax);
  const highest = priceOf(bounds?.maximum_seller_allowed_price?.[0]?.schedule[0]?.value_with_tax);
  if (lowest !== null && price < lowest) {
    return wrong('99022', 'The price is below the minimum price allowed by the seller.');
  }
  if (highest !== null && price > highest) {
    return wrong('99023', 'The price is above the maximum price allowed by the seller.');
  }
  return null;
}

function wrong(code: string, message: string): ReadPatch {
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
