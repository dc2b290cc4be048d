import { type SQL, sql } from 'drizzle-orm';

/** Label filters for listings and SKUs: labels separated by |, an empty part for those without any. */
export interface LabelFilter {
  readonly brand?: string | undefined;
  readonly supplier?: string | undefined;
  readonly tag?: string | undefined;
}

export type LabelField = keyof LabelFilter;
type OwnLabel = Exclude<LabelField, 'tag'>;

/** Over `skus s` and `listings l`: a label in lower case. */
const KEY = {
  brand: { sku: sql`lower(s.brand)`, listing: sql`lower(l.brand)` },
  supplier: { sku: sql`lower(s.supplier)`, listing: sql`lower(l.supplier)` },
} as const;
const SAID = {
  brand: { sku: sql`s.brand`, listing: sql`l.brand` },
  supplier: { sku: sql`s.supplier`, listing: sql`l.supplier` },
} as const;

/** The conditions of a filter over `skus s`. */
export function skuLabelConditions(filter: LabelFilter): SQL[] {
  return chosen(filter).map(({ field, named, orNone }) => {
    const isNamed = sql`small_letters(${sql.param(named)}::text[])`;
    const has =
      field === 'tag'
        ? sql`s.tags <> '{}' AND small_letters(s.tags) && ${isNamed}`
        : sql`${KEY[field].sku} = ANY(${isNamed})`;
    const without = field === 'tag' ? sql`s.tags = '{}'` : sql`${SAID[field].sku} IS NULL`;
    return anyOf(named.length > 0 ? has : null, orNone ? without : null);
  });
}

/**
 * The conditions of a filter over `listing_keys k`. They select IDs: labels are in the wide rows, which have indexes
 * for them.
 */
export function listingLabelConditions(filter: LabelFilter): SQL[] {
  return chosen(filter).map(({ field, named, orNone }) =>
    anyOf(
      named.length > 0 ? sql`k.listing_id IN (${listingsNamed(field, named)})` : null,
      orNone ? sql`k.listing_id IN (${listingsWithout(field)})` : null,
    ),
  );
}

function listingsNamed(field: LabelField, named: readonly string[]): SQL {
  const isNamed = sql`small_letters(${sql.param(named)}::text[])`;
  const bySku = sql`SELECT l.id FROM skus s JOIN listings l ON l.sku = s.sku
    WHERE s.deleted_at IS NULL AND l.deleted_at IS NULL`;
  if (field === 'tag') return sql`${bySku} AND s.tags <> '{}' AND small_letters(s.tags) && ${isNamed}`;
  // The listing's own label overrides its SKU's.
  return sql`SELECT l.id FROM listings l
    WHERE l.deleted_at IS NULL AND ${SAID[field].listing} IS NOT NULL AND ${KEY[field].listing} = ANY(${isNamed})
    UNION ALL ${bySku} AND ${SAID[field].sku} IS NOT NULL AND ${KEY[field].sku} = ANY(${isNamed})
      AND ${SAID[field].listing} IS NULL`;
}

/** The IDs of live listings without such a label. */
export function listingsWithout(field: LabelField): SQL {
  const isBare =
    field === 'tag'
      ? sql`coalesce(s.tags, '{}') = '{}'`
      : sql`${SAID[field].listing} IS NULL AND ${SAID[field].sku} IS NULL`;
  return sql`SELECT l.id FROM listings l LEFT JOIN skus s ON s.sku = l.sku AND s.deleted_at IS NULL
    WHERE l.deleted_at IS NULL AND ${isBare}`;
}

/** Each label of the SKUs that are not deleted: `label`, once per SKU that has it. */
export function labelsOfSkus(field: LabelField): SQL {
  return field === 'tag'
    ? sql`SELECT label FROM skus s, unnest(s.tags) label WHERE s.deleted_at IS NULL`
    : sql`SELECT ${SAID[field].sku} AS label FROM skus s WHERE s.deleted_at IS NULL AND ${SAID[field].sku} IS NOT NULL`;
}

/** Each label of the live listings: `label`, once per listing that has it. */
export function labelsOfListings(field: LabelField): SQL {
  const bySku = sql`skus s JOIN listings l ON l.sku = s.sku`;
  const live = sql`s.deleted_at IS NULL AND l.deleted_at IS NULL`;
  if (field === 'tag') return sql`SELECT label FROM ${bySku}, unnest(s.tags) label WHERE ${live}`;
  return sql`SELECT ${ownOf(field)} AS label FROM listings l
      WHERE l.deleted_at IS NULL AND ${ownOf(field)} IS NOT NULL
    UNION ALL SELECT ${SAID[field].sku} FROM ${bySku}
      WHERE ${live} AND ${SAID[field].sku} IS NOT NULL AND ${ownOf(field)} IS NULL`;
}

const ownOf = (field: OwnLabel): SQL => SAID[field].listing;

interface Chosen {
  readonly field: LabelField;
  readonly named: readonly string[];
  readonly orNone: boolean;
}

function chosen(filter: LabelFilter): Chosen[] {
  return (['brand', 'supplier', 'tag'] as const).flatMap((field) => {
    const text = filter[field];
    if (text === undefined) return [];
    const parts = text.split('|').map((part) => part.trim());
    return [{ field, named: parts.filter((part) => part !== ''), orNone: parts.includes('') }];
  });
}

function anyOf(...conditions: readonly (SQL | null)[]): SQL {
  return sql`(${sql.join(
    conditions.filter((condition) => condition !== null),
    sql` OR `,
  )})`;
}
