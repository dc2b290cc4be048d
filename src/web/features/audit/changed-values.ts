import { MARKETPLACE_NAMES, MARKETPLACES } from '#domain/marketplaces.ts';

/** One value of a row, before and after; null if missing. */
export interface ChangedValue {
  /** "Email verified", "Marketplaces, Walmart, Enabled" */
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

type Values = Readonly<Record<string, unknown>>;

/** The changes of a row, value by value, in the stored order; unchanged values are separate. */
export function changedValues(
  before: Values | null,
  after: Values | null,
): { readonly changed: readonly ChangedValue[]; readonly same: readonly ChangedValue[] } {
  const was = flatten(before ?? {});
  const is = flatten(after ?? {});
  const values = [...new Set([...was.keys(), ...is.keys()])].map((name) => ({
    name,
    before: was.get(name) ?? null,
    after: is.get(name) ?? null,
  }));
  return {
    changed: values.filter((value) => value.before !== value.after),
    same: values.filter((value) => value.before === value.after),
  };
}

/** Flattens nested values under joined names. */
function flatten(values: Values, path: readonly string[] = []): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [key, value] of Object.entries(values)) {
    const name = [...path, key];
    if (isRecord(value)) for (const [inner, text] of flatten(value, name)) flat.set(inner, text);
    else {
      const isList = MARKETPLACE_LISTS.has(labelOf(key));
      flat.set(name.map(labelOf).join(', '), isList ? namesText(value) : valueText(value));
    }
  }
  return flat;
}

/** Labels of lists of marketplaces, whose ids are shown as names. */
const MARKETPLACE_LISTS = new Set(['Live', 'Set to recommend only']);

function namesText(value: unknown): string {
  if (!Array.isArray(value)) return valueText(value);
  return valueText(
    value.map((id) => {
      const known = MARKETPLACES.find((marketplace) => marketplace === id);
      return known === undefined ? id : MARKETPLACE_NAMES[known];
    }),
  );
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keys of rows written by former versions, which stay as they are. */
const RENAMED_KEYS: Readonly<Record<string, string>> = { armed: 'live', disarmed: 'setToRecommendOnly' };

/** "Email verified" for "emailVerified" */
function labelOf(key: string): string {
  const words = (RENAMED_KEYS[key] ?? key)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function valueText(value: unknown): string {
  if (value === null || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(valueText).join(', ');
  return isRecord(value) ? JSON.stringify(value) : String(value);
}
