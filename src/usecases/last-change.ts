import { isDeepStrictEqual } from 'node:util';
import type { Db } from '#db/client.ts';
import { readLastChange } from '#db/queries/identity/audit.ts';
import type { AuditAction } from '#domain/audit-actions.ts';
import { ageText } from '#domain/text.ts';
import { type Instant, type Millis, minutes, seconds } from '#domain/units.ts';

/** The times of a row and of its audit row differ by less when one transaction wrote both. */
const SAME_CHANGE = seconds(5);

/** What changes the version of a listing. Its price and holds do not, and move `updatedAt` all the same. */
const LISTING_EDITS: readonly AuditAction[] = [
  'listing.edited',
  'listing.restored',
  'listing.deleted',
  'listing.undeleted',
  'costs.edited',
];

/** What changes the components of a bundle. An import does too, and has no audit row of its own for each. */
const BUNDLE_EDITS: readonly AuditAction[] = ['bundles.saved', 'bundle.removed'];

/** A row that a conflict is about, as the audit log names it. */
interface ChangedRow {
  readonly kind: string;
  readonly id: number | string;
  readonly updatedAt: Instant;
}

/**
 * Who changed a row last and how long ago, for the message of a version conflict.
 * @returns " (Ann, 4 minutes ago)"; empty when the last change has no audit row of its own, as after an import, or a price moved after it
 */
export async function lastChangeText(
  db: Db,
  { kind, id, updatedAt }: ChangedRow,
  now: Instant,
): Promise<string> {
  const actions = kind === 'listing' ? LISTING_EDITS : undefined;
  const change = await readLastChange(db, kind, String(id), actions);
  if (change === null || Math.abs(change.at - updatedAt) > SAME_CHANGE) return '';
  return changeText(change, now);
}

/**
 * {@link lastChangeText} of a bundle. Its components have no time, so the change must be the one that left them.
 * @param stored its components as the audit log shows them: "2 x MUG"
 * @returns empty when they are from elsewhere, such as an import
 */
export async function lastBundleChangeText(
  db: Db,
  listingSku: string,
  stored: readonly string[],
  now: Instant,
): Promise<string> {
  const change = await readLastChange(db, 'bundle', listingSku, BUNDLE_EDITS);
  const left = change?.after?.[listingSku] ?? [];
  if (change === null || !Array.isArray(left)) return '';
  return isDeepStrictEqual(left.toSorted(), stored.toSorted()) ? changeText(change, now) : '';
}

function changeText(
  { actor, at }: { readonly actor: string | null; readonly at: Instant },
  now: Instant,
): string {
  if (actor === null) return '';
  const age = Math.max(0, now - at) as Millis;
  return ` (${actor}, ${age < minutes(1) ? 'just now' : `${ageText(age)} ago`})`;
}
