import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { rowsTable, type TextRow } from '#db/queries/catalog/import-rows.ts';
import { cents, millis, timestamptz } from '#db/sql-values.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import {
  type AnswerKey,
  type FeeFact,
  type FeeFactKind,
  type FeePart,
  type FeeRefusal,
  isFulfillmentCharge,
  MAX_ANSWERS,
} from '#domain/fees/fee-fact.ts';
import { newSettledFees, type SettledFee } from '#domain/fees/new-settled-fees.ts';
import { SETTLED_FULFILLMENT_COUNTS } from '#domain/fees/usual-charge.ts';
import type { PriceBand } from '#domain/fees/warehouse-fee.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Cents, hours, type Instant, instant } from '#domain/units.ts';
import { countCategoryPairs } from './category-pairs.ts';

const FACT_TYPES = {
  listingId: 'bigint',
  kind: 'text',
  name: 'text',
  source: 'text',
  fulfillmentType: 'text',
  askedPrice: 'numeric',
  askedShipping: 'numeric',
  amount: 'numeric',
  promotion: 'numeric',
  toldAt: 'timestamptz',
  refusedBecause: 'text',
} as const;

/** Adds fees as they were reported. */
export async function addFeeFacts(tx: Db, facts: readonly TextRow[]): Promise<void> {
  if (facts.length === 0) return;
  await tx.execute(sql`
    INSERT INTO fee_facts (listing_id, kind, name, source, fulfillment_type, asked_price, asked_shipping, amount,
      promotion, told_at, refused_because)
    SELECT "listingId", kind, name, source, "fulfillmentType", "askedPrice", "askedShipping", amount,
      coalesce(promotion, 0), "toldAt", "refusedBecause" FROM ${rowsTable('f', FACT_TYPES, facts)}`);
}

/** A fee that was taken of this sale. */
export type FeeOfSale = SettledFee & { readonly saleId: number };

/** A fulfillment charge is kept for half a year, three times as long as it counts: what was sold then may be calculated again. */
export const CHARGES_KEPT = hours(180 * 24);

/**
 * Replaces what was taken of these sales, which were calculated again: adds those commissions that say something new, and every
 * fulfillment fee of half a year where the marketplace has answered nothing of it. A fee from figures that have changed since is
 * deleted, unless an administrator decided about it; other sales of its time may report again what it hid, so that they are due.
 * @param saleIds all sales that were calculated, also those without a fee
 * @returns those that were added and are used
 */
export async function replaceSettledFees(
  tx: Db,
  saleIds: readonly number[],
  fees: readonly FeeOfSale[],
  now: Instant,
): Promise<FeeOfSale[]> {
  if (saleIds.length === 0) return [];
  await deleteRestated(tx, saleIds, fees);
  const charges = fees.filter((fee) => isFulfillmentCharge(fee) && now - fee.toldAt < CHARGES_KEPT);
  const commissions = await addCommissions(
    tx,
    fees.filter((fee) => !isFulfillmentCharge(fee)),
  );
  return [...commissions, ...(await addCharges(tx, charges))];
}

async function deleteRestated(tx: Db, saleIds: readonly number[], fees: readonly FeeOfSale[]): Promise<void> {
  const reported = rowsTable('n', SETTLED_TYPES, fees.map(settledRow));
  await tx.execute(sql`
    WITH restated AS (DELETE FROM fee_facts f
      WHERE f.sale_id = ANY(${sql.param([...saleIds])}::bigint[]) AND f.accepted_at IS NULL
        AND (f.refused_because IS NULL OR f.refused_because = 'out_of_range')
        AND NOT EXISTS (SELECT FROM ${reported} WHERE n."saleId" = f.sale_id AND ${SAME_QUESTION}
          AND f.told_at = n."toldAt"::timestamptz(3) AND (f.amount, f.promotion) = (n.amount, n.promotion)
          AND (f.fee_base, f.category_told, f.units) IS NOT DISTINCT FROM (n."feeBase", n."categoryTold", n.units))
      RETURNING listing_id, told_at)
    SELECT mark_due(array_agg(DISTINCT l.id) FILTER (WHERE l.deleted_at IS NULL), 'fees'),
      mark_sales_due(array_agg(r.listing_id), array_agg(r.told_at - interval '60 days'))
    FROM restated r JOIN listings l ON l.id = r.listing_id HAVING count(*) > 0`);
}

