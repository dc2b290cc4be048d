import type { Offer } from '#domain/competition/offer.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { DoubleColumn } from './columns.ts';
import type { KeyIndex } from './key-index.ts';
import { OfferColumns } from './offer-columns.ts';
import { type OfferColumn, readOffer } from './offer-format.ts';
import { type HeldOffer, Sellers } from './offer-record.ts';
import { OfferSpill } from './offer-spill.ts';
import type { Table } from './table.ts';
import { type ReportProblem, readRows } from './table-rows.ts';

/** The most bytes of offers in memory: about four million. With more, all of them move to temporary files. */
const OFFERS_IN_MEMORY = 100_000_000;
/** How often the bytes are checked, in offers. */
const CHECK_EVERY = 4_096;

/** All offers, in memory as long as they are few enough, otherwise in temporary files. */
export class OfferStore {
  readonly sellers: Sellers = new Sellers();
  readonly #limit: number;
  /** When there was no offer, by SKU. */
  readonly #noneAt = MARKETPLACES.map(() => new DoubleColumn());
  #held: OfferColumns | OfferSpill = new OfferColumns();
  #sinceCheck = 0;

  /** @param limit in bytes */
  constructor(limit: number = OFFERS_IN_MEMORY) {
    this.#limit = limit;
  }

  add(offer: HeldOffer): void {
    this.#held.add(offer);
    if (++this.#sinceCheck < CHECK_EVERY) return;
    this.#sinceCheck = 0;
    if (!(this.#held instanceof OfferColumns) || this.#held.byteLength <= this.#limit) return;
    const spill = new OfferSpill();
    for (const held of this.#held.all()) spill.add(held);
    this.#held = spill;
  }

  /** Records that there was no offer at that time. */
  addNone(marketplace: Marketplace, sku: number, at: Instant): void {
    this.#noneAt[MARKETPLACES.indexOf(marketplace)]?.set(sku, at);
  }

  /** When there was no offer; null where the file does not say so. */
  noneAt(marketplace: Marketplace, sku: number): Instant | null {
    return (this.#noneAt[MARKETPLACES.indexOf(marketplace)]?.get(sku) ?? null) as Instant | null;
  }

  /** Call it once after the last offer and before the first question. */
  seal(): void {
    if (this.#held instanceof OfferSpill) this.#held.seal();
  }

  /** The offers for a SKU on a marketplace, in the order of the file. */
  offersOf(marketplace: Marketplace, sku: number): Offer[] {
    return this.#held.offersOf(marketplace, sku).map((held) => this.sellers.offerOf(held));
  }

  close(): void {
    if (this.#held instanceof OfferSpill) this.#held.close();
  }
}

/** Reads the offers file; a row that cannot be read is reported and skipped. */
export async function loadOffers(
  table: Table<OfferColumn>,
  keys: KeyIndex,
  report: ReportProblem,
  limit?: number,
): Promise<OfferStore> {
  const offers = new OfferStore(limit);
  await readRows(table, report, {
    onRow(cells) {
      const row = readOffer(cells);
      const sku = cells.sku('sku', keys);
      const seller = cells.key('seller', offers.sellers.names);
      const { marketplace, price, seenAt } = row;
      if (cells.bad.length > 0 || marketplace === null) return;
      if (price === null) {
        if (seenAt !== null) offers.addNone(marketplace, sku, seenAt);
        return;
      }
      // Field by field: a spread here costs as much as reading the whole row.
      offers.add({
        marketplace,
        sku,
        seller,
        price,
        shipping: row.shipping,
        fulfillmentType: row.fulfillmentType,
        isFeatured: row.isFeatured,
        seenAt,
        rating: row.rating,
        ratingCount: row.ratingCount,
        handlingDays: row.handlingDays,
      });
    },
  });
  offers.seal();
  return offers;
}
