import type { Db } from '#db/client.ts';
import { readDue, readLive, type ToDecide } from '#db/queries/repricing/due.ts';

/** Reads listings after a cursor. */
export type ReadListings = (db: Db, after: number, limit: number) => Promise<ToDecide[]>;

/** The listings that a run of this trigger covers. */
export function listingsOf(trigger: string): ReadListings {
  return trigger === 'data_change' ? readDue : readLive;
}