async function addCommissions(tx: Db, fees: readonly FeeOfSale[]): Promise<FeeOfSale[]> {
  if (fees.length === 0) return [];
  const reported = rowsTable('n', SETTLED_TYPES, fees.map(settledRow));
  // Two of one moment would be read as parts of one fee: the higher one stays.
  await tx.execute(sql`DELETE FROM fee_facts f USING ${reported}
    WHERE ${SAME_QUESTION} AND f.told_at = n."toldAt"::timestamptz(3) AND f.accepted_at IS NULL AND f.refused_because IS NULL
      AND f.amount / coalesce(f.fee_base, f.asked_price + f.asked_shipping)
        < n.amount / coalesce(n."feeBase", n."askedPrice" + n."askedShipping")`);
  const { rows: known } = await tx.execute<SettledFee & Record<string, unknown>>(sql`
    SELECT listing_id::float8 AS "listingId", ${FACT} FROM fee_facts f
    WHERE EXISTS (SELECT FROM ${reported} WHERE ${SAME_QUESTION})`);
  const added = newSettledFees(known, fees);
  if (added.length === 0) return [];
  const { rows: ids } = await tx.execute<{ id: number }>(sql`${INSERT_SETTLED}
    FROM ${rowsTable('n', SETTLED_TYPES, added.map(settledRow))} RETURNING id::float8 AS id`);
  const named = added.flatMap(({ listingId, categoryTold }) => (categoryTold == null ? [] : [listingId]));
  await countCategoryPairs(tx, named, Math.min(...ids.map(({ id }) => id)));
  return added;
}

/** Not again what was stored of the sale, used or not. */
async function addCharges(tx: Db, fees: readonly FeeOfSale[]): Promise<FeeOfSale[]> {
  if (fees.length === 0) return [];
  const { rows } = await tx.execute<{ saleId: number }>(sql`${INSERT_SETTLED}
    FROM ${rowsTable('n', SETTLED_TYPES, fees.map(settledRow))}
    WHERE NOT EXISTS (SELECT FROM fee_facts f WHERE f.sale_id = n."saleId" AND ${SAME_QUESTION}
        AND f.told_at = n."toldAt"::timestamptz(3) AND f.amount = n.amount)
      AND NOT EXISTS (SELECT FROM fee_facts a WHERE a.listing_id = n."listingId" AND a.kind = 'fulfillment'
        AND a.source = 'estimate' AND a.refused_because IS NULL)
    RETURNING sale_id::float8 AS "saleId"`);
  const added = new Set(rows.map(({ saleId }) => saleId));
  return fees.filter(({ saleId, refusal = null }) => added.has(saleId) && refusal === null);
}

const INSERT_SETTLED = sql`
  INSERT INTO fee_facts (listing_id, kind, name, source, fulfillment_type, asked_price, asked_shipping, amount,
    promotion, told_at, refused_because, fee_base, category_told, units, sale_id)
  SELECT "listingId", kind, NULL, source, "fulfillmentType", "askedPrice", "askedShipping", amount, promotion, "toldAt",
    "refusedBecause", "feeBase", "categoryTold", units, "saleId"`;
const SETTLED_TYPES = {
  ...FACT_TYPES,
  feeBase: 'numeric',
  categoryTold: 'text',
  units: 'integer',
  saleId: 'bigint',
} as const;
const SAME_QUESTION = sql`f.listing_id = n."listingId" AND f.source = 'settled' AND f.kind = n.kind
  AND f.fulfillment_type = n."fulfillmentType" AND (f.asked_price, f.asked_shipping) = (n."askedPrice", n."askedShipping")`;

