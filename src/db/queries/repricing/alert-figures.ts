import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { stateCondition } from '#db/queries/catalog/listing-filter.ts';
import { type FeeDriftCost, feeDriftCosts } from '#db/queries/repricing/fee-drift.ts';
import { cents, isoTime, millis } from '#db/sql-values.ts';
import type { ModeResetReason } from '#domain/connections/mode-reset.ts';
import type { RollbackKind } from '#domain/data-rollback.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { MAX_RETURNS } from '#domain/readings/assess-reading.ts';
import type { Cents, Instant } from '#domain/units.ts';
import type { OffReason } from '#domain/webhook-receivers/webhook-events.ts';

interface CountThere {
  readonly marketplace: Marketplace;
  readonly count: number;
}

/** Alerts about credentials that expire start so many days before. */
const EXPIRY_ALERT_DAYS = 30;
/** A marketplace may be slow or busy for this long without an alert. */
const STUCK_AFTER_MINUTES = 3;

/** Syncs of competitors without any usable answer, and the least time that makes, before an alert. */
const UNREAD_SYNCS = 3;
const UNREAD_AT_LEAST_MINUTES = 60;

/** Maximum number of alerts about lowered prices, the newest. */
const MAX_LOWERED_ALERTS = 20;

/** Maximum number of alerts about fees, those of the most listings: more would hide the other alerts. */
const MAX_DRIFT_ALERTS = 5;

/** Names of findings about calls that a marketplace does not take from this account. */
export type EndedCall = 'walmart_single_prices' | 'walmart_insights';

