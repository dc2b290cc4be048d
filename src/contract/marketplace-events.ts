import { z } from 'zod';

/** Marketplaces that send events to the public address. */
const MARKETPLACES_WITH_EVENTS = ['shopify', 'walmart'] as const;

export const EventParams = z.strictObject({ marketplace: z.enum(MARKETPLACES_WITH_EVENTS) });
/** Walmart's subscriptions carry a value derived from the secret they were created with. */
export const EventQuery = z.strictObject({ key: z.string().max(64).optional() });

/** POST /api/webhooks/{marketplace}: the same answer for an event that is new, repeated or of no use. */
export const EventAccepted = z.object({ accepted: z.literal(true) });

/** GET /api/incoming/ebay/account-deletion, as eBay asks whether the address is ours. */
export const ChallengeQuery = z.strictObject({ challenge_code: z.string().min(1).max(500) });
export const ChallengeAnswer = z.object({ challengeResponse: z.string() });

/** GET /api/connections/ebay/account-deletion: what eBay's form asks for. */
export const AccountDeletionSettings = z.object({
  /** Null: this server has no public address by https. */
  address: z.string().nullable(),
  verificationToken: z.string(),
  /** When eBay's last signed message arrived; null if never. */
  noticedAt: z.iso.datetime().nullable(),
});
export type AccountDeletionSettings = z.output<typeof AccountDeletionSettings>;
