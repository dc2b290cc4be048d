import { z } from 'zod';
import { CONSENTED } from '#domain/credentials.ts';
import { FIGURES } from '#domain/marketplace-capabilities.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { PRICE_CHANNELS } from '#domain/price-channel.ts';
import { SYNC_KINDS } from '#domain/sync-kinds.ts';
import { Moment } from './wire.ts';

/** What a test of a connection found: POST /api/connections/{marketplace}/check (admin). */
export const ConnectionCheck = z.object({
  success: z.boolean(),
  /** What is wrong, in one sentence; null after a success. */
  error: z.string().nullable(),
  /** How the marketplace calls the shop; null where it does not say. */
  shopName: z.string().nullable(),
  /** Things to know that are no failure, one sentence each. */
  notes: z.array(z.string()),
  /** When the keys themselves end, and somebody has to enter new ones; null when they do not, or nobody says. */
  endsAt: Moment.nullable(),
  checkedAt: Moment,
  milliseconds: z.int(),
});
export type ConnectionCheck = z.output<typeof ConnectionCheck>;

/** The marketplace in an address of these calls. */
export const ConnectionParams = z.strictObject({ marketplace: z.enum(MARKETPLACES) });

/** The marketplace in an address of a call about consents. */
export const ConsentParams = z.strictObject({ marketplace: z.enum(CONSENTED) });

/** POST /api/connections/{marketplace}/consent (admin): the marketplace's own page, for the browser to go to. */
export const ConsentPage = z.object({ address: z.url({ protocol: /^https?$/ }) });
export type ConsentPage = z.output<typeof ConsentPage>;

/** Longer than any address that a consent page leads to. */
const LONGEST_ADDRESS = 4_000;

/** POST /api/connections/{marketplace}/consent/answer (admin): the whole address that the page led to. */
export const ConsentAnswer = z.strictObject({
  address: z.string().max(LONGEST_ADDRESS, 'Expected the address of a page'),
});

/** What became of it. */
export const ConsentTaken = z.object({
  /** When the consent ends and has to be given again; null when it does not, or nobody says. */
  endsAt: Moment.nullable(),
});
export type ConsentTaken = z.output<typeof ConsentTaken>;

/** POST /api/connections/{marketplace}/read (admin): since when that reading of everything is wanted. */
export const SyncRequested = z.object({ askedAt: Moment });
export type SyncRequested = z.output<typeof SyncRequested>;

/** The last reading of one kind. */
const LastRead = z.object({
  what: z.enum(SYNC_KINDS),
  startedAt: Moment,
  /** Null while it goes on, and of one that was cut off. */
  endedAt: Moment.nullable(),
  isUnderWay: z.boolean(),
  /** When the last one that succeeded began; null before the first. */
  succeededAt: Moment.nullable(),
  /** What came of the last one that ended, by name, such as `read` and `added`; empty after a failure. */
  counts: z.record(z.string(), z.int()),
  /** What went wrong, for administrators; `failed` says to everybody that something did. */
  problem: z.string().nullable(),
  failed: z.boolean(),
});
export type LastSync = z.output<typeof LastRead>;

/** What a marketplace sends by itself, beside what is read. */
const Inflow = z.object({
  /** Since when it comes; null while it does not. */
  since: Moment.nullable(),
  /** When something last came; null before the first. */
  lastAt: Moment.nullable(),
  /** What is wrong, for administrators; `failed` says to everybody that something is. */
  problem: z.string().nullable(),
  failed: z.boolean(),
});
export type EventSubscription = z.output<typeof Inflow>;

/** One marketplace, of GET /api/connections. */
const Connection = z.object({
  marketplace: z.enum(MARKETPLACES),
  /**
   * How prices go out: `file` without any stored key, `connected` when it is on with everything that is needed,
   * `read_only` when it is and nobody has let prices be sent there, else `paused`.
   */
  priceChannel: z.enum(PRICE_CHANNELS),
  /** Why it is paused, or only read, for administrators. */
  why: z.string().nullable(),
  /** With the keys of now; null when they were not tested. What went wrong is for administrators. */
  lastCheck: ConnectionCheck.nullable(),
  reading: z.object({
    /** Since when a whole reading is wanted that is not through yet; null when none is. */
    askedAt: Moment.nullable(),
    /** Of the kinds that this marketplace tells, those that were read before. */
    reads: z.array(LastRead),
  }),
  /** Null where nothing is set up to come by itself. */
  inflow: Inflow.nullable(),
  abilities: z.object({
    rivals: z.enum(['offers', 'buy_box', 'search', 'none']),
    live: z.enum(['at_once', 'later']),
    figures: z.array(z.enum(FIGURES)),
    fees: z.enum(['before_sale', 'after_sale', 'none']),
  }),
});

/** GET /api/connections: how each of the six marketplaces is reached, and what it can do. */
export const ConnectionList = z.object({ marketplaces: z.array(Connection) });
export type ConnectionList = z.output<typeof ConnectionList>;
