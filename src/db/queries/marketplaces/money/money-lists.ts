import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { readingList, readNumber } from '#db/list-reading.ts';
import { eachBatch } from '#db/row-batches.ts';
import { isoText } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { MoneyKind, MoneyMatch, ProfitOfMoney, RefusedMoney } from '#domain/money/money-event.ts';

interface Paged {
  /** From 1. */
  readonly page: number;
  readonly size: number;
}

/** A settlement in the format of the API: decimals as text, times as ISO 8601. */
export type SettlementRow = {
  readonly marketplace: Marketplace;
  readonly ref: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly paidAt: string | null;
  readonly toldTotal: string | null;
  readonly eventsTotal: string;
  readonly events: number;
  readonly unmatched: number;
  readonly other: number;
  readonly state: 'open' | 'incomplete' | 'balanced' | 'off';
  readonly difference: string | null;
};

/** One page of settlements, the newest first, each held against the amounts that were booked for it. */
export async function readSettlements(
  db: Db,
  { page, size, marketplace }: Paged & { readonly marketplace?: Marketplace | undefined },
): Promise<{ rows: SettlementRow[]; total: number }> {
  const condition = marketplace === undefined ? sql`true` : sql`s.marketplace = ${marketplace}`;
  return readingList(db, async (snapshot) => {
    const total = await readNumber(
      snapshot,
      sql`SELECT count(*) AS number FROM settlements s WHERE ${condition}`,
    );
    const { rows } = await snapshot.execute<SettlementRow>(sql`
      SELECT s.marketplace, s.ref, ${isoText(sql`s.from_at`)} AS "from", ${isoText(sql`s.to_at`)} AS "to",
        ${isoText(sql`s.paid_at`)} AS "paidAt", s.told_total::text AS "toldTotal", e.total::text AS "eventsTotal", e.events,
        e.unmatched, e.other, c.state,
        CASE WHEN c.state IN ('balanced', 'off') THEN (e.total - s.told_total)::text END AS difference
      FROM (SELECT * FROM settlements s WHERE ${condition}
        ORDER BY coalesce(s.paid_at, s.to_at, s.read_at) DESC, s.marketplace, s.ref
        LIMIT ${size} OFFSET ${(page - 1) * size}) s
      LEFT JOIN money_reads r ON r.marketplace = s.marketplace
      CROSS JOIN LATERAL (SELECT coalesce(sum(m.amount), 0.00) AS total, coalesce(sum(m.events), 0)::float8 AS events,
          coalesce(sum(m.events) FILTER (WHERE m.kind = 'other'), 0)::float8 AS other,
          coalesce(sum(m.events) FILTER (WHERE m.is_unmatched), 0)::float8 AS unmatched
        FROM money_sums m WHERE m.marketplace = s.marketplace AND m.settlement_ref = s.ref) e
      CROSS JOIN LATERAL (SELECT CASE WHEN NOT s.is_closed THEN 'open'
        WHEN s.told_total IS NULL OR r.read_from IS NULL OR r.read_from > coalesce(s.from_at, s.to_at, s.paid_at)
          OR r.read_until < coalesce(s.to_at, s.paid_at) THEN 'incomplete'
        WHEN s.told_total = e.total THEN 'balanced' ELSE 'off' END AS state) c
      ORDER BY coalesce(s.paid_at, s.to_at, s.read_at) DESC, s.marketplace, s.ref`);
    return { rows, total };
  });
}

/** Which amounts; all conditions apply together. */
export interface MoneyFilter {
  readonly marketplace?: Marketplace | undefined;
  readonly kind?: MoneyKind | undefined;
  readonly unmatched?: 'true' | undefined;
  readonly settlement?: string | undefined;
}

/** A booked amount in the format of the API. */
export type MoneyEventRow = {
  readonly id: string;
  readonly marketplace: Marketplace;
  readonly externalId: string;
  readonly kind: MoneyKind;
  readonly rawType: string;
  readonly amount: string;
  readonly orderRef: string | null;
  readonly sku: string | null;
  readonly quantity: number | null;
  readonly postedAt: string;
  readonly releasedAt: string | null;
  readonly settlementRef: string | null;
  readonly matchedBy: MoneyMatch;
  readonly profitOf: ProfitOfMoney;
  readonly listingId: string | null;
  readonly restated: number;
};

/** Up to this many, sorting is faster than scanning an index past all others. */
const FEW_EVENTS = 5_000;

/** One page of the amounts that marketplaces booked, the newest first, and their number. */
export async function readMoneyEvents(
  db: Db,
  { page, size, ...filter }: Paged & MoneyFilter,
): Promise<{ rows: MoneyEventRow[]; total: number }> {
  const offset = (page - 1) * size;
  return readingList(db, async (snapshot) => {
    const total = await readNumber(
      snapshot,
      sql`SELECT coalesce(sum(s.events), 0) AS number FROM money_sums s WHERE ${sumsOf(filter)}`,
    );
    if (offset >= total) return { rows: [], total };
    const { rows } = await snapshot.execute<MoneyEventRow>(sql`
      SELECT ${COLUMNS} FROM money_events m JOIN (${idsOf(filter, { offset, size, total })}) p ON p.id = m.id
      ORDER BY ${NEWEST_FIRST}`);
    return { rows, total };
  });
}

