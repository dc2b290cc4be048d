import { type FulfillmentType, MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { type Offer, type SellerKey, sellerKey } from '#domain/offer.ts';
import type { Bps, Cents, Instant } from '#domain/units.ts';
import { DoubleColumn, NullableColumn, NumberColumn } from './columns.ts';
import { KeyIndex } from './key-index.ts';
import { type OfferColumn, type OfferRow, readOffer } from './offer-format.ts';
import type { Table } from './table.ts';
import { type ReportProblem, readRows } from './table-rows.ts';

const FULFILLMENT_BITS: Readonly<Record<FulfillmentType, number>> = { 'FBA/WFS': 1, FBM: 2 };
const FULFILLMENT_OF: readonly (FulfillmentType | null)[] = [null, 'FBA/WFS', 'FBM', null];
const FEATURED_BIT = 4;
/** Names kept as strings; beyond this many sellers they are read from the index each time. */
const KEPT_SELLERS = 65_536;

interface Seller {
  readonly name: string;
  readonly key: SellerKey | null;
}

/** All offers in columns. The offers of one listing hang together in a chain, the last one first. */
export class OfferColumns {
  readonly #newest = MARKETPLACES.map(() => new NumberColumn());
  readonly #before = new NumberColumn();
  readonly #seller = new NumberColumn();
  readonly #price = new NullableColumn<Cents>();
  readonly #shipping = new NullableColumn<Cents>();
  readonly #seenAt = new DoubleColumn();
  readonly #flags = new NumberColumn();
  readonly #rating = new NullableColumn<Bps>();
  readonly #ratingCount = new NullableColumn();
  readonly #handlingDays = new NullableColumn();
  readonly #keptSellers: Seller[] = [];
  #count = 0;

  /** Numbers the sellers' names. */
  readonly sellers: KeyIndex = new KeyIndex();

  /** @param seller number of the name in {@link sellers}; -1 when the source does not say */
  add(marketplace: Marketplace, sku: number, seller: number, offer: OfferRow): void {
    const row = this.#count++;
    const newest = this.#newestOf(marketplace);
    this.#before.set(row, newest.get(sku));
    newest.set(sku, row + 1);
    this.#seller.set(row, seller + 1);
    this.#price.set(row, offer.price);
    this.#shipping.set(row, offer.shipping);
    this.#seenAt.set(row, offer.seenAt);
    const fulfillment = offer.fulfillmentType === null ? 0 : FULFILLMENT_BITS[offer.fulfillmentType];
    this.#flags.set(row, fulfillment | (offer.isFeatured ? FEATURED_BIT : 0));
    if (offer.rating !== null) this.#rating.set(row, offer.rating);
    if (offer.ratingCount !== null) this.#ratingCount.set(row, offer.ratingCount);
    if (offer.handlingDays !== null) this.#handlingDays.set(row, offer.handlingDays);
  }

  /** The offers for a SKU on a marketplace, in the order of the file. */
  offersOf(marketplace: Marketplace, sku: number): Offer[] {
    const offers: Offer[] = [];
    for (let next = this.#newestOf(marketplace).get(sku); next !== 0; next = this.#before.get(next - 1)) {
      offers.push(this.#offer(marketplace, next - 1));
    }
    return offers.reverse();
  }

  #offer(channel: Marketplace, row: number): Offer {
    const flags = this.#flags.get(row);
    const seller = this.#sellerOf(this.#seller.get(row) - 1);
    const key = seller?.key ?? null;
    return {
      sellerName: seller?.name ?? null,
      seller: key,
      isMarketplace: key === channel && (channel === 'amazon' || channel === 'walmart'),
      price: this.#price.get(row) as Cents,
      shipping: this.#shipping.get(row) as Cents,
      fulfillmentType: FULFILLMENT_OF[flags & 3] ?? null,
      isFeatured: (flags & FEATURED_BIT) !== 0,
      isOurs: false,
      seenAt: this.#seenAt.get(row) as Instant | null,
      rating: this.#rating.get(row),
      ratingCount: this.#ratingCount.get(row),
      handlingDays: this.#handlingDays.get(row),
      channel,
    };
  }

  #sellerOf(number: number): Seller | null {
    if (number < 0) return null;
    if (number >= KEPT_SELLERS) return this.#readSeller(number);
    while (this.#keptSellers.length <= number) {
      this.#keptSellers.push(this.#readSeller(this.#keptSellers.length));
    }
    return this.#keptSellers[number] ?? null;
  }

  #readSeller(number: number): Seller {
    const name = this.sellers.text(number);
    return { name, key: sellerKey(name) };
  }

  #newestOf(marketplace: Marketplace): NumberColumn {
    return this.#newest[MARKETPLACES.indexOf(marketplace)] as NumberColumn;
  }
}

/** Reads the offers file; a row that cannot be read is reported and left out. */
export async function loadOffers(
  table: Table<OfferColumn>,
  keys: KeyIndex,
  report: ReportProblem,
): Promise<OfferColumns> {
  const offers = new OfferColumns();
  await readRows(table, report, {
    onRow(cells) {
      const row = readOffer(cells);
      const sku = cells.sku('sku', keys);
      const seller = cells.key('seller', offers.sellers);
      if (cells.bad.length > 0 || row.marketplace === null) return;
      offers.add(row.marketplace, sku, seller, row);
    },
  });
  return offers;
}
