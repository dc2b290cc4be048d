/** Refusals of a price that Etsy would repeat, each with its source. Etsy has no codes: they are HTTP statuses. */
export const FINAL_REFUSALS: ReadonlySet<string> = new Set([
  // "There was a problem with the request data", read anew and refused again:
  // https://developers.etsy.com/documentation/reference#operation/updateListingInventory
  '400',
  // "A resource could not be found", where it names the listing: the same page
  '404',
]);
