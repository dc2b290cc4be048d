import { AT_AUTO_ACCEPT, AT_AUTO_DECLINE } from './best-offer-refusals.ts';

/**
 * Refusals of a price that eBay would repeat, each with its source. Not 25002, "Any User error": only its words report
 * what happened.
 */
export const FINAL_REFUSALS: ReadonlySet<string> = new Set([
  // "Invalid value for {fieldName}": https://developer.ebay.com/api-docs/sell/inventory/resources/inventory_item/methods/bulkUpdatePriceQuantity#h3-error-codes
  '25709',
  // "This Offer is not available": https://developer.ebay.com/api-docs/sell/inventory/resources/offer/methods/getOffer#h3-error-codes
  '25713',
  // Quantity below what auctions hold: bulkUpdatePriceQuantity, the first page
  '25759',
  // Not below the price at which Best Offers are declined or accepted, or those two not apart: by the numbers and words that
  // sellers' programs report; that the price has to be higher: https://developer.ebay.com/api-docs/sell/inventory/types/slr:BestOffer
  AT_AUTO_DECLINE,
  AT_AUTO_ACCEPT,
  '23005',
  // "Invalid request", of every API. Not 2002, "Resource not found": that is of an address that eBay no longer has, and
  // says nothing about the price: https://developer.ebay.com/api-docs/static/handling-error-messages.html
  '2004',
]);
