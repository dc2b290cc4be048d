import type { Marketplace } from '#domain/marketplaces.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { isMarketplaceItself, type SellerKey, sellerKey } from './offer.ts';

/** Who holds a buy box: us, the marketplace itself, another seller by name, or one without a name, which can be us. */
export const BOX_HOLDERS = ['ours', 'marketplace', 'seller', 'unnamed'] as const;
export type BoxHolder = (typeof BOX_HOLDERS)[number];

/** Readings in a row that show the buy box of a listing with one seller name. */
export interface BoxReadings {
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  /** As the source wrote it; null without a name. */
  readonly seller: string | null;
  /** The source itself marks it as ours, or as the marketplace's own. */
  readonly isOurs: boolean;
  readonly isMarketplace: boolean;
  /** Landed, of the last one. */
  readonly price: Cents;
}

/** Who holds the buy box of a listing by the last reading that shows it, and since when. */
export interface BoxHolding {
  readonly holder: BoxHolder;
  readonly seller: string | null;
  readonly price: Cents;
  /** The first reading since the last one that shows another holder; null for `unnamed`. */
  readonly since: Instant | null;
  /** No earlier reading shows another holder: it may have held it for longer. */
  readonly isAtLeast: boolean;
  readonly seenAt: Instant;
  /** The holder before, and the last reading that shows it; null where none is stored. */
  readonly before: {
    readonly holder: BoxHolder;
    readonly seller: string | null;
    readonly seenAt: Instant;
  } | null;
}

/**
 * Determines who holds a buy box and since when. Readings without a seller name say nothing about a change: the
 * same name before and after them is one holding.
 * @param readings the newest first
 * @param own our seller names on this marketplace
 * @returns null without readings
 */
export function boxHolding(
  readings: readonly BoxReadings[],
  marketplace: Marketplace,
  own: ReadonlySet<SellerKey>,
): BoxHolding | null {
  const [last] = readings;
  if (last === undefined) return null;
  const holder = holderOf(last, marketplace, own);
  const isSame = (one: BoxReadings): boolean =>
    holderOf(one, marketplace, own) === holder && (holder !== 'seller' || isOneSeller(one, last));
  const named = readings.filter((one) => holderOf(one, marketplace, own) !== 'unnamed');
  const change = named.findIndex((one) => !isSame(one));
  const before = named[change];
  const first = change === -1 ? named.at(-1) : named[change - 1];
  return {
    holder,
    seller: last.seller,
    price: last.price,
    since: holder === 'unnamed' ? null : (first?.firstAt ?? null),
    isAtLeast: holder !== 'unnamed' && change === -1,
    seenAt: last.lastAt,
    before:
      before === undefined
        ? null
        : { holder: holderOf(before, marketplace, own), seller: before.seller, seenAt: before.lastAt },
  };
}

function holderOf(
  { seller, isOurs, isMarketplace }: BoxReadings,
  marketplace: Marketplace,
  own: ReadonlySet<SellerKey>,
): BoxHolder {
  const key = sellerKey(seller);
  if (isOurs || (key !== null && own.has(key))) return 'ours';
  if (isMarketplace || isMarketplaceItself(key, marketplace)) return 'marketplace';
  return key === null ? 'unnamed' : 'seller';
}

const isOneSeller = (one: BoxReadings, other: BoxReadings): boolean =>
  sellerKey(one.seller) === sellerKey(other.seller);