function settledRow(fact: FeeOfSale): TextRow {
  const { listingId, kind, fulfillmentType, askedPrice, askedShipping, amount, promotion, toldAt } = fact;
  return {
    listingId: String(listingId),
    kind,
    source: 'settled',
    fulfillmentType,
    askedPrice: decimalFromCents(askedPrice),
    askedShipping: decimalFromCents(askedShipping),
    amount: decimalFromCents(amount),
    promotion: decimalFromCents(promotion),
    toldAt: new Date(toldAt).toISOString(),
    refusedBecause: fact.refusal ?? null,
    feeBase: fact.feeBase == null ? null : decimalFromCents(fact.feeBase),
    categoryTold: fact.categoryTold ?? null,
    units: fact.units === undefined ? null : String(fact.units),
    saleId: String(fact.saleId),
  };
}

const FACT = sql`kind, name, source, fulfillment_type AS "fulfillmentType", ${cents('asked_price')} AS "askedPrice",
  ${cents('asked_shipping')} AS "askedShipping", ${cents('amount')} AS amount, ${cents('promotion')} AS promotion,
  ${cents('fee_base')} AS "feeBase", category_told AS "categoryTold", ${millis('told_at')} AS "toldAt", accepted_at IS NOT NULL AS "isAccepted"`;

/** A stored fee, used or not. */
export interface FeeFactRow extends Omit<FeeFact, 'amount'>, Record<string, unknown> {
  readonly id: number;
  /** Null for an answer without a usable amount. */
  readonly amount: Cents | null;
  readonly refusedBecause: FeeRefusal | null;
}

/** Of these columns of fee_facts: what was charged for fulfilling units of a sale, and may be used. */
const IS_USABLE_CHARGE = sql`kind = 'fulfillment' AND source = 'settled' AND refused_because IS NULL`;
/** Of charges that no longer count so many say what the fee was before those that do. */
const CHARGES_BEFORE = 20;

/**
 * The fees reported for these listings that may be used, the newest of each listing first. Answers are never cut in half. Where
 * the marketplace answered nothing of the fulfillment fee, all its charges that count, and the newest before them.
 * @param ids with FBA/WFS or without
 */
export async function listUsableFeeFacts(
  db: Db,
  ids: readonly number[],
  now: Instant,
): Promise<(FeeFact & { listingId: number })[]> {
  const reported = await listAnswers(db, ids);
  const answered = new Set(
    reported.flatMap(({ listingId, kind }) => (kind === 'fulfillment' ? [listingId] : [])),
  );
  const charges = await listCharges(
    db,
    ids.filter((id) => !answered.has(id)),
    now,
  );
  return charges.length === 0 ? reported : [...reported, ...charges];
}

/** What is read of a charge, as whole numbers: price and shipping charge, fee, when, when accepted (0: not), units. */
const CHARGE_NUMBERS = sql`(asked_price * 100)::bigint, (asked_shipping * 100)::bigint, (amount * 100)::bigint,
  (date_part('epoch', told_at) * 1000)::bigint, coalesce((date_part('epoch', accepted_at) * 1000)::bigint, 0),
  coalesce(units, 1)`;

async function listCharges(
  db: Db,
  ids: readonly number[],
  now: Instant,
): Promise<(FeeFact & { listingId: number })[]> {
  if (ids.length === 0) return [];
  const since = timestamptz(instant(now - SETTLED_FULFILLMENT_COUNTS));
  // Of each listing one list of numbers: there is a charge for each sale, and a row or an array for each takes twice as long.
  const { rows } = await db.execute<{ listingId: number; numbers: string }>(sql`
    SELECT requested.id::float8 AS "listingId", f.numbers FROM unnest(${sql.param(ids)}::bigint[]) requested (id)
    CROSS JOIN LATERAL (SELECT string_agg(concat_ws(',', ${CHARGE_NUMBERS}), ',') AS numbers
      FROM fee_facts WHERE listing_id = requested.id AND fulfillment_type = 'FBA/WFS' AND ${IS_USABLE_CHARGE}
        AND told_at >= least(${since}, (SELECT min(told_at) FROM (SELECT told_at FROM fee_facts
          WHERE listing_id = requested.id AND ${IS_USABLE_CHARGE} AND told_at < ${since}
          ORDER BY told_at DESC LIMIT ${CHARGES_BEFORE}) older),
          -- Without one that counts those before the newest one count likewise.
          (SELECT max(told_at) - make_interval(secs => ${SETTLED_FULFILLMENT_COUNTS / 1_000}) FROM fee_facts
            WHERE listing_id = requested.id AND ${IS_USABLE_CHARGE} HAVING max(told_at) < ${since}))) f
    WHERE f.numbers IS NOT NULL ORDER BY requested.id`);
  return rows.flatMap(({ listingId, numbers }) => chargesFrom(listingId, JSON.parse(`[${numbers}]`)));
}

