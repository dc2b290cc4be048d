import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { shareClosedDay } from './closed-books.ts';
import { WANTED_ZONE } from './shop-days.ts';

/** Days of one statement when all are made again: it is to end long before its time limit. */
const DAYS_AT_ONCE = 7;
const DAY = 86_400_000;

/** What a booked amount `e` without a sale is of its day, if anything: see `count_lone_money`. */
const COUNTS_ALONE = sql`(e.superseded_by IS NULL AND e.counts_alone)`;
/** What the buyer of an order without a sale paid counts with what was paid back of it. */
const IS_REFUND = sql`(e.kind LIKE 'refund%' OR e.kind IN ('reimbursement', 'principal', 'shipping', 'discount', 'funded', 'tax'))`;
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

type DueDay = {
  readonly listingId: string | null;
  readonly day: string;
  readonly marketplace: string;
  /** Found before the time zone of the days changed: it may be another day now. */
  readonly isStale: boolean;
};

/** Due days, and how their kept sums `p` and their sums as of now are read. */
interface DueSums {
  /** The days as `d`, with their first moment and that of the next day. */
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
  // Not while the days themselves change, which takes long.
  const zones = await tx.execute(sql`SELECT FROM day_zones FOR SHARE SKIP LOCKED`);
  if (zones.rowCount === 0) return false;
  const { rows } = await tx.execute<DueDay>(sql`
    SELECT listing_id AS "listingId", day::text AS day, marketplace,
      zones_number < (SELECT max(number) FROM day_zones) AS "isStale" FROM profit_due
    ORDER BY profit_due.day DESC, profit_due.listing_id DESC LIMIT ${limit} FOR UPDATE SKIP LOCKED`);
  if (rows.length === 0) return false;
  const stale = rows.filter(({ isStale }) => isStale);
  if (stale.length > 0) {
    await spreadDays(tx, stale);
    return true;
  }
  const closedUntil = await shareClosedDay(tx);
  const isClosed = ({ day }: DueDay): boolean => closedUntil !== null && day <= closedUntil;
  for (const [sumsOf, isListed] of [
    [listedSums, true],
    [unlistedSums, false],
  ] as const) {
    const days = rows.filter(({ listingId }) => (listingId !== null) === isListed);
    const open = days.filter((each) => !isClosed(each));
    const closed = days.filter(isClosed);
    if (open.length > 0) await replaceDays(tx, sumsOf(dueDays(open)));
    if (closed.length > 0 && closedUntil !== null) {
      await correctDays(tx, sumsOf(dueDays(closed)), closedUntil);
    }
  }
  return true;
}

/** Marks the days around those that were found in another time zone: two zones are up to 26 hours apart. */
async function spreadDays(tx: Db, days: readonly DueDay[]): Promise<void> {
  const stale = sql`unnest(${sql.param(days.map(({ listingId }) => listingId))}::bigint[],
    ${sql.param(days.map(({ day }) => day))}::date[],
    ${sql.param(days.map(({ marketplace }) => marketplace))}::text[]) AS d (listing_id, day, marketplace)`;
  await tx.execute(sql`DELETE FROM profit_due p USING ${stale}
    WHERE p.listing_id IS NOT DISTINCT FROM d.listing_id AND p.day = d.day AND p.marketplace = d.marketplace`);
  await tx.execute(sql`
    INSERT INTO profit_due (listing_id, day, marketplace, zones_number)
    SELECT DISTINCT d.listing_id, d.day + around, d.marketplace, (SELECT max(number) FROM day_zones)
    FROM ${stale} CROSS JOIN generate_series(-2, 2) around ORDER BY 1, 2
    ON CONFLICT (listing_id, day, marketplace)
      DO UPDATE SET zones_number = least(profit_due.zones_number, excluded.zones_number)`);
}

/**
 * Gives the days after the closed ones the time zone of the settings, and makes their sums again. All of it is seen at once:
 * until then days and sums are those of the former zone. What changes until then is due for the days around it.
 * @returns whether they had another zone
 */
export async function changeDayZone(tx: Db): Promise<boolean> {
  const wanted = async () => (await tx.execute<{ zone: string; firstDay: string }>(WANTED_ZONE)).rows[0];
  if ((await wanted()) === undefined) return false;
  await tx.execute(sql`SELECT FROM day_zones FOR UPDATE`);
  const change = await wanted();
  if (change === undefined) return false;
  const first = sql`${change.firstDay}::date`;
  await tx.execute(sql`
    INSERT INTO day_zones (from_day, from_at, zone, number)
    SELECT ${first}, shop_day_start(${first}), ${change.zone}, max(number) + 1 FROM day_zones
    ON CONFLICT (from_day) DO UPDATE SET zone = excluded.zone, number = excluded.number`);
  await tx.execute(sql`DELETE FROM day_zones WHERE from_day > ${first}`);
  const { rows } = await tx.execute<{ from: string | null; to: string | null }>(sql`
    SELECT greatest(min(day), ${first})::text AS "from", max(day)::text AS "to" FROM (
      SELECT day FROM profit_totals
      UNION ALL SELECT unnest(ARRAY[shop_day(min(sale_date)), shop_day(max(sale_date))]) FROM sales_history
      UNION ALL SELECT unnest(ARRAY[shop_day(min(at)), shop_day(max(at))]) FROM sale_refunds
      UNION ALL SELECT unnest(ARRAY[shop_day(min(posted_at)), shop_day(max(posted_at))]) FROM money_events
        WHERE superseded_by IS NULL) days`);
  const { from = null, to = null } = rows[0] ?? {};
  for (let day = from; day !== null && to !== null && day <= to; day = dayAfter(day, DAYS_AT_ONCE)) {
    await remakeDays(tx, day, dayAfter(day, DAYS_AT_ONCE - 1));
  }
  return true;
}

