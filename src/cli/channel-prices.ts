import type { OwnPrice } from '#domain/decision/cross-channel.ts';
import type { SisterPrice } from '#domain/decision/facts.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import type { Cents } from '#domain/units.ts';
import { NullableColumn, NumberColumn } from '#files/columns.ts';
import type { KeyIndex } from '#files/key-index.ts';
import { type ListingColumn, readListing, readListingMarketplace } from '#files/listing-format.ts';
import type { Table } from '#files/table.ts';
import { readRows } from '#files/table-rows.ts';

/** What all our listings ask, by SKU and marketplace, and what those decided already will ask. */
export class ChannelPrices {
  readonly #keys: KeyIndex;
  readonly #inForce = MARKETPLACES.map(() => new NullableColumn<Cents>());
  readonly #prices = MARKETPLACES.map(() => new NullableColumn<Cents>());
  readonly #charges = MARKETPLACES.map(() => new NumberColumn());

  constructor(keys: KeyIndex) {
    this.#keys = keys;
  }

  /** The first listing of a SKU on a marketplace counts, as it does when listings are priced. */
  add(marketplace: Marketplace, sku: number, price: Cents, charge: Cents): void {
    const place = MARKETPLACES.indexOf(marketplace);
    if (this.#prices[place]?.get(sku) !== null) return;
    this.#prices[place]?.set(sku, price);
    this.#inForce[place]?.set(sku, price);
    this.#charges[place]?.set(sku, charge);
  }

  /** What all listings of a SKU asked before any was decided: a line reads the price in force. */
  sisters(sku: string): SisterPrice[] {
    const number = this.#keys.findText(sku);
    if (number < 0) return [];
    return MARKETPLACES.flatMap((marketplace, place) => {
      const price = this.#inForce[place]?.get(number) ?? null;
      const shippingCharge = (this.#charges[place]?.get(number) ?? 0) as Cents;
      return price === null ? [] : [{ sku, marketplace, price, shippingCharge }];
    });
  }

  /** A listing that was decided: those after it see its new price. */
  move(marketplace: Marketplace, sku: number, price: Cents): void {
    this.#prices[MARKETPLACES.indexOf(marketplace)]?.set(sku, price);
  }

  /** What we ask for a SKU on the other marketplaces. */
  elsewhere(marketplace: Marketplace, sku: number): OwnPrice[] {
    return MARKETPLACES.flatMap((channel, place) => {
      const price = this.#prices[place]?.get(sku) ?? null;
      if (price === null || channel === marketplace) return [];
      return [
        { marketplace: channel, price, shippingCharge: (this.#charges[place]?.get(sku) ?? 0) as Cents },
      ];
    });
  }
}

/** Reads the prices of a listings file. Unusable rows are skipped: pricing reports them. */
export async function loadOwnPrices(table: Table<ListingColumn>, keys: KeyIndex): Promise<ChannelPrices> {
  const prices = new ChannelPrices(keys);
  await readRows(table, () => undefined, {
    onRow(cells) {
      const marketplace = readListingMarketplace(cells);
      const sku = cells.sku('sku', keys);
      const { currentPrice, shippingCharge } = readListing(cells);
      if (marketplace === null || sku < 0 || currentPrice === null || cells.bad.length > 0) return;
      prices.add(marketplace, sku, currentPrice, shippingCharge);
    },
  });
  return prices;
}