/** The IDs of a page, from an index alone where there are many, and from its nearer end. */
function idsOf(
  filter: MoneyFilter,
  { offset, size, total }: { readonly offset: number; readonly size: number; readonly total: number },
): SQL {
  const events = sql`money_events m WHERE ${conditionOf(filter)}`;
  if (total <= FEW_EVENTS) {
    return sql`SELECT m.id FROM (SELECT m.id, m.posted_at FROM ${events} OFFSET 0) m ORDER BY ${NEWEST_FIRST}
      LIMIT ${size} OFFSET ${offset}`;
  }
  const rest = Math.min(size, total - offset);
  const behind = total - offset - rest;
  return behind < offset
    ? sql`SELECT m.id FROM ${events} ORDER BY ${OLDEST_FIRST} LIMIT ${rest} OFFSET ${behind}`
    : sql`SELECT m.id FROM ${events} ORDER BY ${NEWEST_FIRST} LIMIT ${rest} OFFSET ${offset}`;
}

const COLUMNS = sql`m.id::text, m.marketplace, m.external_id AS "externalId", m.kind, m.raw_type AS "rawType",
  m.amount::text AS amount, m.order_ref AS "orderRef", m.sku, m.quantity, ${isoText(sql`m.posted_at`)} AS "postedAt",
  ${isoText(sql`m.released_at`)} AS "releasedAt", m.settlement_ref AS "settlementRef", m.matched_by AS "matchedBy",
  CASE WHEN m.matched_by NOT IN ('sku', 'marketplace') THEN 'sale' WHEN m.counts_alone THEN 'day' ELSE 'none' END AS "profitOf",
  m.listing_id::text AS "listingId", m.version - 1 AS restated`;
const NEWEST_FIRST = sql`m.posted_at DESC NULLS LAST, m.id DESC NULLS LAST`;
const OLDEST_FIRST = sql`m.posted_at ASC NULLS FIRST, m.id ASC NULLS FIRST`;

/** Passes on all amounts of a filter, the newest first, batch by batch. */
export async function eachMoneyEvent(
  db: Db,
  filter: MoneyFilter,
  onRows: (rows: MoneyEventRow[]) => Promise<void>,
): Promise<void> {
  const all = sql`SELECT ${COLUMNS} FROM money_events m WHERE ${conditionOf(filter)} ORDER BY ${NEWEST_FIRST}`;
  await eachBatch<MoneyEventRow>(db, async () => all, onRows);
}

/** The sums of the amounts of one kind, as decimal text. */
export type MoneyKindRow = { readonly kind: MoneyKind; readonly events: number; readonly amount: string };

/** The sums of the amounts of a filter by kind, the largest first. */
export async function readMoneyKinds(db: Db, filter: MoneyFilter): Promise<MoneyKindRow[]> {
  const { rows } = await db.execute<MoneyKindRow>(sql`
    SELECT s.kind, sum(s.events)::float8 AS events, sum(s.amount)::text AS amount FROM money_sums s
    WHERE ${sumsOf(filter)} GROUP BY s.kind ORDER BY abs(sum(s.amount)) DESC, s.kind`);
  return rows;
}

/** Which sums `s`. */
function sumsOf({ marketplace, kind, unmatched, settlement }: MoneyFilter): SQL {
  const parts = [sql`true`];
  if (marketplace !== undefined) parts.push(sql`s.marketplace = ${marketplace}`);
  if (kind !== undefined) parts.push(sql`s.kind = ${kind}`);
  if (settlement !== undefined) parts.push(sql`s.settlement_ref = ${settlement}`);
  if (unmatched !== undefined) parts.push(sql`s.is_unmatched`);
  return sql.join(parts, sql` AND `);
}

/** Which amounts `m`. */
function conditionOf({ marketplace, kind, unmatched, settlement }: MoneyFilter): SQL {
  const parts = [sql`m.superseded_by IS NULL`];
  if (marketplace !== undefined) parts.push(sql`m.marketplace = ${marketplace}`);
  if (kind !== undefined) parts.push(sql`m.kind = ${kind}`);
  if (settlement !== undefined) {
    parts.push(sql`m.settlement_ref = ${settlement}
      AND m.marketplace IN (SELECT s.marketplace FROM money_sums s WHERE s.settlement_ref = ${settlement})`);
  }
  if (unmatched !== undefined)
    parts.push(sql`m.matched_by IN ('sku', 'marketplace') AND m.kind <> 'transfer'`);
  return sql.join(parts, sql` AND `);
}

/** An amount that could not be taken, in the format of the API. */
export type RefusedMoneyRow = {
  readonly marketplace: Marketplace;
  readonly place: string;
  readonly why: RefusedMoney['why'];
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
};

/** One page of the amounts that could not be taken, the last seen first. */
export async function readRefusedMoney(
  db: Db,
  { page, size, marketplace }: Paged & { readonly marketplace?: Marketplace | undefined },
): Promise<{ rows: RefusedMoneyRow[]; total: number }> {
  const condition = marketplace === undefined ? sql`true` : sql`marketplace = ${marketplace}`;
  return readingList(db, async (snapshot) => {
    const total = await readNumber(
      snapshot,
      sql`SELECT count(*) AS number FROM refused_money WHERE ${condition}`,
    );
    const { rows } = await snapshot.execute<RefusedMoneyRow>(sql`
      SELECT marketplace, place, why, ${isoText(sql`first_seen_at`)} AS "firstSeenAt", ${isoText(sql`last_seen_at`)} AS "lastSeenAt"
      FROM refused_money WHERE ${condition} ORDER BY last_seen_at DESC NULLS LAST, marketplace, place, why
      LIMIT ${size} OFFSET ${(page - 1) * size}`);
    return { rows, total };
  });
}
