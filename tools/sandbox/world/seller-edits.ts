import { type Cents, cents } from '#domain/units.ts';
import type { Chance } from './chance.ts';
import { wholeCents } from './competitors.ts';
import type { MarketItem } from './item.ts';
import { lowestOfOthers } from './offers.ts';
import type { PriceBounds } from './terms.ts';

/** How a seller edits a price on the marketplace's own pages. */
export const SELLER_EDITS = [
  /** A slip of the finger: 50 cents. */
  'typo',
  /** A third off. */
  'markdown',
  /** The price that was live before. */
  'former',
  /** Up to a tenth up or down. */
  'change',
] as const;
export type SellerEdit = (typeof SELLER_EDITS)[number];

const TYPO = cents(50);

/** @param former the price before the present one; null if there was none */
export function editedPrice(
  kind: SellerEdit,
  { price }: Pick<MarketItem, 'price'>,
  former: Cents | null,
  chance: Chance,
): Cents {
  if (kind === 'typo') return TYPO;
  if (kind === 'markdown') return wholeCents((price * 2) / 3);
  if (kind === 'former') return former ?? price;
  return wholeCents(price * chance.between(0.9, 1.1));
}

/** The price of the marketplace's own repricer: a cent below the lowest other offer, within its limits. */
export function repricerPrice(item: MarketItem, { min, max }: PriceBounds): Cents {
  const other = lowestOfOthers(item, null);
  const wanted = other === null ? (max ?? item.price) : other - 1 - item.shippingCharge;
  return wholeCents(Math.min(Math.max(wanted, min ?? 1), max ?? Number.POSITIVE_INFINITY));
}
