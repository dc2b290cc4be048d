import type { SyncKind } from '#domain/connections/sync-kinds.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { hours, type Instant } from '#domain/units.ts';

/*
 * A sync that used up its calls or its time is no failure: the next one goes on. Where that never comes to an end, it has to be
 * said.
 */

/** After this without a complete sync it is a problem. */
const SAID_AFTER = hours(24);

/** What of each kind is incomplete then. Others go on with those that waited longest, so that none is left for good. */
const INCOMPLETE: Readonly<Partial<Record<SyncKind, string>>> = {
  listings:
    'the catalog has not been read to its end for a day. New listings and changed prices may be missing',
  sales: 'sales have not been read to their end for a day. New orders may be missing',
};

/**
 * Since when syncs of a kind end without a complete one because their calls or their time are used up; among the counts of its
 * row.
 * @param before the counts of the one before
 */
export function unfinishedSince(
  before: Readonly<Record<string, number>> | null,
  startedAt: Instant,
): Instant {
  const since = before?.unfinishedSince;
  // Also after the clock was set back.
  return since !== undefined && since <= startedAt ? (since as Instant) : startedAt;
}

/** The sentence for users; null while that is no problem. */
export function unfinishedProblem(
  marketplace: Marketplace,
  kind: SyncKind,
  since: Instant,
  now: Instant,
): string | null {
  const what = INCOMPLETE[kind];
  if (what === undefined || now - since < SAID_AFTER) return null;
  return `The calls that ${MARKETPLACE_NAMES[marketplace]} allows, or the time of a sync, are used up each time: ${what}.`;
}