/** @param numbers those of each charge, one after another */
function chargesFrom(listingId: number, numbers: readonly number[]): (FeeFact & { listingId: number })[] {
  const charges: (FeeFact & { listingId: number })[] = [];
  for (let at = 0; at < numbers.length; at += 6) {
    charges.push({
      listingId,
      kind: 'fulfillment',
      name: null,
      source: 'settled',
      fulfillmentType: 'FBA/WFS',
      askedPrice: numbers[at] as Cents,
      askedShipping: numbers[at + 1] as Cents,
      amount: numbers[at + 2] as Cents,
      promotion: 0 as Cents,
      toldAt: numbers[at + 3] as Instant,
      isAccepted: numbers[at + 4] !== 0,
      acceptedAt: numbers[at + 4] === 0 ? null : (numbers[at + 4] as Instant),
      units: numbers[at + 5] as number,
    });
  }
  return charges.sort((one, other) => other.toldAt - one.toldAt);
}

/** What was reported but charges of fulfillment, which are many. */
async function listAnswers(db: Db, ids: readonly number[]): Promise<(FeeFact & { listingId: number })[]> {
  const { rows } = await db.execute<FeeFact & { listingId: number } & Record<string, unknown>>(sql`
    SELECT wanted.id::float8 AS "listingId", ${FACT}
    FROM unnest(${sql.param(ids)}::bigint[]) wanted (id)
    CROSS JOIN LATERAL (SELECT *, dense_rank() OVER (ORDER BY told_at DESC) AS place FROM fee_facts
      WHERE listing_id = wanted.id AND refused_because IS NULL AND NOT (kind = 'fulfillment' AND source = 'settled')) f
    WHERE f.place <= ${MAX_ANSWERS} ORDER BY wanted.id, f.told_at DESC, f.id`);
  return rows;
}

/** So many of the newest sales of a category say what it charges. */
const MAX_SALES_OF_CATEGORY = 200;
const CATEGORY_DAYS = 60;

/** The commissions that were taken of sales by these categories in the last 60 days, the newest of each category first. */
export async function listFeesOfCategories(
  db: Db,
  categories: readonly { readonly marketplace: Marketplace; readonly category: string }[],
  now: Instant,
): Promise<(FeeFact & { listingId: number; marketplace: Marketplace; category: string })[]> {
  const { rows } = await db.execute<
    FeeFact & { listingId: number; marketplace: Marketplace; category: string } & Record<string, unknown>
  >(sql`
    SELECT wanted.marketplace, wanted.category, f.listing_id::float8 AS "listingId", ${FACT}
    FROM unnest(${sql.param(categories.map(({ marketplace }) => marketplace))}::text[],
      ${sql.param(categories.map(({ category }) => category))}::text[]) wanted (marketplace, category)
    CROSS JOIN LATERAL (SELECT s.* FROM fee_facts s JOIN listings l ON l.id = s.listing_id AND l.marketplace = wanted.marketplace
      WHERE s.category_told = wanted.category AND s.refused_because IS NULL AND s.kind = 'commission'
        AND s.told_at > ${timestamptz(now)} - make_interval(days => ${CATEGORY_DAYS})
      ORDER BY s.told_at DESC LIMIT ${MAX_SALES_OF_CATEGORY}) f
    ORDER BY wanted.marketplace, wanted.category, f.told_at DESC, f.id`);
  return rows;
}