/** Figures that alerts are made from. Times are milliseconds. */
export type WatchedFigures = {
  readonly isHalted: boolean;
  readonly haltedBy: string | null;
  readonly haltReason: string | null;
  /** Marketplaces that an upgrade reset to recommend only, unless a user changed them since. */
  readonly resetOnUpgrade: readonly Marketplace[];
  /**
   * The last rollback, while a marketplace that it reset still only recommends; a restored backup for at least a day.
   */
  readonly rollback: {
    readonly cause: RollbackKind;
    readonly knownUntil: Instant;
    readonly marketplaces: readonly Marketplace[];
  } | null;
  /** Marketplaces that only recommend since sending was turned on, or since the account may have changed. */
  readonly connected: readonly { readonly marketplace: Marketplace; readonly because: ModeResetReason }[];
  readonly belowFloor: number;
  /** Listings with a price for business buyers below their lowest allowed price, and with a price below that. */
  readonly lowBusinessPrices: number;
  readonly hiddenBusinessPrices: number;
  /** Listings for which Best Offers below their lowest allowed price are accepted without the seller. */
  readonly lowBestOffers: number;
  /** The proxy has failed to pass on the client's address within a day. */
  readonly areClientsHidden: boolean;
  /** Who lowered lowest allowed prices of live listings by more than 20% within a day, hour by hour. */
  readonly lowered: readonly {
    readonly by: string | null;
    /** Start of the hour. */
    readonly hour: Instant;
    /** Listings; one that was lowered twice counts twice. */
    readonly count: number;
    /** Percent. */
    readonly largestDrop: number;
  }[];
  /** Active rules that changed a price once and price no listing now. */
  readonly idleRules: readonly { readonly id: number; readonly name: string }[];
  /** Why the last sync of a marketplace failed, or what is wrong with one that succeeded. */
  readonly failing: readonly {
    readonly marketplace: Marketplace;
    readonly problem: string;
    readonly isRead: boolean;
    /** The key may not read money; everything else is synced. */
    readonly lacksRight: boolean;
  }[];
  /**
   * Marketplaces that are asked for competitors and answer for none of the listings that are for sale, since when, and why
   * for the last of them.
   */
  readonly unreadCompetitors: readonly {
    readonly marketplace: Marketplace;
    readonly since: Instant;
    readonly why: string;
  }[];
  /** Prices that a marketplace rejected within a day, or earlier if they are not sent again because of that. */
  readonly refused: readonly CountThere[];
  /** Listings that get no price for now, since their marketplace accepts none, and when the first of them may. */
  readonly paused: readonly (CountThere & { readonly until: Instant })[];
  /** Marketplaces that accepted nothing for minutes while prices are queued, with the error of the last attempt. */
  readonly stuck: readonly (CountThere & { readonly problem: string })[];
  /** Listings on hold whose marketplace went back to a former price of ours too often within a day. */
  readonly returned: readonly CountThere[];
  /** Prices sent more than an hour ago without a known result. */
  readonly unknown: readonly CountThere[];
  /** Credentials that expire soon, by the last test of the connection. */
  readonly ending: readonly { readonly marketplace: Marketplace; readonly endsAt: Instant }[];
  /** Receivers of webhooks that were switched off by the program, have failed for an hour, or are an hour behind. */
  readonly webhookReceivers: readonly {
    readonly id: string;
    readonly name: string;
    readonly offReason: OffReason | null;
    /** Null without a failure for an hour. */
    readonly failingSince: Instant | null;
  }[];
  /** Marketplaces that reported other fees for many listings at once, which an administrator has to decide about. */
  readonly feeBreakers: readonly CountThere[];
  /** Accounts whose offers lost something with the first price, within a week. */
  readonly lostWithPrice: readonly {
    readonly marketplace: Marketplace;
    readonly sku: string;
    /** By the marketplace's names. */
    readonly lost: readonly string[];
    readonly isRestored: boolean;
  }[];
  /** Accounts for which a preview refused business prices next to a price; until they are tried again. */
  readonly refusedBusiness: readonly {
    readonly marketplace: Marketplace;
    readonly sku: string;
    /** The marketplace's words. */
    readonly refused: string;
  }[];
  /** Findings about calls that a marketplace does not take, until they are tried again. */
  readonly endedCalls: readonly EndedCall[];
  /** Stock of a listing on Etsy that a price has restored although it was sold; within a day. */
  readonly unreturnedStock: readonly {
    readonly listing: string;
    readonly sku: string | null;
    /** Null where it is not known whether any was sold. */
    readonly sold: number | null;
  }[];
  /** Listings on Etsy whose variations lost their pictures with a price, in the last 30 days. */
  readonly unlinkedPictures: readonly { readonly listing: string }[];
  /** Pairs of reported and scheduled commission that differ, with their listings; the most listings first. */
  readonly feeDrifts: readonly FeeDriftCost[];
  /** Where another fulfillment fee is charged than was entered: how many listings, and the one of the largest difference. */
  readonly chargedFees: readonly (CountThere & {
    readonly sku: string;
    readonly entered: Cents;
    readonly charged: Cents;
  })[];
  /** Of the store; null where none is entered. */
  readonly timeZone: string | null;
  /** The scheduled backup, while it is on. Null while it is off. */
  readonly backup: {
    /** Why the last attempt failed; null after a success. */
    readonly problem: string | null;
    /** When the last one was made; null before the first. */
    readonly lastAt: Instant | null;
    /** When the schedule began. */
    readonly since: Instant;
  } | null;
  /** The database was restored or copied, and no administrator has confirmed that it replaces the original. */
  readonly isRestoreUnconfirmed: boolean;
  /** Minutes between two checks. */
  readonly checkInterval: number;
  readonly listingCount: number;
  readonly lastFullRunAt: Instant | null;
  /** When the first listing was added: before that there is nothing to check. */
  readonly firstListingAt: Instant | null;
};

