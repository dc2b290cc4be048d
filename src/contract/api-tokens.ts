import { z } from 'zod';
import { API_SCOPES } from '#domain/api-scopes.ts';
import { Moment } from './fields.ts';

export const CALLS_PER_MINUTE = 120;
export const MOST_CALLS_PER_MINUTE = 600;

const Scopes = z.array(z.enum(API_SCOPES));

/** POST /api/tokens. */
export const MakeApiToken = z.strictObject({
  /** What the token is for: "Nightly price export". */
  name: z.string().trim().min(1, 'Enter a name').max(60, 'Enter at most 60 characters'),
  scopes: Scopes.min(1, 'Choose at least one')
    .max(API_SCOPES.length)
    .refine((scopes) => new Set(scopes).size === scopes.length, 'Name each scope once'),
  /** In the future, at most a year from now. */
  expiresAt: Moment,
  callsPerMinute: z
    .int('Enter a whole number')
    .min(1, 'Enter at least 1')
    .max(MOST_CALLS_PER_MINUTE, `Enter at most ${MOST_CALLS_PER_MINUTE}`)
    .default(CALLS_PER_MINUTE),
});
export type MakeApiToken = z.output<typeof MakeApiToken>;

/** A token without its secret, which is not stored. */
export const ApiToken = z.object({
  id: z.string(),
  name: z.string(),
  scopes: Scopes,
  callsPerMinute: z.int(),
  createdAt: Moment,
  expiresAt: Moment,
  isExpired: z.boolean(),
  /** The hour of the last call; null when there was none. */
  lastUsedAt: Moment.nullable(),
  /** The network that it came from: an IPv4 address, or the first half of an IPv6 address. */
  lastNetwork: z.string().nullable(),
  /** The login name of its user, and whether that is the caller. */
  username: z.string(),
  isOwn: z.boolean(),
});
export type ApiToken = z.output<typeof ApiToken>;

/** GET /api/tokens: the caller's own. GET /api/tokens/all: those of all users. */
export const ApiTokens = z.array(ApiToken);

/** The answer to POST /api/tokens, the only one that has the token itself. */
export const MadeApiToken = z.object({ id: z.string(), token: z.string(), expiresAt: Moment });
export type MadeApiToken = z.output<typeof MadeApiToken>;