/** All fees reported for these listings that may be used, the oldest of each listing first. */
export async function listFeeFactsOf(
  db: Db,
  ids: readonly number[],
): Promise<(FeeFact & { listingId: number })[]> {
  const { rows } = await db.execute<FeeFact & { listingId: number } & Record<string, unknown>>(sql`
    SELECT listing_id::float8 AS "listingId", ${FACT}, ${millis('accepted_at')} AS "acceptedAt", coalesce(units, 1) AS units FROM fee_facts
    WHERE listing_id = ANY(${sql.param(ids)}::bigint[]) AND refused_because IS NULL ORDER BY listing_id, told_at, id`);
  return rows;
}

/**
 * What was reported of a listing's fees, the newest answer first. Of charges of fulfillment of a price band in a row that say the
 * same only the first and the last one: there is one for each sale.
 */
export async function listFeeFacts(
  db: Db,
  listingId: number,
  bands: readonly PriceBand[],
  limit: number,
): Promise<FeeFactRow[]> {
  const edges = bands.map(({ from }) => decimalFromCents(from));
  const { rows } = await db.execute<FeeFactRow>(sql`
    SELECT id::float8 AS id, ${FACT}, refused_because AS "refusedBecause"
    FROM (SELECT *, (kind = 'fulfillment' AND source = 'settled'
          AND lag(amount) OVER charges = amount AND lead(amount) OVER charges = amount
          AND lag(refused_because) OVER charges IS NOT DISTINCT FROM refused_because
          AND lead(refused_because) OVER charges IS NOT DISTINCT FROM refused_because
          AND (lag(accepted_at) OVER charges IS NULL) = (accepted_at IS NULL)) AS says_nothing_new
      FROM fee_facts WHERE listing_id = ${listingId}
      WINDOW charges AS (PARTITION BY kind, source, fulfillment_type,
        width_bucket(asked_price, ${sql.param(edges)}::numeric[]) ORDER BY told_at, id)) f
    WHERE NOT coalesce(says_nothing_new, false) ORDER BY told_at DESC, id LIMIT ${limit}`);
  return rows;
}

/** An answer that a user decides about, by one of its facts. */
export interface AnswerToDecide extends AnswerKey, Record<string, unknown> {
  readonly id: number;
  readonly listingId: number;
  readonly kind: FeeFactKind;
  /** Null for an answer without a usable amount. */
  readonly amount: Cents | null;
  readonly isAccepted: boolean;
  readonly refusedBecause: FeeRefusal | null;
}

/** The answers of these facts whose listings are not deleted, locked against another decision. */
export async function lockAnswers(tx: Db, factIds: readonly number[]): Promise<AnswerToDecide[]> {
  const { rows } = await tx.execute<AnswerToDecide>(sql`
    SELECT f.id::float8 AS id, f.listing_id::float8 AS "listingId", ${millis('f.told_at')} AS "toldAt", f.source,
      f.fulfillment_type AS "fulfillmentType", ${cents('f.asked_price')} AS "askedPrice",
      ${cents('f.asked_shipping')} AS "askedShipping", f.kind, ${cents('f.amount')} AS amount,
      f.accepted_at IS NOT NULL AS "isAccepted", f.refused_because AS "refusedBecause"
    FROM fee_facts f JOIN listings l ON l.id = f.listing_id
    WHERE f.id = ANY(${sql.param([...factIds])}::bigint[]) AND l.deleted_at IS NULL ORDER BY f.id FOR UPDATE OF f`);
  return rows;
}

/** An answer about a listing. */
type ListingAnswer = AnswerKey & { readonly listingId: number };

const ANSWER_TYPES = {
  listingId: 'bigint',
  source: 'text',
  fulfillmentType: 'text',
  askedPrice: 'numeric',
  askedShipping: 'numeric',
  toldAt: 'timestamptz',
} as const;
const IS_ANSWER = sql`(f.listing_id, f.told_at, f.source, f.fulfillment_type, f.asked_price, f.asked_shipping)
  = (w."listingId", w."toldAt", w.source, w."fulfillmentType", w."askedPrice", w."askedShipping")`;