/** Makes all sums of some days again. */
async function remakeDays(tx: Db, from: string, to: string): Promise<void> {
  const days = sql`(SELECT n::date AS day, shop_day_start(n::date) AS since, shop_day_start(n::date + 1) AS until
    FROM generate_series(${from}::timestamp, ${to}::timestamp, interval '1 day') n OFFSET 0)`;
  const listed = sql`(SELECT k.listing_id, k.day, l.marketplace, k.since, k.until FROM (
      SELECT h.listing_id, s.day, s.since, s.until FROM ${days} s
        JOIN sales_history h ON h.sale_date >= s.since AND h.sale_date < s.until
      UNION SELECT f.listing_id, s.day, s.since, s.until FROM ${days} s
        JOIN sale_refunds f ON f.at >= s.since AND f.at < s.until
      UNION SELECT e.listing_id, s.day, s.since, s.until FROM ${days} s
        JOIN money_events e ON e.listing_id IS NOT NULL AND ${COUNTS_ALONE} AND e.posted_at >= s.since AND e.posted_at < s.until) k
    JOIN listings l ON l.id = k.listing_id OFFSET 0) d`;
  const unlisted = sql`(SELECT m.marketplace, s.day, s.since, s.until
    FROM ${days} s CROSS JOIN unnest(${sql.param(MARKETPLACES)}::text[]) AS m (marketplace)) d`;
  await tx.execute(
    sql`DELETE FROM profit_days WHERE day BETWEEN ${from}::date AND ${to}::date AND corrects IS NULL`,
  );
  await tx.execute(sql`INSERT INTO profit_days (${COLUMNS}) ${listedSums(listed).fresh}`);
  await tx.execute(sql`INSERT INTO profit_days (${COLUMNS}) ${unlistedSums(unlisted).fresh}`);
}

function dayAfter(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY).toISOString().slice(0, 10);
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
 * counts those that were added, as estimated: a sale that was reported, got its cost or was canceled since is none of the open
 * days, whose own ones would look reported, or known, that are not.
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

/** Due days as `d`. */
function dueDays(days: readonly DueDay[]): SQL {
  return sql`(SELECT n.*, shop_day_start(n.day) AS since, shop_day_start(n.day + 1) AS until
    FROM unnest(${sql.param(days.map(({ listingId }) => listingId))}::bigint[],
      ${sql.param(days.map(({ day }) => day))}::date[],
      ${sql.param(days.map(({ marketplace }) => marketplace))}::text[]) AS n (listing_id, day, marketplace) OFFSET 0) d`;
}

/** Days of listings. */
function listedSums(due: SQL): DueSums {
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
      WHERE h.listing_id = d.listing_id AND h.sale_date >= d.since AND h.sale_date < d.until
      -- What was booked on the day: returns of sales of any day, and amounts without a sale.
      UNION ALL
      SELECT ${SET_BY}, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, f.amount,
        CASE WHEN h.total_margin IS NOT NULL THEN -f.amount END
      FROM sale_refunds f JOIN sales_history h ON h.id = f.sale_id WHERE f.listing_id = d.listing_id AND f.at >= d.since AND f.at < d.until
      UNION ALL
      SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        ${BOOKED}
      FROM money_events e
      WHERE e.listing_id = d.listing_id AND e.posted_at >= d.since AND e.posted_at < d.until
        AND ${COUNTS_ALONE}) e
    GROUP BY d.listing_id, d.day, d.marketplace, e.price_source, e.rule_id, e.run_id`,
  };
}

/** Days of a marketplace: what was booked for none of its listings. */
function unlistedSums(due: SQL): DueSums {
  return {
    due,
    isSame: sql`p.listing_id IS NULL AND p.marketplace = d.marketplace`,
    fresh: sql`
    SELECT NULL::bigint, d.day, d.marketplace, NULL::text, NULL::bigint, NULL::bigint, 0, 0, 0, 0, 0, 0, NULL::numeric, NULL::numeric,
      sum(b.fees), sum(b.ads), sum(b.refunds), sum(b.profit)
    FROM ${due}
    CROSS JOIN LATERAL (SELECT ${BOOKED} FROM money_events e
      WHERE e.marketplace = d.marketplace AND e.matched_by = 'marketplace' AND e.posted_at >= d.since AND e.posted_at < d.until
        AND ${COUNTS_ALONE}) b
    GROUP BY d.day, d.marketplace`,
  };
}
