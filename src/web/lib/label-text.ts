import type { LabelField } from '#contract/labels.ts';

/** Display names for labels of listings and SKUs, and for those without one. */
export const LABEL_NAMES = {
  brand: { name: 'Brand', none: 'No brand' },
  supplier: { name: 'Supplier', none: 'No supplier' },
  tag: { name: 'Tag', none: 'No tags' },
} as const satisfies Record<LabelField, { name: string; none: string }>;

/** Valid values in the address. */
export const LABEL_SPEC = {
  brand: /./,
  supplier: /./,
  tag: /./,
} as const;

/** The labels in a filter; "" means those without one. */
export function labelsIn(filter: string | undefined): string[] {
  return filter === undefined ? [] : [...new Set(filter.split('|').map((part) => part.trim()))];
}

/** The filter for these labels; "" for no filter. */
export function labelFilter(labels: readonly string[]): string {
  const named = labels.filter((label) => label !== '');
  return named.length === labels.length ? named.join('|') : `${named.join('|')}|`;
}

/** "Acme, Bluebird, No brand" */
export function labelText(field: LabelField, filter: string): string {
  return labelsIn(filter)
    .map((label) => label || LABEL_NAMES[field].none)
    .join(', ');
}