/** One statement, so that the figures agree with each other. @param engineName the engine's name in `changed_by` */
export async function readWatchedFigures(db: Db, engineName: string, now: Instant): Promise<WatchedFigures> {
  const at = isoTime(now);
  const { rows } = await db.execute<{ figures: WatchedFigures }>(sql`
    SELECT json_build_object(
      'isHalted', s.halted, 'haltedBy', s.changed_by, 'haltReason', s.reason,
      'resetOnUpgrade', (SELECT coalesce(json_agg(marketplace ORDER BY marketplace), '[]') FROM marketplace_modes
        WHERE mode = 'recommend_only' AND changed_by = ${engineName}
          AND changed_at > coalesce((SELECT rollback_at FROM installation), '-infinity')),
      'rollback', (SELECT json_build_object('cause', rollback_kind, 'knownUntil', ${millis('known_until')},
          'marketplaces', coalesce(still_reset, '[]'))
        FROM installation CROSS JOIN LATERAL (SELECT json_agg(marketplace ORDER BY marketplace) AS still_reset
          FROM marketplace_modes WHERE mode = 'recommend_only' AND changed_by = ${engineName} AND changed_at <= rollback_at) e
        WHERE still_reset IS NOT NULL OR rollback_kind = 'restored_backup' AND rollback_at > ${at}::timestamptz - interval '1 day'),
      'connected', (SELECT coalesce(json_agg(json_build_object('marketplace', e.marketplace,
          'because', e.reset_reason) ORDER BY e.marketplace), '[]')
        FROM marketplace_modes e JOIN integrations i ON i.marketplace = e.marketplace AND i.price_channel = 'connected'
        WHERE e.reset_reason IS NOT NULL),
      'belowFloor', (SELECT count(*) FROM listing_keys k WHERE k.is_live AND ${stateCondition('below_floor', now)}),
      'lowBusinessPrices', (SELECT count(*) FROM listing_keys k
        WHERE k.is_live AND ${stateCondition('business_price_low', now)}),
      'hiddenBusinessPrices', (SELECT count(*) FROM listing_keys k
        WHERE k.is_live AND ${stateCondition('business_price_hidden', now)}),
      'lowBestOffers', (SELECT count(*) FROM listing_keys k
        WHERE k.is_live AND ${stateCondition('best_offer_low', now)}),
      'areClientsHidden', coalesce(a.clients_hidden_at > ${at}::timestamptz - interval '1 day', false),
      'lowered', (SELECT coalesce(json_agg(json_build_object('by', actor, 'hour', ${millis('hour')}, 'count', count,
          'largestDrop', drop) ORDER BY hour, actor), '[]')
        FROM (SELECT actor, date_trunc('hour', at) AS hour, sum((after->>'listings')::int) AS count,
            max(rtrim(after->>'largestDrop', '%')::numeric) AS drop
          FROM audit_log WHERE action = 'floors.lowered' AND at > ${at}::timestamptz - interval '1 day'
          GROUP BY actor, date_trunc('hour', at) ORDER BY hour DESC, actor LIMIT ${MAX_LOWERED_ALERTS}) f),
      'idleRules', (SELECT coalesce(json_agg(json_build_object('id', r.id, 'name', r.name) ORDER BY r.id), '[]')
        FROM repricing_rules r WHERE r.deleted_at IS NULL AND r.is_active
          AND NOT EXISTS (SELECT FROM listing_metrics m JOIN listings l ON l.id = m.listing_id
            WHERE m.rule_id = r.id AND l.deleted_at IS NULL)
          AND EXISTS (SELECT FROM price_history h WHERE h.rule_id = r.id)),
      'failing', (SELECT coalesce(json_agg(json_build_object('marketplace', marketplace, 'problem', problem,
          'isRead', is_read OR lacks_right, 'lacksRight', lacks_right) ORDER BY marketplace, lacks_right), '[]')
        FROM (SELECT DISTINCT ON (marketplace, r.lacks_right) marketplace, problem,
            coalesce(counts ? 'missing', false) AS is_read, r.lacks_right
          FROM marketplace_syncs CROSS JOIN LATERAL (SELECT coalesce(counts ? 'withoutRight', false) AS lacks_right) r
          WHERE problem IS NOT NULL ORDER BY marketplace, r.lacks_right, started_at DESC) f),
      'unreadCompetitors', (SELECT coalesce(json_agg(u ORDER BY u.marketplace), '[]')
        FROM (SELECT l.marketplace, ${millis('max(r.read_at)')} AS since,
            (array_agg(r.unread_reason ORDER BY r.unread_at DESC NULLS LAST, r.listing_id))[1] AS why
          FROM competition_readings r JOIN listings l ON l.id = r.listing_id AND l.deleted_at IS NULL
          JOIN marketplace_listings m ON m.listing_id = l.id AND m.is_active
          JOIN integrations i ON i.marketplace = l.marketplace AND i.price_channel IN ('connected', 'read_only')
          CROSS JOIN LATERAL (SELECT ${at}::timestamptz
            - make_interval(mins => greatest(${UNREAD_AT_LEAST_MINUTES}, ${UNREAD_SYNCS} * a.check_interval)) AS late) t
          GROUP BY l.marketplace, t.late HAVING max(r.read_at) < t.late AND max(r.unread_at) >= t.late) u),
      'refused', ${countThere(sql`state = 'rejected' AND settled_at > ${at}::timestamptz - interval '1 day'
        OR is_refusal_active AND EXISTS (SELECT FROM listings l
          WHERE l.id = listing_id AND l.deleted_at IS NULL AND l.current_price = from_price)`)},
      'paused', (SELECT coalesce(json_agg(json_build_object('marketplace', marketplace, 'count', count, 'until', until)
          ORDER BY marketplace), '[]')
        FROM (SELECT marketplace, count(*) AS count, ${millis('min(coalesce(resume_at, until))')} AS until FROM send_pauses
          WHERE ended_at IS NULL AND coalesce(resume_at, until) > ${at}::timestamptz
            -- Of which one alert says why.
            AND NOT (marketplace = 'walmart' AND why = 'not_told' AND EXISTS (SELECT FROM account_findings f
              JOIN integrations i ON i.marketplace = f.marketplace AND i.generation = f.generation
              WHERE f.name = 'walmart_insights' AND f.expires_at > ${at}::timestamptz))
          GROUP BY marketplace) p),
      'stuck', ${stuckThere(at)},
      'returned', (SELECT coalesce(json_agg(json_build_object('marketplace', marketplace, 'count', count)
          ORDER BY marketplace), '[]')
        FROM (SELECT l.marketplace, count(*) AS count
          FROM (SELECT listing_id FROM price_returns WHERE at > ${at}::timestamptz - interval '1 day'
            GROUP BY listing_id HAVING count(*) > ${MAX_RETURNS}) r
          JOIN listings l ON l.id = r.listing_id AND l.held_by = ${engineName} AND l.deleted_at IS NULL
          GROUP BY l.marketplace) returned),
      'unknown', ${countThere(sql`state = 'unknown' AND sent_at < ${at}::timestamptz - interval '1 hour'`)},
      'ending', (SELECT coalesce(json_agg(json_build_object('marketplace', c.marketplace, 'endsAt', ${millis('c.ends_at')})
          ORDER BY c.marketplace), '[]')
        FROM connection_checks c JOIN integrations i ON i.marketplace = c.marketplace AND i.price_channel IN ('connected', 'read_only')
        WHERE c.ends_at < ${at}::timestamptz + make_interval(days => ${EXPIRY_ALERT_DAYS})),
      'webhookReceivers', (SELECT coalesce(json_agg(json_build_object('id', r.id, 'name', r.name, 'offReason', r.off_reason,
          'failingSince', CASE WHEN r.failing_since < h.ago THEN ${millis('r.failing_since')} END) ORDER BY lower(r.name)), '[]')
        FROM webhook_receivers r CROSS JOIN (SELECT ${at}::timestamptz - interval '1 hour' AS ago) h
        WHERE r.off_reason IS NOT NULL OR r.is_on AND (r.failing_since < h.ago
          -- What a user asks for is due before it happened, to be the first.
          OR EXISTS (SELECT FROM webhook_deliveries d WHERE d.receiver_id = r.id AND d.state = 'waiting'
            AND d.next_at < h.ago AND d.next_at >= d.happened_at))),
      'feeBreakers', (SELECT coalesce(json_agg(json_build_object('marketplace', b.marketplace,
          'count', (SELECT count(DISTINCT j.listing_id) FROM fee_jumps j JOIN listings l ON l.id = j.listing_id
            WHERE l.marketplace = b.marketplace AND l.deleted_at IS NULL AND j.told_at >= b.since))
          ORDER BY b.marketplace), '[]') FROM fee_breakers b WHERE b.decided_at IS NULL),
      'lostWithPrice', (SELECT coalesce(json_agg(json_build_object('marketplace', f.marketplace, 'sku', f.value ->> 'sku',
          'lost', f.value -> 'lost', 'isRestored', f.value -> 'isRestored') ORDER BY f.marketplace), '[]')
        FROM account_findings f JOIN integrations i ON i.marketplace = f.marketplace AND i.generation = f.generation
        WHERE f.found_at > ${at}::timestamptz - interval '7 days' AND jsonb_path_exists(f.value, '$.lost[0]')),
      'refusedBusiness', (SELECT coalesce(json_agg(json_build_object('marketplace', f.marketplace, 'sku', f.value ->> 'sku',
          'refused', f.value ->> 'refused') ORDER BY f.marketplace), '[]')
        FROM account_findings f JOIN integrations i ON i.marketplace = f.marketplace AND i.generation = f.generation
        WHERE f.expires_at > ${at}::timestamptz AND f.value ->> 'refused' IS NOT NULL),
      'endedCalls', (SELECT coalesce(json_agg(f.name ORDER BY f.name), '[]') FROM account_findings f
        JOIN integrations i ON i.marketplace = f.marketplace AND i.generation = f.generation
        WHERE f.name IN ('walmart_single_prices', 'walmart_insights') AND f.expires_at > ${at}::timestamptz),
      'unreturnedStock', (SELECT coalesce(json_agg(f.value), '[]') FROM account_findings f
        JOIN integrations i ON i.marketplace = f.marketplace AND i.generation = f.generation
        WHERE f.name = 'etsy_stock' AND f.expires_at > ${at}::timestamptz),
      'unlinkedPictures', (SELECT coalesce(json_agg(json_build_object('listing', f.value ->> 'unlinked')), '[]')
        FROM account_findings f JOIN integrations i ON i.marketplace = f.marketplace AND i.generation = f.generation
        WHERE f.name = 'etsy_pictures' AND f.expires_at > ${at}::timestamptz AND f.value ->> 'unlinked' IS NOT NULL),
      'feeDrifts', (SELECT coalesce(json_agg(d), '[]') FROM (${feeDriftCosts(MAX_DRIFT_ALERTS, sql`${at}::timestamptz`)}) d),
      'chargedFees', (SELECT coalesce(json_agg(c ORDER BY c.marketplace), '[]') FROM (
        SELECT DISTINCT ON (l.marketplace) l.marketplace, count(*) OVER (PARTITION BY l.marketplace)::int AS count, l.sku,
          ${cents('l.fulfillment_cost')} AS entered, ${cents('m.charged_fee')} AS charged
        FROM listing_metrics m JOIN listings l ON l.id = m.listing_id
        WHERE m.charged_fee IS NOT NULL AND l.deleted_at IS NULL AND l.fulfillment_cost IS NOT NULL
        ORDER BY l.marketplace, abs(m.charged_fee - l.fulfillment_cost) DESC, l.sku) c),
      'backup', (SELECT json_build_object('problem', problem, 'lastAt', ${millis('last_taken_at')},
          'since', ${millis('since')}) FROM backup_settings WHERE is_on),
      'isRestoreUnconfirmed', s.unconfirmed_restore_at IS NOT NULL,
      'checkInterval', a.check_interval,
      'timeZone', a.time_zone, 'listingCount', (SELECT count(*) FROM listing_keys WHERE is_live),
      'lastFullRunAt', (SELECT ${millis('max(ended_at)')} FROM repricing_runs
        WHERE trigger IN ('full_check', 'manual') AND state = 'done' AND ended_at <= ${at}::timestamptz),
      'firstListingAt', (SELECT ${millis('min(created_at)')} FROM listings WHERE deleted_at IS NULL)) AS figures
    FROM repricing_state s CROSS JOIN app_settings a`);
  const [row] = rows;
  if (row === undefined) throw new Error('The engine switch is missing; the migrations write it.');
  return row.figures;
}

