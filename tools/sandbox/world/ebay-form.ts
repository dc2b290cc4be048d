/** How a listing was made at eBay, where several kinds exist next to each other. */
export interface EbayForm {
  /** An auction is "Chinese". */
  readonly type: 'FixedPriceItem' | 'Chinese';
  /** Whether it, or its variation, has a custom label: the SKU that eBay knows. */
  readonly hasLabel: boolean;
  /** Whether calls may name it by its SKU alone. */
  readonly tracking: 'ItemID' | 'SKU';
  /** Whether it has business policies, which a migration requires. */
  readonly hasPolicies: boolean;
  /** Whether its payment policy wants the payment at once: a migration requires it, too. */
  readonly wantsPaymentAtOnce: boolean;
  /** Whether it names a postal code or a city, which a migration requires. */
  readonly hasPlace: boolean;
}

export const USUAL_FORM: EbayForm = {
  type: 'FixedPriceItem',
  hasLabel: true,
  tracking: 'ItemID',
  hasPolicies: true,
  wantsPaymentAtOnce: true,
  hasPlace: true,
};
