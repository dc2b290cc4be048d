/**
 * The code of an offer that does not exist: https://developer.ebay.com/api-docs/sell/inventory/resources/offer/methods/getOffer#h3-error-codes
 * No other code and no bare 404 counts: 2002, "Resource not found", is what every API of eBay answers at an address that
 * it does not have, and says nothing about an offer.
 */
export const NO_SUCH_OFFER = '25713';

/**
 * The codes of a SKU without offers: the one above, and those of an inventory item that does not exist:
 * https://developer.ebay.com/api-docs/sell/inventory/resources/inventory_item/methods/getInventoryItem#h3-error-codes
 */
export const NEVER_OFFERED: ReadonlySet<string> = new Set([NO_SUCH_OFFER, '25702', '25710']);
