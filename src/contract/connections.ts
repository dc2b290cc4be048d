import { z } from 'zod';
import { CONSENTED } from '#domain/connections/credentials.ts';
import { FIGURES } from '#domain/connections/marketplace-capabilities.ts';
import { PRICE_CHANNELS } from '#domain/connections/price-channel.ts';
import { SYNC_KINDS } from '#domain/connections/sync-kinds.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { READING_SOURCES } from '#domain/readings/assess-reading.ts';
import { PASSED_OVER_REASONS } from '#domain/readings/passed-over.ts';
import { READING_CHECK_OUTCOMES } from '#domain/readings/reading-check.ts';
import { EXTERNAL_EDIT_POLICIES } from '#domain/readings/repair-or-hold.ts';
import { BUSINESS_PRICE_POLICIES } from '#domain/sending/business-plan.ts';
import { SEND_PAUSE_REASONS } from '#domain/sending/send-pause.ts';
import { Moment } from './fields.ts';
import { OfferAge } from './repricing-limits.ts';

/** Result of a connection test: POST /api/connections/{marketplace}/check (admin). */
export const ConnectionCheck = z.object({
  success: z.boolean(),
  /** What is wrong, in one sentence; null after a success. */
  error: z.string().nullable(),
  /** The name of the store on the marketplace; null where it is not available. */
  shopName: z.string().nullable(),
  /** Notes that are not errors, one sentence each. */
  notes: z.array(z.string()),
  /** When the credentials expire and new ones must be entered; null when they do not expire or this is unknown. */
  endsAt: Moment.nullable(),
  checkedAt: Moment,
  milliseconds: z.int(),
});
export type ConnectionCheck = z.output<typeof ConnectionCheck>;

/** The marketplace in the path of these calls. */
export const ConnectionParams = z.strictObject({ marketplace: z.enum(MARKETPLACES) });

/** The marketplace in the path of an authorization call. */
export const ConsentParams = z.strictObject({ marketplace: z.enum(CONSENTED) });

/**
 * POST /api/connections/{marketplace}/consent (admin): the marketplace's authorization page for the browser to
 * open.
 */
export const ConsentPage = z.object({ address: z.url({ protocol: /^https?$/ }) });
export type ConsentPage = z.output<typeof ConsentPage>;

/** Longer than any address that an authorization page redirects to. */
const LONGEST_ADDRESS = 4_000;

/** POST /api/connections/{marketplace}/consent/answer (admin): the full address of the redirect. */
export const ConsentAnswer = z.strictObject({
  address: z.string().max(LONGEST_ADDRESS, 'Expected the address of a page'),
});

/** The outcome of the authorization. */
export const ConsentTaken = z.object({
  /** When the authorization expires and must be given again; null when it does not or this is unknown. */
  endsAt: Moment.nullable(),
});
export type ConsentTaken = z.output<typeof ConsentTaken>;

/** POST /api/connections/{marketplace}/sync (admin): when the full sync was requested. */
export const SyncRequested = z.object({ requestedAt: Moment });
export type SyncRequested = z.output<typeof SyncRequested>;

/** The last sync of one kind. */
const LastSync = z.object({
  kind: z.enum(SYNC_KINDS),
  startedAt: Moment,
  /** Null while it is running, and if it was interrupted. */
  endedAt: Moment.nullable(),
  isRunning: z.boolean(),
  /** When the last successful one started; null before the first. */
  succeededAt: Moment.nullable(),
  /** Counts of the last finished one by name, such as `read` and `added`; empty after a failure. */
  counts: z.record(z.string(), z.int()),
  /** The error, for administrators; `failed` is visible to every user. */
  problem: z.string().nullable(),
  failed: z.boolean(),
  /** What it could not read besides single rows, and what the marketplace's total means; for administrators. */
  notes: z.array(z.string()),
});
export type LastSync = z.output<typeof LastSync>;

/** A row that the last sync of a kind did not take, or not with its price. */
const PassedOverRow = z.object({
  kind: z.enum(SYNC_KINDS),
  /** Its SKU, else its number or title. */
  what: z.string(),
  why: z.enum(PASSED_OVER_REASONS),
  /** The member that cannot be used, and what the marketplace sent there; null where no single one is the cause. */
  member: z.string().nullable(),
  value: z.string().nullable(),
});

/**
 * GET /api/connections/{marketplace}/passed-over: the first {@link PASSED_OVER_LIST} of each kind, by kind and in the
 * order of the reading. The counts of the last syncs are exact.
 */
export const PassedOverRows = z.object({ rows: z.array(PassedOverRow) });
export type PassedOverRows = z.output<typeof PassedOverRows>;

