/** How an item differs from the other variations of its listing: they share its ID. */
export interface Variation {
  /** The item's value of each property, by the number of the property: { 514: "Red" }. */
  readonly values: Readonly<Record<string, string>>;
  /** The properties by which prices differ: none if all variations have one price. The same for the whole listing. */
  readonly pricedBy: readonly number[];
  readonly quantityBy: readonly number[];
  readonly skuBy: readonly number[];
}
