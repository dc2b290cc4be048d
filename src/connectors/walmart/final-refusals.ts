/** Refusals of a price that Walmart would repeat, each with its source. */
export const FINAL_REFUSALS: ReadonlySet<string> = new Set([
  // Body, header or parameter not as documented: https://developer.walmart.com/us-marketplace/docs/error-codes
  'INVALID_REQUEST',
  'INVALID_REQUEST_CONTENT',
  'INVALID_REQUEST_HEADER',
  'INVALID_REQUEST_PARAM',
  'MALFORMED_REQUEST_CONTENT',
  'MISSING_REQUEST_HEADER',
  'MISSING_REQUEST_PARAM',
  'INVALID_ACCEPT_TYPE',
  'METHOD_NOT_ALLOWED',
  'UNSUPPORTED_MEDIA_TYPE',
  // No such item: the same page
  'CONTENT_NOT_FOUND',
  // "The requested resource (the product) was not found":
  // https://developer.walmart.com/us-marketplace/docs/pricing-promotions-troubleshooting
  '404',
]);
