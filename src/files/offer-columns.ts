import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import type { Bps, Cents, Instant } from '#domain/units.ts';
import { DoubleColumn, NullableColumn, NumberColumn } from './columns.ts';
import { FLAG_BITS, featuredOf, flagsOf, fulfillmentOf, type HeldOffer } from './offer-record.ts';

const FLAG_MASK = (1 << FLAG_BITS) - 1;

/** Offers in columns, about 24 bytes each. Those of one listing hang together in a chain, the last one first. */
export class OfferColumns {
  readonly #newest = MARKETPLACES.map(() => new NumberColumn());
  /** The number of the offer before, plus one, and behind it the flags of this one. */
  readonly #link = new NumberColumn();
  readonly #seller = new NumberColumn();
  readonly #price = new NullableColumn<Cents>();
  readonly #shipping = new NullableColumn<Cents>();
  readonly #seenAt = new DoubleColumn();
  readonly #rating = new NullableColumn<Bps>();
  readonly #ratingCount = new NullableColumn();
  readonly #handlingDays = new NullableColumn();
  #count = 0;
  #lastSku = -1;

  add(offer: HeldOffer): void {
    const row = this.#count++;
    const newest = this.#newestOf(offer.marketplace);
    this.#link.set(row, ((newest.get(offer.sku) << FLAG_BITS) | flagsOf(offer)) >>> 0);
    newest.set(offer.sku, row + 1);
    if (offer.sku > this.#lastSku) this.#lastSku = offer.sku;
    this.#seller.set(row, offer.seller + 1);
    this.#price.set(row, offer.price);
    this.#shipping.set(row, offer.shipping);
    this.#seenAt.set(row, offer.seenAt);
    if (offer.rating !== null) this.#rating.set(row, offer.rating);
    if (offer.ratingCount !== null) this.#ratingCount.set(row, offer.ratingCount);
    if (offer.handlingDays !== null) this.#handlingDays.set(row, offer.handlingDays);
  }

  /** The offers for a SKU on a marketplace, in the order they were added. */
  offersOf(marketplace: Marketplace, sku: number): HeldOffer[] {
    const offers: HeldOffer[] = [];
    let next = this.#newestOf(marketplace).get(sku);
    while (next !== 0) {
      const row = next - 1;
      const link = this.#link.get(row);
      offers.push(this.#offer(marketplace, sku, row, link & FLAG_MASK));
      next = link >>> FLAG_BITS;
    }
    return offers.reverse();
  }

  /** Every offer; those of one listing in the order they were added. */
  *all(): Generator<HeldOffer> {
    for (const marketplace of MARKETPLACES) {
      for (let sku = 0; sku <= this.#lastSku; sku++) yield* this.offersOf(marketplace, sku);
    }
  }

  /** Bytes of the columns, what they hold for SKUs without an offer included. */
  get byteLength(): number {
    const columns = [this.#link, this.#seller, this.#price, this.#shipping, this.#seenAt, ...this.#newest];
    const optional = [this.#rating, this.#ratingCount, this.#handlingDays];
    return [...columns, ...optional].reduce((sum, column) => sum + column.byteLength, 0);
  }

  #offer(marketplace: Marketplace, sku: number, row: number, flags: number): HeldOffer {
    return {
      marketplace,
      sku,
      seller: this.#seller.get(row) - 1,
      price: this.#price.get(row) as Cents,
      shipping: this.#shipping.get(row) as Cents,
      fulfillmentType: fulfillmentOf(flags),
      isFeatured: featuredOf(flags),
      seenAt: this.#seenAt.get(row) as Instant | null,
      rating: this.#rating.get(row),
      ratingCount: this.#ratingCount.get(row),
      handlingDays: this.#handlingDays.get(row),
    };
  }

  #newestOf(marketplace: Marketplace): NumberColumn {
    return this.#newest[MARKETPLACES.indexOf(marketplace)] as NumberColumn;
  }
}
