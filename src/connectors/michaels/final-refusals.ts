/** Refusals of a price that Michaels would repeat. There is no public documentation: codes as they were seen. */
export const FINAL_REFUSALS: ReadonlySet<string> = new Set([
  // No such SKU: public test code of the marketplace's developer portal
  'MCU_API_LISTING_NOT_FOUND',
  // A malformed request or value: the same
  'MCU_API_BAD_REQUEST',
  // The statuses of both, also reported as codes
  '400',
  '404',
]);
