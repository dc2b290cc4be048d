import type { PassedOverRows } from '#contract/connections.ts';
import type { PassedOverReason } from '#domain/readings/passed-over.ts';

type Row = PassedOverRows['rows'][number];

const WHY: Readonly<Record<PassedOverReason, (row: Row, name: string) => string>> = {
  no_sku: (_, name) => `no SKU, or one over 200 characters. Give it one in ${name}.`,
  no_label: (_, name) =>
    `a variation without a custom label. Give each variation one in ${name}; the next sync adds it.`,
  other_currency: () => 'priced in another currency than US dollars, so it cannot be repriced.',
  repeated: (_, name) => `another listing has the same SKU. Give each its own in ${name}.`,
  not_ours_to_price: (_, name) => `${name} does not let its price be set here, so it cannot be repriced.`,
  auction: () => 'sold by auction, so its price is made by bids and it is not repriced.',
  unreadable: ({ member, value }, name) =>
    `${member} is "${value ?? ''}", which cannot be read. Correct it in ${name}; what was known before stays.`,
  price_not_in_cents: ({ value }, name) =>
    `the price ${value ?? ''} is not in whole cents, so it is not repriced. Enter a price with two decimals in ${name}.`,
  no_price: (_, name) =>
    `for sale without a price, so it is not repriced. Enter one in ${name}; the next sync adds it.`,
};

/** Why a row was not taken, or not with its price, and what to do about it. @param name of the marketplace */
export function passedOverText(row: Row, name: string): string {
  return WHY[row.why](row, name);
}