function countThere(condition: SQL): SQL {
  return sql`(SELECT coalesce(json_agg(json_build_object('marketplace', marketplace, 'count', count)
      ORDER BY marketplace), '[]')
    FROM (SELECT marketplace, count(*) AS count FROM price_intents WHERE ${condition} GROUP BY marketplace) counted)`;
}

/**
 * A price whose attempt failed keeps the marketplace's message while it is queued. One that expired is decided and
 * queued again: the marketplace is still stuck.
 */
function stuckThere(at: string): SQL {
  const within = (minutes: number): SQL => sql`${at}::timestamptz - make_interval(mins => ${minutes})`;
  return sql`(SELECT coalesce(json_agg(json_build_object('marketplace', marketplace, 'count', count, 'problem', problem)
      ORDER BY marketplace), '[]')
    FROM (SELECT i.marketplace, count(*) AS count, min(i.created_at) FILTER (WHERE i.marketplace_message IS NOT NULL) AS oldest,
        (array_agg(i.marketplace_message ORDER BY i.id DESC) FILTER (WHERE i.marketplace_message IS NOT NULL))[1] AS problem
      FROM price_intents i WHERE i.state IN ('queued', 'sent')
        AND (i.paused_until IS NULL OR i.paused_until <= ${at}::timestamptz) GROUP BY i.marketplace) w
    WHERE problem IS NOT NULL
      AND (oldest < ${within(STUCK_AFTER_MINUTES)} OR EXISTS (SELECT FROM price_intents e WHERE e.marketplace = w.marketplace
        AND e.state = 'expired' AND e.marketplace_message IS NOT NULL AND e.settled_at > ${within(STUCK_AFTER_MINUTES)}))
      AND NOT EXISTS (SELECT FROM price_intents t WHERE t.marketplace = w.marketplace
        AND t.state IN ('accepted', 'confirmed', 'rejected') AND t.sent_at > ${within(STUCK_AFTER_MINUTES)}))`;
}

/** Figures of one day. */
export type DayFigures = {
  /** Prices that we changed: without imports and external edits. */
  readonly changed: number;
  /** Current number of recommended prices. */
  readonly waiting: number;
  readonly unitsSold: number;
  /** A decimal string. */
  readonly revenue: string;
};

export async function readDayFigures(db: Db, from: Instant, to: Instant): Promise<DayFigures> {
  const within = (column: SQL): SQL => sql`${column} > ${isoTime(from)} AND ${column} <= ${isoTime(to)}`;
  const { rows } = await db.execute<DayFigures>(sql`
    SELECT (SELECT count(*)::int FROM price_history WHERE source NOT IN ('import', 'observed') AND ${within(sql`timestamp`)})
        AS changed,
      (SELECT count(*)::int FROM listings WHERE recommended_price IS NOT NULL AND deleted_at IS NULL) AS waiting,
      coalesce(sum(quantity_sold), 0)::int AS "unitsSold", coalesce(sum(total_revenue), 0)::numeric(20, 2)::text AS revenue
    FROM sales_history WHERE ${within(sql`sale_date`)}`);
  const [row] = rows;
  if (row === undefined) throw new Error('An aggregate answered no row.');
  return row;
}
