/** Refusals of a price that Shopify would repeat, each with its source. */
export const FINAL_REFUSALS: ReadonlySet<string> = new Set([
  // https://shopify.dev/docs/api/admin-graphql/latest/enums/ProductVariantsBulkUpdateUserErrorCode
  'BLANK',
  'GREATER_THAN_OR_EQUAL_TO',
  'INVALID_INPUT',
  'INVALID_VALUE',
  'LOCAL_CURRENCY_GIFT_CARD_PRICE_MUST_BE_ZERO',
  'MUST_BE_FOR_THIS_PRODUCT',
  'NEGATIVE_PRICE_VALUE',
  'PRODUCT_DOES_NOT_EXIST',
  'PRODUCT_SUSPENDED',
  'PRODUCT_VARIANT_DOES_NOT_EXIST',
  'PRODUCT_VARIANT_ID_MISSING',
  'TOO_LONG',
  'TOO_SHORT',
  'UNSUPPORTED_COMBINED_LISTING_PARENT_OPERATION',
  // A query that GraphQL cannot read: https://shopify.dev/docs/api/usage/response-codes
  'BAD_USER_INPUT',
]);
