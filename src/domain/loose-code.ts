/**
 * A SKU's code without what people and spreadsheets change by accident: case, spaces and apostrophes in front. Codes
 * that are the same only like this are different SKUs; whoever has both most likely meant one.
 */
export function looseCode(code: string): string {
  return code.replace(/^'+|\s+/g, '').toLowerCase();
}
