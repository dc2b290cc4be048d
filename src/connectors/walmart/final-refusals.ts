/**
 * Refusals of a price that Walmart would repeat, each with its source. That it does not find an item is none of them: it is
 * looked for a second time.
 */
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
]);
