import type { FaultKind } from './fault.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Names of members that hold an amount of money. */
const MONEY = /(price|amount|value_with_tax|cost|charge)$/i;
/** "value" is an amount only next to a currency. */
const CURRENCY = /^currency_?(code|id)?$/i;
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/;
const SKEW = 26 * 3_600_000;

interface BodyChange {
  readonly json: (body: Json) => Json;
  readonly text: (text: string) => string;
}

/** How each fault changes a body. In bodies that are not JSON, numbers with two decimals are the prices. */
const CHANGES: Partial<Readonly<Record<FaultKind, BodyChange>>> = {
  duplicates: { json: (body) => doubled(body), text: (text) => `${text}\n${text}` },
  contradictions: {
    json: (body) => doubled(body, (copy) => priced(copy, higher)),
    text: (text) => `${text}\n${decimals(text, '1.00')}`,
  },
  negative_price: { json: (body) => priced(body, negative), text: (text) => decimals(text, '-19.99') },
  na_price: { json: (body) => priced(body, () => 'N/A'), text: (text) => decimals(text, 'N/A') },
  nan_price: { json: (body) => priced(body, () => 'NaN'), text: (text) => decimals(text, 'NaN') },
  other_currency: { json: inEuros, text: (text) => text.replaceAll('USD', 'EUR') },
  skewed_clock: { json: skewed, text: (text) => text },
};

/** Changes a body as the fault requires; faults that concern no body leave it as it is. */
export function changedBody(kind: FaultKind, body: string): string {
  const change = CHANGES[kind];
  if (change === undefined) return body;
  const json = jsonOf(body);
  return json === undefined ? change.text(body) : JSON.stringify(change.json(json));
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function decimals(text: string, instead: string): string {
  return text.replace(/\b\d+\.\d\d\b/g, instead);
}

/** Repeats each element of each list; `again` changes the copy. */
function doubled(body: Json, again: (copy: Json) => Json = (copy) => copy): Json {
  if (Array.isArray(body)) {
    return body.flatMap((one: Json) => [doubled(one, again), again(doubled(one, again))]);
  }
  return mapped(body, (value) => doubled(value, again));
}

function higher(amount: number | string): Json {
  const raised = (Number(amount) + 1).toFixed(2);
  return typeof amount === 'number' ? Number(raised) : raised;
}

function negative(amount: number | string): Json {
  return typeof amount === 'number' ? -Math.abs(amount) : `-${amount.replace(/^-/, '')}`;
}

function priced(body: Json, change: (amount: number | string) => Json): Json {
  const hasCurrency = isRecord(body) && Object.keys(body).some((name) => CURRENCY.test(name));
  return mapped(body, (value, name) => {
    const isMoney = MONEY.test(name) || (name === 'value' && hasCurrency);
    return isMoney && isAmount(value) ? change(value) : priced(value, change);
  });
}

function inEuros(body: Json): Json {
  return mapped(body, (value, name) => {
    if (CURRENCY.test(name) && typeof value === 'string') return 'EUR';
    return inEuros(value);
  });
}

function skewed(body: Json): Json {
  if (typeof body === 'string' && ISO_TIME.test(body)) return new Date(Date.parse(body) + SKEW).toISOString();
  return mapped(body, (value) => skewed(value));
}

function mapped(body: Json, change: (value: Json, name: string) => Json): Json {
  if (Array.isArray(body)) return body.map((one: Json) => change(one, ''));
  if (!isRecord(body)) return body;
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, change(value, name)]));
}

function isRecord(body: Json): body is { readonly [name: string]: Json } {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

function isAmount(value: Json): value is number | string {
  return typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
}
