import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { millis, timestamptz } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { ReadingSource } from '#domain/readings/assess-reading.ts';
import type { ReadingCheckOutcome } from '#domain/readings/reading-check.ts';
import type { Instant } from '#domain/units.ts';

/** A reading in which a large share of the prices differed. */
export interface ReadingCheck {
  readonly source: ReadingSource;
  readonly startedAt: Instant;
  /** Listings that could be compared, and how many of them differed. */
  readonly compared: number;
  readonly suspects: number;
  /** Listings that are read singly first; of these with the price in force, and with another one. */
  readonly sampled: number;
  readonly inForce: number;
  readonly differing: number;
  readonly outcome: ReadingCheckOutcome;
}

type Row = ReadingCheck & { readonly marketplace: Marketplace } & Record<string, unknown>;

const SELECTED = sql`marketplace, source, ${millis('started_at')} AS "startedAt", compared, suspects, sampled,
  in_force AS "inForce", differing, outcome`;

/** The checks of the last readings, by marketplace; those without one had few differing prices. */
export async function listReadingChecks(db: Db): Promise<ReadonlyMap<Marketplace, ReadingCheck>> {
  const { rows } = await db.execute<Row>(sql`SELECT ${SELECTED} FROM reading_checks ORDER BY marketplace`);
  return new Map(rows.map(({ marketplace, ...check }) => [marketplace, check]));
}

/** Starts the check of a reading; it replaces that of the reading before. */
export async function startReadingCheck(
  tx: Db,
  marketplace: Marketplace,
  check: Pick<ReadingCheck, 'source' | 'startedAt' | 'compared' | 'suspects' | 'sampled'>,
): Promise<void> {
  await endReadingCheck(tx, marketplace);
  await tx.execute(sql`
    INSERT INTO reading_checks (marketplace, source, started_at, compared, suspects, sampled)
    VALUES (${marketplace}, ${check.source}, ${timestamptz(check.startedAt)}, ${check.compared}, ${check.suspects},
      ${check.sampled})`);
}

/** A reading with few differing prices needs no check. */
export async function endReadingCheck(tx: Db, marketplace: Marketplace): Promise<void> {
  await tx.execute(sql`DELETE FROM reading_checks WHERE marketplace = ${marketplace}`);
}

/** Counts items of the sample that were read. @returns the check, if it is still open */
export async function countSampled(
  tx: Db,
  marketplace: Marketplace,
  read: { readonly inForce: number; readonly differing: number },
): Promise<ReadingCheck | null> {
  const { rows } = await tx.execute<Row>(sql`
    UPDATE reading_checks SET in_force = in_force + ${read.inForce}, differing = differing + ${read.differing}
    WHERE marketplace = ${marketplace} AND outcome = 'checking' RETURNING ${SELECTED}`);
  return rows[0] ?? null;
}

/** Records what the sample showed. */
export async function concludeReadingCheck(
  tx: Db,
  marketplace: Marketplace,
  outcome: ReadingCheckOutcome,
): Promise<void> {
  await tx.execute(
    sql`UPDATE reading_checks SET outcome = ${outcome} WHERE marketplace = ${marketplace} AND outcome = 'checking'`,
  );
}
