import type { Marketplace } from '#domain/marketplaces.ts';

/** From and to, both included; a seed draws one. Numbers of a whole-number range are whole. */
export type Range = readonly [from: number, to: number];

/**
 * How a competitor sets its price at its turn. "The others" are all other offers in stock, ours among them.
 * - `resetter`: below the lowest of the others; where that is under its own lowest price, back up to its list price
 * - `stayer`: below the lowest of the others, never up again
 * - `follower`: at the lowest of the others, down and up
 * - `undercutter`: below the lowest of the others, down and up; stays at its lowest price
 * - `person`: checks every few days; goes a little below the lowest of the others, or half of the way back to its list price
 * - `dumper`: comes for a while with a price that others cannot match
 * - `fixed`: keeps its list price
 */
export type CompetitorKind =
  | 'resetter'
  | 'stayer'
  | 'follower'
  | 'undercutter'
  | 'person'
  | 'dumper'
  | 'fixed';

/** Competitors of one kind. */
export interface Competitors {
  readonly kind: CompetitorKind;
  readonly count: Range;
  /** Shipped from the marketplace's warehouse: `all` of them, `none`, or each with even odds. */
  readonly fromWarehouse: 'all' | 'none' | 'some';
  /** Hours from turn to turn, drawn again after each. */
  readonly everyHours: Range;
  /** How far below the lowest of the others they go, as a share of it. */
  readonly under: Range;
  /** Days in stock and days out of stock, in turn; null: always in stock. */
  readonly stock: { readonly daysIn: Range; readonly daysOut: Range } | null;
}

/** What the seller reads of the market. */
export interface Readings {
  readonly everyHours: number;
  /** How old the offers in a reading are. The seller does not know. */
  readonly hoursBehind: number;
  /** The share of readings that fail, each on its own. */
  readonly failing: number;
  /** Outages of one to three days in which every reading fails, per 30 days. */
  readonly outages: number;
  readonly coverage: 'all' | 'box' | 'none';
  /** The share of seeds in which offers have the names of their sellers. */
  readonly named: number;
  /** Hours until buyers see a price that was sent. */
  readonly publishing: Range;
}

/** A kind of market. A seed draws one listing in it. */
export interface World {
  readonly name: string;
  /** What is special about it, for the result. */
  readonly about: string;
  readonly marketplace: Marketplace;
  /** Whether we ship, or the marketplace's warehouse does for us. */
  readonly weShip: boolean;
  readonly competitors: readonly Competitors[];
  readonly readings: Readings;
  /** The share of shoppers who buy from the buy box or not at all; 0 where there is none. */
  readonly boxShoppers: number;
  /** The price that the warehouse's delivery is worth to shoppers and to the buy box, as a share of the usual price. */
  readonly warehousePremium: Range;
  /** Visits per day of shoppers who want the item. */
  readonly shoppersPerDay: Range;
  /** What the fee schedule says less what is charged, in hundredths of a percent: one of these. */
  readonly feeError: readonly [number, ...number[]];
  /** Units per delivery and the days between deliveries; null: never out of stock. */
  readonly ourStock: { readonly units: Range; readonly everyDays: Range } | null;
  /** Our own price, at which we start, as a share of the usual price; absent: about the usual one. */
  readonly ownPrice?: Range;
}
