/** Refusals of a price that Amazon would repeat, each with its source. */
export const FINAL_REFUSALS: ReadonlySet<string> = new Set([
  // "Invalid input": https://developer-docs.amazon.com/sp-api/docs/listings-items-api-v2021-08-01-reference, 400
  'BAD_REQUEST',
  // "Invalid input", in all of SP-API: https://developer-docs.amazon.com/sp-api/docs/sp-api-errors-faq, 400
  'InvalidInput',
  // 413 and 415 without a code of Amazon: listings-items reference, the same page. It has no 404 for a price
  '413',
  '415',
  // "... is required but not supplied": listings-items reference, example of putListingsItem
  '90220',
  // "The attributes are invalid": listings-items reference, example of getListingsItem
  '90000900',
  // "The 'minimum price' is greater than the selling price": listings-items reference, example of getListingsItem
  '18155',
  // "Restricted Products Policy Violation": listings-items reference, example of getListingsItem
  '18742',
]);
