import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { PriceSource } from '#db/schema/prices.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { Bps, Cents, Instant } from '#domain/units.ts';
import { METRIC_AMOUNTS, type StoredMetrics } from './pricing-input-rows.ts';

/*
 * Writes of a batch: one statement per table for any number of listings. Amounts are passed as whole cents and divided
 * by PostgreSQL, exactly.
 */

/** One array parameter of a set, by its type in PostgreSQL. */
function column<Row>(rows: readonly Row[], type: string, of: (row: Row) => unknown): SQL {
  return sql`${sql.param(rows.map(of))}::${sql.raw(type)}[]`;
}

/**
 * Documents of a set, as one JSON array: in an array of PostgreSQL each quote in them would be escaped here and
 * unescaped there. Used in `ROWS FROM`, with the other columns.
 */
function documents(facts: readonly (string | null)[]): SQL {
  return sql`jsonb_array_elements(${`[${facts.map((fact) => fact ?? 'null').join(',')}]`}::jsonb)`;
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A new row of the ledger. */
export interface PriceMove {
  readonly listingId: number;
  readonly oldPrice: Cents;
  readonly newPrice: Cents;
  readonly reason: string;
  readonly marginImpact: Bps | null;
  readonly marginAfter: Bps | null;
  readonly ruleId: number | null;
  readonly competitorPrice: Cents | null;
  readonly marginFloor: Cents | null;
  readonly feeVersion: string | null;
  /** A StoredCase of the domain, as JSON; null for changes that need no explanation. */
  readonly facts: string | null;
}

/** Who changes prices, why and when: the same for all rows of one statement. */
export interface ChangedBy {
  readonly source: PriceSource;
  readonly at: Instant;
  readonly runId: number | null;
  /** The user; null for the engine. */
  readonly actor: { readonly id: string; readonly name: string } | null;
}

/**
 * Changes prices: inserts rows of the ledger, whose trigger updates the listings.
 * @throws a database error with SQLSTATE 40001 when a price is not the one the decision started from: decide again
 */
export async function insertPriceHistory(db: Db, rows: readonly PriceMove[], by: ChangedBy): Promise<void> {
  if (rows.length === 0) return;
  await db.execute(sql`
    INSERT INTO price_history (listing_id, old_price, new_price, reason, margin_impact, margin_after, rule_id, competitor_price,
      margin_floor, fee_version, facts, source, timestamp, run_id, actor_id, actor)
    SELECT id, old / 100.0, new / 100.0, reason, impact / 100.0, after / 100.0, rule, competitor / 100.0, floor / 100.0, fees,
      nullif(facts, 'null'),
      ${by.source}, ${timestamptz(by.at)}, ${by.runId}::bigint, ${by.actor?.id ?? null}, ${by.actor?.name ?? null}
    FROM ROWS FROM (unnest(
      ${column(rows, 'bigint', (row) => row.listingId)}, ${column(rows, 'bigint', (row) => row.oldPrice)},
      ${column(rows, 'bigint', (row) => row.newPrice)}, ${column(rows, 'text', (row) => row.reason)},
      ${column(rows, 'bigint', (row) => row.marginImpact)},
      ${column(rows, 'bigint', (row) => row.marginAfter)}, ${column(rows, 'bigint', (row) => row.ruleId)},
      ${column(rows, 'bigint', (row) => row.competitorPrice)},
      ${column(rows, 'bigint', (row) => row.marginFloor)},
      ${column(rows, 'text', (row) => row.feeVersion)}
    ), ${documents(rows.map(({ facts }) => facts))}) AS moved (id, old, new, reason, impact, after, rule, competitor, floor, fees, facts)
    ORDER BY id`);
}

/** The columns of a listing that the engine's last decision sets. */
export interface ListingUpdate {
  readonly listingId: number;
  readonly recommendedPrice: Cents | null;
  readonly recommendedPriceReason: string | null;
  readonly competitorPrice: Cents | null;
  /** The price was applied on a marketplace with price files. */
  readonly awaitsUpload: boolean;
}

/** Writes recommendations, references and marks "to upload" of a batch. */
export async function writeRecommendations(
  db: Db,
  rows: readonly ListingUpdate[],
  now: Instant,
): Promise<void> {
  if (rows.length === 0) return;
  await db.execute(sql`
    UPDATE listings l SET
      recommended_price = w.recommended / 100.0,
      recommended_price_reason = w.reason,
      competitor_price = w.competitor / 100.0,
      awaiting_upload_since = CASE WHEN w.awaits THEN ${timestamptz(now)} ELSE l.awaiting_upload_since END
    FROM unnest(
      ${column(rows, 'bigint', (row) => row.listingId)}, ${column(rows, 'bigint', (row) => row.recommendedPrice)},
      ${column(rows, 'text', (row) => row.recommendedPriceReason)},
      ${column(rows, 'bigint', (row) => row.competitorPrice)}, ${column(rows, 'boolean', (row) => row.awaitsUpload)}
    ) AS w (id, recommended, reason, competitor, awaits)
    WHERE l.id = w.id`);
}

export type MetricsWrite = StoredMetrics & { readonly listingId: number };

const AMOUNT_COLUMNS = METRIC_AMOUNTS.map(snake);
const OTHER_COLUMNS = [
  'outcome',
  'reason_code',
  'review_reason',
  'rule_id',
  'line',
  'run_id',
  'holds_buy_box',
  'is_fee_told',
  'is_fee_held',
  'competition',
  'not_read_since',
  'missing_facts',
  'decided_at',
];

/** Writes the rows of `listing_metrics` that changed. */
export async function writeMetrics(db: Db, rows: readonly MetricsWrite[], now: Instant): Promise<void> {
  if (rows.length === 0) return;
  const columns = [...AMOUNT_COLUMNS, ...OTHER_COLUMNS];
  const amounts = METRIC_AMOUNTS.map((name) => column(rows, 'bigint', (row) => row[name]));
  await db.execute(sql`
    INSERT INTO listing_metrics (listing_id, ${sql.raw(columns.join(', '))})
    SELECT id, ${sql.raw(AMOUNT_COLUMNS.map((name) => `${name} / 100.0`).join(', '))},
      outcome, reason_code, review_reason, rule_id, line, run_id, holds_buy_box, is_fee_told, is_fee_held, competition, to_timestamp(not_read_since / 1000.0), string_to_array(missing_facts, ' '), ${timestamptz(now)}
    FROM unnest(
      ${column(rows, 'bigint', (row) => row.listingId)}, ${sql.join(amounts, sql`, `)},
      ${column(rows, 'text', (row) => row.outcome)}, ${column(rows, 'text', (row) => row.reasonCode)},
      ${column(rows, 'text', (row) => row.reviewReason)}, ${column(rows, 'bigint', (row) => row.ruleId)},
      ${column(rows, 'smallint', (row) => row.line)},
      ${column(rows, 'bigint', (row) => row.runId)}, ${column(rows, 'boolean', (row) => row.holdsBuyBox)},
      ${column(rows, 'boolean', (row) => row.isFeeTold)}, ${column(rows, 'boolean', (row) => row.isFeeHeld)},
      ${column(rows, 'text', (row) => row.competition)}, ${column(rows, 'bigint', (row) => row.notReadSince)},
      ${column(rows, 'text', (row) => row.missingFacts.join(' '))}
    ) AS m (id, ${sql.raw(AMOUNT_COLUMNS.join(', '))}, outcome, reason_code, review_reason, rule_id, line, run_id, holds_buy_box, is_fee_told, is_fee_held, competition, not_read_since, missing_facts)
    ON CONFLICT (listing_id) DO UPDATE SET
      ${sql.raw(columns.map((name) => `${name} = excluded.${name}`).join(', '))}`);
}

/** A decision that is neither `keep` nor a repeated one. */
export interface RunItemWrite {
  readonly listingId: number;
  readonly outcome: string;
  readonly reasonCode: string;
  readonly reviewReason: string | null;
  readonly bindingLimit: string;
  readonly oldPrice: Cents | null;
  readonly price: Cents | null;
  readonly marginFloor: Cents | null;
  readonly reference: Cents | null;
  readonly marginBefore: Bps | null;
  readonly marginAfter: Bps | null;
  readonly ruleId: number | null;
  readonly feeVersion: string | null;
  readonly facts: string;
}

const ITEM_AMOUNTS = [
  'oldPrice',
  'price',
  'marginFloor',
  'reference',
  'marginBefore',
  'marginAfter',
] as const;
const ITEM_TEXTS = ['outcome', 'reasonCode', 'reviewReason', 'bindingLimit', 'feeVersion'] as const;

/** Writes a run's decisions. A listing that was decided twice in one run keeps its last decision. */
export async function writeRunItems(
  db: Db,
  rows: readonly RunItemWrite[],
  runId: number,
  now: Instant,
): Promise<void> {
  if (rows.length === 0) return;
  const amounts = ITEM_AMOUNTS.map(snake);
  const texts = ITEM_TEXTS.map(snake);
  const columns = [...amounts, ...texts, 'rule_id', 'facts', 'at'];
  const values = [
    ...ITEM_AMOUNTS.map((name) => column(rows, 'bigint', (row) => row[name])),
    ...ITEM_TEXTS.map((name) => column(rows, 'text', (row) => row[name])),
  ];
  await db.execute(sql`
    INSERT INTO run_items (run_id, listing_id, ${sql.raw(columns.join(', '))})
    SELECT ${runId}::bigint, id, ${sql.raw(amounts.map((name) => `${name} / 100.0`).join(', '))},
      ${sql.raw(texts.join(', '))}, rule_id, facts, ${timestamptz(now)}
    FROM ROWS FROM (unnest(
      ${column(rows, 'bigint', (row) => row.listingId)}, ${sql.join(values, sql`, `)},
      ${column(rows, 'bigint', (row) => row.ruleId)}
    ), ${documents(rows.map(({ facts }) => facts))}) AS i (id, ${sql.raw([...amounts, ...texts].join(', '))}, rule_id, facts)
    ON CONFLICT (run_id, listing_id) DO UPDATE SET
      ${sql.raw(columns.map((name) => `${name} = excluded.${name}`).join(', '))}`);
}
