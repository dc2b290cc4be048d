/** Whether something fits Shopify's search: "updated_at:>='2026-03-01T00:00:00Z' sku:MUG". All that is named has to hold. */
export function fitsSearch(
  query: string | null | undefined,
  known: Readonly<Record<string, string | number>>,
): boolean {
  const terms = (query ?? '').matchAll(
    /(\w{1,40}):(>=|<=|>|<|)('[^']{0,200}'|"[^"]{0,200}"|[^\s'"]{1,200})/g,
  );
  return [...terms].every(([, name = '', sign, quoted = '']) => {
    const value = known[name];
    const wanted = quoted.replace(/^['"]|['"]$/g, '');
    // What it does not know, Shopify passes over.
    if (value === undefined) return true;
    if (typeof value === 'string') return value === wanted;
    const moment = Date.parse(wanted);
    if (sign === '>=') return value >= moment;
    if (sign === '<=') return value <= moment;
    if (sign === '>') return value > moment;
    return sign === '<' ? value < moment : value === moment;
  });
}
