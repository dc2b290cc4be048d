const ESCAPES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };

/** Converts JSON to XML, Walmart's response format for clients that do not accept JSON. */
export function xmlOf(json: string): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${element('response', JSON.parse(json))}`;
}

function element(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => element(name, one)).join('');
  return `<${name}>${content(value)}</${name}>`;
}

function content(value: unknown): string {
  if (typeof value !== 'object' || value === null) {
    return String(value ?? '').replace(/[<>&"]/g, (sign) => ESCAPES[sign] ?? sign);
  }
  return Object.entries(value)
    .map(([name, member]) => element(name, member))
    .join('');
}
