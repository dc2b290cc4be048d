import { z } from 'zod';

/** What kind of thing changed. A screen refetches, or offers to, when one of its topics is named. */
const LIVE_TOPICS = ['listings', 'engine', 'jobs', 'users', 'alerts'] as const;

/**
 * One message of GET /api/events. It carries ids, never values: the screen reads what it may see.
 * `changed`: these ids changed; none means many, so look for yourself.
 * `resync`: messages may have been missed, so everything on screen may be old.
 * `signedOut`: the session behind this stream has ended; the stream closes.
 */
export const LiveEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('changed'), topic: z.enum(LIVE_TOPICS), ids: z.array(z.string()) }),
  z.object({ kind: z.literal('resync') }),
  z.object({ kind: z.literal('signedOut') }),
]);
export type LiveEvent = z.output<typeof LiveEvent>;
