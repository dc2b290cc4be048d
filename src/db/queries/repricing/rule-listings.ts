import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { LISTING_CATEGORY } from '#db/queries/catalog/listing-category.ts';
import { millis } from '#db/sql-values.ts';
import {
  FIGURE_SCOPES,
  type FigureScope,
  figureOfPart,
  type LabelScope,
  type ListingKind,
  type ScopeFacts,
  type UsedScope,
} from '#domain/rules/segment.ts';
import type { Cents, Instant } from '#domain/units.ts';

/** Live listings that rules cannot distinguish, with the same assigned rule or none. */
export interface AlikeListings extends ListingKind {
  /** Null: the rule that takes precedence prices them. */
  readonly ownRuleId: number | null;
  readonly scope: ScopeFacts;
  readonly listings: number;
}

type Row = Record<string, unknown> &
  ListingKind &
  Pick<AlikeListings, 'ownRuleId' | 'listings'> &
  Pick<ScopeFacts, 'brand' | 'category' | 'supplier'> & {
    readonly tags: readonly string[] | null;
    readonly ids: readonly number[];
  } & { readonly [Figure in FigureScope]: number | null };

/** The whole catalog, grouped by what determines the rule. @param now the time of the decisions */
export async function readAlikeListings(
  db: Db,
  requested: UsedScope,
  now: Instant,
): Promise<AlikeListings[]> {
  const { rows } = await db.execute<Row>(sql`
    SELECT ${columnsOf(requested, now)}, count(*)::float8 AS listings
    FROM (SELECT * FROM listings WHERE deleted_at IS NULL) l ${joinsOf(requested)} GROUP BY ${POSITIONS}`);
  return rows.map((row) => ({ ...kindOf(row), scope: scopeOf(requested, row), listings: row.listings }));
}

/** {@link AlikeListings} with their IDs, ascending. */
export interface AlikeIds extends Omit<AlikeListings, 'listings'> {
  readonly ids: readonly number[];
}

/**
 * A part of the catalog, grouped by what determines the rule.
 * @param after the last ID of the previous part; 0 for the first
 * @param limit the number of listings in it
 */
export async function readAlikeIds(
  db: Db,
  requested: UsedScope,
  now: Instant,
  after: number,
  limit: number,
): Promise<AlikeIds[]> {
  const { rows } = await db.execute<Row>(sql`
    SELECT ${columnsOf(requested, now)}, array_agg(l.id::float8 ORDER BY l.id) AS ids
    FROM (SELECT * FROM listings WHERE deleted_at IS NULL AND id > ${after} ORDER BY id LIMIT ${limit}) l
    ${joinsOf(requested)} GROUP BY ${POSITIONS}`);
  return rows.map((row) => ({ ...kindOf(row), scope: scopeOf(requested, row), ids: row.ids }));
}

/** The columns of {@link columnsOf}. */
const POSITIONS = sql`1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12`;

/**
 * The named labels of `listings l`: its own before those of its SKU, the entered category before others. Null for others,
 * which rules do not distinguish.
 */
function labelOf(field: LabelScope, names: readonly string[]): SQL {
  if (names.length === 0) return field === 'tags' ? sql`NULL::text[]` : sql`NULL::text`;
  if (field === 'tags') return sql`tagged.tags`;
  const isNamed = (label: SQL): SQL =>
    sql`CASE WHEN lower(${label}) = ANY(${smallLetters(names)}) THEN ${label} END`;
  if (field === 'categories') return isNamed(sql`(${LISTING_CATEGORY})`);
  const column = field === 'brands' ? sql`brand` : sql`supplier`;
  return sql`CASE WHEN l.${column} IS NULL THEN ${sql.identifier(field)}.label ELSE ${isNamed(sql`l.${column}`)} END`;
}

