import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { shareClosedDay } from './closed-books.ts';

const START = sql`(d.day::timestamp AT TIME ZONE 'UTC')`;
const END = sql`((d.day + 1)::timestamp AT TIME ZONE 'UTC')`;
const IS_REFUND = sql`(e.kind LIKE 'refund%' OR e.kind = 'reimbursement')`;
/** Money that was only moved is no profit, and without its sale's cost no part of an order is. */
const COUNTS_ALONE = sql`(e.superseded_by IS NULL AND e.kind <> 'transfer' AND e.order_ref IS NULL AND e.line_ref IS NULL)`;
/** A booked amount `e` as fees, advertising, refunds and profit. */
const BOOKED = sql`CASE WHEN e.kind <> 'ad' AND NOT ${IS_REFUND} THEN -e.amount END AS fees,
  CASE WHEN e.kind = 'ad' THEN -e.amount END AS ads, CASE WHEN ${IS_REFUND} THEN -e.amount END AS refunds, e.amount AS profit`;

/** What set the price of the sale `h`; one that was never attributed is older than the ledger for now. */
const SET_BY = sql`coalesce(h.price_source, 'earlier') AS price_source, h.rule_id, h.run_id`;

const COLUMNS = sql`listing_id, day, marketplace, price_source, rule_id, run_id, sales, sales_known, sales_told, units, revenue,
  revenue_known, cost, shipping, fees, ads, refunds, profit`;
/** Figures: counts of sales are no figures, they say from how many sales the profit is. */
const FIGURES = [
  sql`units`,
  sql`revenue`,
  sql`revenue_known`,
  sql`cost`,
  sql`shipping`,
  sql`fees`,
  sql`ads`,
  sql`refunds`,
  sql`profit`,
];

type DueDay = { readonly listingId: string | null; readonly day: string; readonly marketplace: string };

/** Due days, and how their kept sums `p` and their sums as of now are read. */
interface DueSums {
  /** The days as `d`. */
  readonly due: SQL;
  /** Whether `p` is of the listing, or of the marketplace, of `d`. */
  readonly isSame: SQL;
  /** Selects {@link COLUMNS}. */
  readonly fresh: SQL;
}

/**
 * Makes the sums of some due days again. The days are locked first: a sale that changes now waits, and marks its
 * day as due again. The sums of a closed day stay: what changed is a correction on the first open day.
 * @returns whether any were due
 */
export async function rebuildProfitDays(tx: Db, limit: number): Promise<boolean> {
  const { rows } = await tx.execute<DueDay>(sql`
    SELECT listing_id AS "listingId", day::text AS day, marketplace FROM profit_due
    ORDER BY profit_due.day DESC, profit_due.listing_id DESC LIMIT ${limit} FOR UPDATE SKIP LOCKED`);
  if (rows.length === 0) return false;
  const closedUntil = await shareClosedDay(tx);
  const isClosed = ({ day }: DueDay): boolean => closedUntil !== null && day <= closedUntil;
  for (const [sumsOf, isListed] of [
    [listedSums, true],
    [unlistedSums, false],
  ] as const) {
    const days = rows.filter(({ listingId }) => (listingId !== null) === isListed);
    const open = days.filter((each) => !isClosed(each));
    const closed = days.filter(isClosed);
    if (open.length > 0) await replaceDays(tx, sumsOf(open));
    if (closed.length > 0 && closedUntil !== null) await correctDays(tx, sumsOf(closed), closedUntil);
  }
  return true;
}

async function replaceDays(tx: Db, { due, isSame, fresh }: DueSums): Promise<void> {
  await tx.execute(
    sql`DELETE FROM profit_days p USING ${due} WHERE ${isSame} AND p.day = d.day AND p.corrects IS NULL`,
  );
  await tx.execute(sql`INSERT INTO profit_days (${COLUMNS}) ${fresh}`);
  await tx.execute(sql`DELETE FROM profit_due p USING ${due} WHERE ${isSame} AND p.day = d.day`);
}

/**
 * Books on the first open day what closed days lack or have too much, beyond corrections of days closed since. Of sales it
 * counts those that were added, as estimated: a sale that was told, got its cost or was canceled since is none of the open
 * days, whose own ones would look told, or known, that are not.
 */
