const SIGNS = ['>=', '<=', '>', '<'] as const;

interface Term {
  readonly name: string;
  readonly sign: string;
  readonly value: string;
}

/** Whether an object matches a Shopify search such as "updated_at:>='2026-03-01T00:00:00Z' sku:MUG": all terms must match. */
export function fitsSearch(
  query: string | null | undefined,
  known: Readonly<Record<string, string | number>>,
): boolean {
  return termsIn(query ?? '').every(({ name, sign, value: wanted }) => {
    const value = known[name];
    // Shopify ignores unknown terms.
    if (value === undefined) return true;
    if (typeof value === 'string') return value === wanted;
    const moment = Date.parse(wanted);
    if (sign === '>=') return value >= moment;
    if (sign === '<=') return value <= moment;
    if (sign === '>') return value > moment;
    return sign === '<' ? value < moment : value === moment;
  });
}

function termsIn(query: string): Term[] {
  const terms: Term[] = [];
  let rest = query.trim();
  for (let colon = rest.indexOf(':'); colon > 0; colon = rest.indexOf(':')) {
    const name = rest.slice(0, colon).trim();
    rest = rest.slice(colon + 1).trimStart();
    const sign = SIGNS.find((one) => rest.startsWith(one)) ?? '';
    rest = rest.slice(sign.length).trimStart();
    const isQuoted = rest.startsWith("'") || rest.startsWith('"');
    const start = isQuoted ? 1 : 0;
    const found = isQuoted ? rest.indexOf(rest.charAt(0), 1) : rest.indexOf(' ');
    const end = found < 0 ? rest.length : found;
    terms.push({ name, sign, value: rest.slice(start, end) });
    rest = rest.slice(end + start).trim();
  }
  return terms;
}