/** In all cases, since a database whose locale is C changes the case of ASCII alone. */
function smallLetters(names: readonly string[]): SQL {
  const cases = names.flatMap((name) => [name, name.toLowerCase(), name.toUpperCase()]);
  return sql`small_letters(${sql.param(cases)}::text[])`;
}

function columnsOf({ labels, edges }: UsedScope, now: Instant): SQL {
  const figures: Readonly<Record<FigureScope, SQL>> = {
    ownPrice: sql`l.anchor_price * 100`,
    cost: sql`(m.product_cost + m.shipping_cost + m.packaging_cost + m.misc_cost) * 100`,
    listedDays: sql`floor((${now}::float8 - ${millis('l.created_at')}) / 86400000)`,
    stockAgeDays: sql`day.stock_age_days`,
    stock: sql`day.stock`,
  };
  const label = (field: LabelScope): SQL => labelOf(field, labels[field]);
  const part = (field: FigureScope): SQL =>
    edges[field].length === 0
      ? sql`NULL::int`
      : sql`width_bucket((${figures[field]})::float8, ${sql.param(edges[field])}::float8[])`;
  const parts = FIGURE_SCOPES.map((field) => sql`${part(field)} AS ${sql.identifier(field)}`);
  return sql`l.marketplace, l.fulfillment_type AS "fulfillmentType", l.rule_id::float8 AS "ownRuleId",
    ${label('brands')} AS brand, ${label('categories')} AS category, ${label('tags')} AS tags,
    ${label('suppliers')} AS supplier,
    ${sql.join(parts, sql`, `)}`;
}

function joinsOf({ labels, edges }: UsedScope): SQL {
  const joins: SQL[] = [];
  for (const field of ['brands', 'suppliers', 'tags'] as const) {
    if (labels[field].length > 0) joins.push(joinOf(field, labels[field]));
  }
  if (edges.cost.length > 0) joins.push(sql`LEFT JOIN listing_metrics m ON m.listing_id = l.id`);
  if (edges.stock.length + edges.stockAgeDays.length > 0)
    joins.push(sql`LEFT JOIN day_stocks day ON day.listing_id = l.id`);
  return sql.join(joins, sql` `);
}

/** The SKUs that have one of these labels, found by the index of it: of most catalogs a small part. */
function joinOf(field: Exclude<LabelScope, 'categories'>, names: readonly string[]): SQL {
  const named = smallLetters(names);
  if (field === 'tags') {
    return sql`LEFT JOIN
      (SELECT sku, ARRAY(SELECT tag FROM unnest(tags) tag WHERE lower(tag) = ANY(${named}) ORDER BY tag) AS tags
      FROM skus WHERE deleted_at IS NULL AND tags <> '{}' AND small_letters(tags) && ${named}) tagged ON tagged.sku = l.sku`;
  }
  const column = field === 'brands' ? sql`brand` : sql`supplier`;
  return sql`LEFT JOIN (SELECT sku, ${column} AS label FROM skus
    WHERE deleted_at IS NULL AND ${column} IS NOT NULL AND lower(${column}) = ANY(${named})) ${sql.identifier(field)}
    ON ${sql.identifier(field)}.sku = l.sku`;
}

function kindOf({ marketplace, fulfillmentType, ownRuleId }: Row): Omit<AlikeListings, 'scope' | 'listings'> {
  return { marketplace, fulfillmentType, ownRuleId };
}

function scopeOf({ edges }: UsedScope, row: Row): ScopeFacts {
  const figure = <Unit extends number>(field: FigureScope): Unit | null =>
    edges[field].length === 0 ? null : figureOfPart<Unit>(edges[field], row[field]);
  return {
    brand: row.brand,
    category: row.category,
    tags: row.tags ?? [],
    supplier: row.supplier,
    ownPrice: figure<Cents>('ownPrice'),
    cost: figure<Cents>('cost'),
    listedDays: figure('listedDays'),
    stockAgeDays: figure('stockAgeDays'),
    stock: figure('stock'),
  };
}