async function correctDays(tx: Db, { due, isSame, fresh }: DueSums, closedUntil: string): Promise<void> {
  const firstOpen = sql`(${closedUntil}::date + 1)`;
  const list = (each: (name: SQL) => SQL): SQL => sql.join(FIGURES.map(each), sql`, `);
  const setBy = sql`c.price_source, c.rule_id, c.run_id`;
  await tx.execute(
    sql`DELETE FROM profit_days p USING ${due} WHERE ${isSame} AND p.corrects = d.day AND p.day = ${firstOpen}`,
  );
  // Sales whose price is said to be set by another rule now were not added: the day has no more of them.
  await tx.execute(sql`
    INSERT INTO profit_days (${COLUMNS}, corrects)
    SELECT c.listing_id, ${firstOpen}, c.marketplace, ${setBy}, c.added, least(c.added, c.known), 0,
      ${list((name) => sql`c.${name}`)}, c.day
    FROM (SELECT c.listing_id, c.marketplace, c.day, ${setBy},
        greatest(0, least(sum(c.sales), sum(sum(c.sales)) OVER (PARTITION BY c.listing_id, c.marketplace, c.day))) AS added,
        greatest(0, sum(c.sales_known)) AS known, ${list((name) => sql`sum(c.${name}) AS ${name}`)}
      FROM (${fresh}
        UNION ALL
        SELECT p.listing_id, d.day, p.marketplace, p.price_source, p.rule_id, p.run_id, -p.sales, -p.sales_known, -p.sales_told,
          ${list((name) => sql`-p.${name}`)}
        FROM ${due} JOIN profit_days p ON ${isSame} AND (p.day = d.day AND p.corrects IS NULL OR p.corrects = d.day)) c (${COLUMNS})
      GROUP BY c.listing_id, c.marketplace, c.day, ${setBy}) c
    WHERE ${sql.join(
      [sql`added`, ...FIGURES].map((name) => sql`coalesce(c.${name}, 0) <> 0`),
      sql` OR `,
    )}`);
  await tx.execute(sql`DELETE FROM profit_due p USING ${due} WHERE ${isSame} AND p.day = d.day`);
}

/** Days of listings. */
function listedSums(days: readonly DueDay[]): DueSums {
  const due = sql`unnest(${sql.param(days.map(({ listingId }) => listingId))}::bigint[],
    ${sql.param(days.map(({ day }) => day))}::date[],
    ${sql.param(days.map(({ marketplace }) => marketplace))}::text[]) AS d (listing_id, day, marketplace)`;
  return {
    due,
    isSame: sql`p.listing_id = d.listing_id`,
    fresh: sql`
    SELECT d.listing_id, d.day, d.marketplace, e.price_source, e.rule_id, e.run_id, count(e.sale_id), count(e.known), count(e.told),
      coalesce(sum(e.units), 0), coalesce(sum(e.revenue), 0), coalesce(sum(e.revenue) FILTER (WHERE e.known IS NOT NULL), 0),
      sum(e.cost), sum(e.shipping), sum(e.fees), sum(e.ads), sum(e.refunds), sum(e.profit)
    FROM ${due}
    CROSS JOIN LATERAL (
      SELECT ${SET_BY}, h.id AS sale_id, h.total_margin AS known,
        CASE WHEN NOT h.is_about THEN h.total_margin END AS told, h.quantity_sold AS units,
        h.total_revenue + coalesce(h.shipping_revenue, 0) + coalesce(h.adjustment, 0) AS revenue,
        h.unit_cost * h.quantity_sold AS cost, h.shipping_cost AS shipping, h.marketplace_fees AS fees, h.ads,
        NULL::numeric AS refunds, h.total_margin + coalesce(h.refunds, 0) AS profit
      FROM sales_history h
      WHERE h.listing_id = d.listing_id AND h.sale_date >= ${START} AND h.sale_date < ${END}
      -- What was booked on the day: returns of sales of any day, and amounts without a sale.
      UNION ALL
      SELECT ${SET_BY}, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, f.amount,
        CASE WHEN h.total_margin IS NOT NULL THEN -f.amount END
      FROM sale_refunds f JOIN sales_history h ON h.id = f.sale_id WHERE f.listing_id = d.listing_id AND f.day = d.day
      UNION ALL
      SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        ${BOOKED}
      FROM money_events e
      WHERE e.listing_id = d.listing_id AND e.posted_at >= ${START} AND e.posted_at < ${END}
        AND ${COUNTS_ALONE}) e
    GROUP BY d.listing_id, d.day, d.marketplace, e.price_source, e.rule_id, e.run_id`,
  };
}

/** Days of a marketplace: what was booked for none of its listings. */
function unlistedSums(days: readonly DueDay[]): DueSums {
  const due = sql`unnest(${sql.param(days.map(({ marketplace }) => marketplace))}::text[],
    ${sql.param(days.map(({ day }) => day))}::date[]) AS d (marketplace, day)`;
  return {
    due,
    isSame: sql`p.listing_id IS NULL AND p.marketplace = d.marketplace`,
    fresh: sql`
    SELECT NULL::bigint, d.day, d.marketplace, NULL::text, NULL::bigint, NULL::bigint, 0, 0, 0, 0, 0, 0, NULL::numeric, NULL::numeric,
      sum(b.fees), sum(b.ads), sum(b.refunds), sum(b.profit)
    FROM ${due}
    CROSS JOIN LATERAL (SELECT ${BOOKED} FROM money_events e
      WHERE e.marketplace = d.marketplace AND e.matched_by = 'marketplace' AND e.posted_at >= ${START} AND e.posted_at < ${END}
        AND ${COUNTS_ALONE}) b
    GROUP BY d.day, d.marketplace`,
  };
}
