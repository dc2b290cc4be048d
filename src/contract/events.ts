import { z } from 'zod';

/** Kinds of changes. A screen refetches, or offers to, when one of its topics is named. */
const LIVE_TOPICS = ['listings', 'engine', 'jobs', 'users', 'alerts'] as const;

/**
 * One message of GET /api/events. It carries IDs, never values: the screen requests what its user may see.
 * `changed`: these IDs changed; an empty list means many, so refetch everything.
 * `resync`: messages may have been missed, so everything on screen may be outdated.
 * `signedOut`: the session of this stream has ended; the stream closes.
 */
export const LiveEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('changed'), topic: z.enum(LIVE_TOPICS), ids: z.array(z.string()) }),
  z.object({ kind: z.literal('resync') }),
  z.object({ kind: z.literal('signedOut') }),
]);
export type LiveEvent = z.output<typeof LiveEvent>;
