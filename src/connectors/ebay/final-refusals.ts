/**
 * Refusals of a price that eBay would repeat, each with its source. Not 25002, "Any User error": only its words tell
 * what happened.
 */
export const FINAL_REFUSALS: ReadonlySet<string> = new Set([
  // "Invalid value for {fieldName}": https://developer.ebay.com/api-docs/sell/inventory/resources/inventory_item/methods/bulkUpdatePriceQuantity#h3-error-codes
  '25709',
  // "This Offer is not available": https://developer.ebay.com/api-docs/sell/inventory/resources/offer/methods/getOffer#h3-error-codes
  '25713',
  // Quantity below what auctions hold: bulkUpdatePriceQuantity, the first page
  '25759',
  // "Resource not resolved" and "Invalid request", of every API: https://developer.ebay.com/api-docs/static/handling-error-messages.html
  '2002',
  '2004',
  // No such resource
  '404',
]);