/** What a marketplace pushes to us, in addition to what we sync. */
const EventSubscription = z.object({
  /** When the subscription became active; null while it is not. */
  since: Moment.nullable(),
  /** When the last event was received; null before the first. */
  lastAt: Moment.nullable(),
  /** The error, for administrators; `failed` is visible to every user. */
  problem: z.string().nullable(),
  failed: z.boolean(),
});
export type EventSubscription = z.output<typeof EventSubscription>;

/** How late a marketplace shows our prices. */
const PriceReadings = z.object({
  /** By source, of the last seven days; sources that were never late are missing. */
  lags: z.array(
    z.object({
      source: z.enum(READING_SOURCES),
      /** 95 of 100 late readings were late by at most this many minutes; 1440 is a day or more. */
      minutes: z.int(),
      /** Readings that were late. */
      readings: z.int(),
    }),
  ),
  /** The last reading, if a large share of its prices differed; null otherwise. */
  check: z
    .object({
      source: z.enum(READING_SOURCES),
      startedAt: Moment,
      outcome: z.enum(READING_CHECK_OUTCOMES),
      /** Listings that could be compared, and those with another price. */
      compared: z.int(),
      suspects: z.int(),
    })
    .nullable(),
});
export type PriceReadings = z.output<typeof PriceReadings>;

/** One marketplace, of GET /api/connections. */
const Connection = z.object({
  marketplace: z.enum(MARKETPLACES),
  /**
   * How prices are sent: `file` without any stored credentials, `connected` when it is turned on and complete,
   * `read_only` when sending prices is not turned on there, else `paused`.
   */
  priceChannel: z.enum(PRICE_CHANNELS),
  /** Why it is paused or read-only, for administrators. */
  why: z.string().nullable(),
  /** Result with the current credentials; null when they were not tested. The error is for administrators. */
  lastCheck: ConnectionCheck.nullable(),
  sync: z.object({
    /** When a full sync was requested that has not finished; null when none is pending. */
    requestedAt: Moment.nullable(),
    /** Of the kinds that this marketplace offers, those that were synced before. */
    last: z.array(LastSync),
  }),
  /** Refusals that pass: no price is sent to these listings for now. Nothing was rejected. */
  sendPauses: z.array(
    z.object({
      why: z.enum(SEND_PAUSE_REASONS),
      listings: z.int(),
      /** The SKU of the only one; null for several. */
      sku: z.string().nullable(),
      /** When the first of them is decided again. */
      until: Moment,
    }),
  ),
  /** What happens there to a price that was changed to one below the lowest allowed price. */
  externalEdits: z.enum(EXTERNAL_EDIT_POLICIES),
  /** Whether prices for business buyers follow the regular price; null where there are none. */
  businessPrices: z.enum(BUSINESS_PRICE_POLICIES).nullable(),
  priceReadings: PriceReadings,
  /** Null where no event subscription is set up. */
  eventSubscription: EventSubscription.nullable(),
  capabilities: z.object({
    competitors: z.enum(['offers', 'buy_box', 'search', 'none']),
    publishing: z.enum(['immediate', 'delayed']),
    figures: z.array(z.enum(FIGURES)),
    fees: z.enum(['before_sale', 'after_sale', 'none']),
  }),
});

/** How often the competitors of some listings are read. */
const ReadInterval = z.object({
  minutes: z.int(),
  /** From their last readings, or from the calls that the marketplace allows. */
  basis: z.enum(['measured', 'estimated']),
});

/**
 * GET /api/connections/{marketplace}/refresh: how often competitors are read there, and how long an offer counts. Where
 * competitors cannot be read, `readings` is null.
 */
export const OfferRefresh = z.object({
  offerAge: OfferAge,
  readings: z
    .object({
      listings: z.int(),
      /** Those that were never read. */
      unread: z.int(),
      /** Those whose last reading is not older than the maximum offer age. */
      fresh: z.int(),
      /** Null without listings. */
      interval: ReadInterval.nullable(),
      /** Those within 5% of a competitor or with a buy box that changed within a day, and with a sale within a week. */
      contested: z.int(),
      contestedInterval: ReadInterval.nullable(),
      /** The calls for competitors a day that the marketplace allows, and those that are used. */
      callsPerDay: z.int(),
      usedPerDay: z.int(),
      listingsPerCall: z.int(),
      /** Whether the marketplace documents its limit; else it was seen, or is assumed. */
      isDocumented: z.boolean(),
      /** The page that says so. */
      source: z.url(),
    })
    .nullable(),
});
export type OfferRefresh = z.output<typeof OfferRefresh>;

/** GET /api/connections: how each of the six marketplaces is connected, and its capabilities. */
export const ConnectionList = z.object({ marketplaces: z.array(Connection) });
export type ConnectionList = z.output<typeof ConnectionList>;