function answerRow({ listingId, source, fulfillmentType, askedPrice, askedShipping, toldAt }: ListingAnswer) {
  return {
    listingId: String(listingId),
    source,
    fulfillmentType,
    askedPrice: decimalFromCents(askedPrice),
    askedShipping: decimalFromCents(askedShipping),
    toldAt: new Date(toldAt).toISOString(),
  };
}

/** An answer about a listing or, with its amount, a charge of fulfillment: those of one moment and price are apart. */
export type AnswerOrCharge = ListingAnswer & { readonly charge: Cents | null };

/** One used fact of each of these. */
export async function findAnswers(db: Db, reported: readonly AnswerOrCharge[]): Promise<number[]> {
  const rowsOf = reported.map((each) => ({
    ...answerRow(each),
    charge: each.charge === null ? null : decimalFromCents(each.charge),
  }));
  const { rows } = await db.execute<{ id: number }>(sql`
    SELECT min(f.id)::float8 AS id FROM ${rowsTable('w', { ...ANSWER_TYPES, charge: 'numeric' }, rowsOf)}
    JOIN fee_facts f ON ${IS_ANSWER} AND CASE WHEN w.charge IS NULL THEN NOT (${sql.raw(IS_CHARGE)})
      ELSE ${sql.raw(IS_CHARGE)} AND f.amount = w.charge END
    WHERE f.refused_because IS NULL
    GROUP BY f.listing_id, f.told_at, f.source, f.fulfillment_type, f.asked_price, f.asked_shipping, w.charge ORDER BY id`);
  return rows.map(({ id }) => id);
}

/** Charges of sales of one moment and price are apart, other than the parts of an answer. */
const IS_CHARGE = `f.source = 'settled' AND f.kind = 'fulfillment'`;

/** Which kinds of fees of the answer of a fact are decided about. */
export interface DecidedAnswer {
  readonly id: number;
  readonly kinds: readonly FeeFactKind[];
}

/**
 * Accepts or rejects fees of the answers of these facts: an accepted one counts at once, a rejected one never. Of charges of
 * fulfillment those of the answer with the amount of the fact.
 */
export async function decideAnswers(
  tx: Db,
  decided: readonly DecidedAnswer[],
  isAccepted: boolean,
  now: Instant,
): Promise<void> {
  const pairs = decided.flatMap(({ id, kinds }) => kinds.map((kind) => ({ id, kind })));
  await tx.execute(sql`
    UPDATE fee_facts f SET refused_because = ${isAccepted ? null : 'rejected'},
      accepted_at = ${isAccepted ? timestamptz(now) : null}
    FROM unnest(${sql.param(pairs.map(({ id }) => id))}::bigint[],
      ${sql.param(pairs.map(({ kind }) => kind))}::text[]) AS d (id, kind)
    JOIN fee_facts chosen ON chosen.id = d.id
    WHERE f.listing_id = chosen.listing_id AND f.kind = d.kind
      AND (NOT (${sql.raw(IS_CHARGE)}) OR (chosen.kind = 'fulfillment' AND f.amount = chosen.amount))
      AND f.refused_because IS NOT DISTINCT FROM chosen.refused_because
      AND (f.told_at, f.source, f.fulfillment_type, f.asked_price, f.asked_shipping)
        = (chosen.told_at, chosen.source, chosen.fulfillment_type, chosen.asked_price, chosen.asked_shipping)`);
}

/** A part of an answer about a listing. */
export type ListingFeePart = FeePart & ListingAnswer;

