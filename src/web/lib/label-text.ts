import type { LabelField } from '#contract/labels.ts';

/** What the labels of listings and SKUs are called, and those without any. */
export const LABEL_WORDS = {
  brand: { name: 'Brand', none: 'No brand' },
  supplier: { name: 'Supplier', none: 'No supplier' },
  tag: { name: 'Tag', none: 'No tags' },
} as const satisfies Record<LabelField, { name: string; none: string }>;

/** What the address may say of them. */
export const LABEL_SPEC = {
  brand: /./,
  supplier: /./,
  tag: /./,
} as const;

/** The labels that a filter names; "" is those without any. */
export function labelsIn(filter: string | undefined): string[] {
  return filter === undefined ? [] : [...new Set(filter.split('|').map((part) => part.trim()))];
}

/** The filter that names these labels; "" for none at all. */
export function labelFilter(labels: readonly string[]): string {
  const named = labels.filter((label) => label !== '');
  return named.length === labels.length ? named.join('|') : `${named.join('|')}|`;
}

/** "Acme, Bluebird, No brand" */
export function labelText(field: LabelField, filter: string): string {
  return labelsIn(filter)
    .map((label) => label || LABEL_WORDS[field].none)
    .join(', ');
}
