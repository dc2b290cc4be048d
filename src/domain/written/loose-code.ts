/**
 * A SKU without what users and spreadsheets change by accident: case, spaces and leading apostrophes. SKUs that match
 * only in this form are different, but most likely a typing error.
 */
export function looseCode(code: string): string {
  return code.replace(/^'+|\s+/g, '').toLowerCase();
}
