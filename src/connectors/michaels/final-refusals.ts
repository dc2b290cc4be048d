/** Refusals of a price that Michaels would repeat. There is no public documentation: codes as they were seen. */
export const FINAL_REFUSALS: ReadonlySet<string> = new Set([
  // A malformed request or value: public test code of the marketplace's developer portal
  'MCU_API_BAD_REQUEST',
  // Its status, also reported as a code. Not 404: without the code of a listing it is of an address
  '400',
]);
