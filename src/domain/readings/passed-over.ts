/** Why a row of a marketplace was not taken, or not with its price. */
export const PASSED_OVER_REASONS = [
  'no_sku',
  /** A variation that only its label could name. */
  'no_label',
  'other_currency',
  'repeated',
  'not_ours_to_price',
  /** Its price is made by bids. */
  'auction',
  'unreadable',
  /** Taken, without a price: the marketplace's is finer than a cent. */
  'price_not_in_cents',
  /** For sale, and its marketplace shows no price. */
  'no_price',
] as const;
export type PassedOverReason = (typeof PASSED_OVER_REASONS)[number];

/** The most of them that are kept of one reading. Their number is exact. */
export const PASSED_OVER_LIST = 1_000;

/** A row of a marketplace that was not taken, or not with its price. */
export interface PassedOverRow {
  /** Its SKU, else its number or title, 1 to 200 characters. */
  readonly what: string;
  readonly why: PassedOverReason;
  /** The member that cannot be used, and what the marketplace sent there; null where no single one is the cause. */
  readonly member: string | null;
  readonly value: string | null;
}
