import { z } from 'zod';

/** Marketplaces that send events to our public address. */
const INCOMING = ['shopify', 'walmart'] as const;

export const IncomingParams = z.strictObject({ marketplace: z.enum(INCOMING) });
/** Walmart's subscriptions carry a value derived from the secret they were created with. */
export const IncomingQuery = z.strictObject({ key: z.string().max(64).optional() });

/** POST /api/incoming/{marketplace}: the same for an event that is new, known or of no use. */
export const EventTaken = z.object({ taken: z.literal(true) });
