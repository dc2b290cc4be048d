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
}

export const USUAL_FORM: EbayForm = {
  type: 'FixedPriceItem',
  hasLabel: true,
  tracking: 'ItemID',
  hasPolicies: true,
};
