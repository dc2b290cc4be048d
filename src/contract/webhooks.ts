import { z } from 'zod';

/** Marketplaces that send events to the public address. */
const MARKETPLACES_WITH_WEBHOOKS = ['shopify', 'walmart'] as const;

export const WebhookParams = z.strictObject({ marketplace: z.enum(MARKETPLACES_WITH_WEBHOOKS) });
/** Walmart's subscriptions carry a value derived from the secret they were created with. */
export const WebhookQuery = z.strictObject({ key: z.string().max(64).optional() });

/** POST /api/webhooks/{marketplace}: the same answer for an event that is new, repeated or of no use. */
export const EventAccepted = z.object({ accepted: z.literal(true) });