/** The fees of these listings that an administrator rejected, and accepted none of their kind since. */
export async function listRejectedFees(db: Db, ids: readonly number[]): Promise<ListingFeePart[]> {
  const { rows } = await db.execute<ListingFeePart & Record<string, unknown>>(sql`
    SELECT f.listing_id::float8 AS "listingId", f.kind = 'fulfillment' AS "isFulfillment", f.source,
      f.fulfillment_type AS "fulfillmentType", ${cents('f.asked_price')} AS "askedPrice",
      ${cents('f.asked_shipping')} AS "askedShipping", ${millis('f.told_at')} AS "toldAt",
      ${cents(`CASE WHEN ${IS_CHARGE} THEN min(f.amount) ELSE sum(f.amount) END`)} AS amount, ${cents('max(f.fee_base)')} AS "feeBase"
    FROM fee_facts f WHERE f.listing_id = ANY(${sql.param([...ids])}::bigint[]) AND f.refused_because = 'rejected'
      AND NOT EXISTS (SELECT FROM fee_facts a WHERE a.listing_id = f.listing_id AND a.accepted_at IS NOT NULL
        AND (a.kind = 'fulfillment') = (f.kind = 'fulfillment') AND a.told_at >= f.told_at)
    GROUP BY 1, f.kind = 'fulfillment', f.source, f.fulfillment_type, f.asked_price, f.asked_shipping, f.told_at,
      CASE WHEN ${sql.raw(IS_CHARGE)} THEN f.amount END`);
  return rows;
}

/** Rejects these parts of answers. */
export async function rejectFees(tx: Db, parts: readonly ListingFeePart[]): Promise<void> {
  if (parts.length === 0) return;
  const types = { ...ANSWER_TYPES, isFulfillment: 'boolean', amount: 'numeric' };
  const rows = parts.map((part) => ({
    ...answerRow(part),
    isFulfillment: String(part.isFulfillment),
    amount: decimalFromCents(part.amount),
  }));
  await tx.execute(sql`
    UPDATE fee_facts f SET refused_because = 'rejected' FROM ${rowsTable('w', types, rows)}
    WHERE ${IS_ANSWER} AND (f.kind = 'fulfillment') = w."isFulfillment"
      AND (NOT (${sql.raw(IS_CHARGE)}) OR f.amount = w.amount)
      AND f.refused_because IS NULL AND f.accepted_at IS NULL`);
}

/** So many sales with another commission than estimated, by more than so much of the revenue, are no accident. */
const WRONG_ESTIMATES = 3;
const SMALLEST_DIFFERENCE = 0.002;

/**
 * Asks for the fees of these listings again, first in the next sync, where the commission of three sales since they were last
 * reported was off by more than 0.2 points of the revenue.
 */
export async function requestFeesAfterWrongEstimates(tx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(sql`
    UPDATE marketplace_listings m SET fees_read_at = NULL
    WHERE m.listing_id = ANY(${sql.param([...ids])}::bigint[]) AND m.fees_read_at IS NOT NULL
      AND (SELECT count(*) FROM (SELECT FROM sales_history h CROSS JOIN LATERAL jsonb_array_elements(h.parts) AS p
        WHERE h.listing_id = m.listing_id AND h.sale_date > m.fees_read_at AND p ->> 'kind' = 'commission'
          AND abs((p ->> 'told')::numeric - (p ->> 'estimated')::numeric)
            > ${SMALLEST_DIFFERENCE} * (h.total_revenue + coalesce(h.shipping_revenue, 0))
        LIMIT ${WRONG_ESTIMATES}) wrong) = ${WRONG_ESTIMATES}`);
}

/** The accepted commissions of these listings, as amounts of the revenue that they are taken on. */
export async function listAcceptedCommissions(
  db: Db,
  ids: readonly number[],
): Promise<{ listingId: number; amount: Cents; revenue: Cents }[]> {
  const { rows } = await db.execute<{ listingId: number; amount: Cents; revenue: Cents }>(sql`
    SELECT listing_id::float8 AS "listingId", ${cents('amount')} AS amount,
      ${cents('(asked_price + asked_shipping)')} AS revenue FROM fee_facts
    WHERE listing_id = ANY(${sql.param([...ids])}::bigint[]) AND kind = 'commission' AND accepted_at IS NOT NULL`);
  return rows;
}
