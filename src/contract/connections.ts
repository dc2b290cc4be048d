import { z } from 'zod';
import { DELIVERIES } from '#domain/credentials.ts';
import { FIGURES } from '#domain/marketplace-abilities.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
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

/** One marketplace, of GET /api/connections. */
const Connection = z.object({
  marketplace: z.enum(MARKETPLACES),
  /**
   * How prices go out: `file` without any stored key, `connected` when it is on with everything that is needed, else
   * `paused`.
   */
  state: z.enum(DELIVERIES),
  /** Why it is paused, for administrators. */
  why: z.string().nullable(),
  /** With the keys of now; null when they were not tested. What went wrong is for administrators. */
  lastCheck: ConnectionCheck.nullable(),
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
