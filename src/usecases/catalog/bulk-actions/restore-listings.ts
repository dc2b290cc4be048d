import { isDeepStrictEqual } from 'node:util';
import { ListingFields } from '#contract/listings.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import {
  type ListingRecord,
  lockListings,
  markEstimates,
  putHolds,
  putUploadMarks,
  ruleExists,
} from '#db/queries/catalog/listing-writes.ts';
import { type ActionAudit, readActionAudits } from '#db/queries/identity/action-audits.ts';
import { insertAudits } from '#db/queries/identity/audit.ts';
import type { AuditAction } from '#domain/audit-actions.ts';
import { type Instant, instant } from '#domain/units.ts';
import { missingOf } from '#usecases/catalog/listings/apply-to-locked.ts';
import { undeleteListings } from '#usecases/catalog/listings/delete-listings.ts';
import type { BulkActionResult, Refusal } from '#usecases/catalog/listings/listing-deps.ts';
import { type FieldsBefore, fieldsBefore, problemWith } from '#usecases/catalog/listings/listing-fields.ts';
import { writeFields } from '#usecases/catalog/listings/write-fields.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { holdOf, markOf } from '#usecases/repricing/prices/hold-listings.ts';

/** The actions whose audit rows hold all that an undo needs. */
export const RESTORABLE = [
  'listing.edited',
  'listing.held',
  'listing.resumed',
  'listing.uploaded',
  'listing.deleted',
] as const satisfies readonly AuditAction[];

type Values = Readonly<Record<string, unknown>>;
type Restoration = { readonly listing: ListingRecord; readonly audit: ActionAudit };

/**
 * Restores what an action of the same user changed, in the caller's transaction. A field that was changed again is kept
 * as is, and the listing is reported.
 * @param undoId the request of that action
 */
export async function restoreListings(
  tx: Db,
  ids: readonly number[],
  undoId: string,
  editor: Editor,
  now: Instant,
): Promise<BulkActionResult> {
  const act = { requestId: undoId, actorId: editor.id };
  const audits = await readActionAudits(tx, act, RESTORABLE, ids);
  const deleted = audits.filter(({ action }) => action === 'listing.deleted');
  if (deleted.length > 0) return bringBack(tx, deleted, editor, now);
  const deletedRules = await findDeletedRules(tx, audits);
  const auditOf = new Map(audits.map((audit) => [audit.listingId, audit]));
  const wanted = ids.filter((id) => auditOf.has(id));
  const found = await lockListings(tx, wanted);
  const refused: Refusal[] = missingOf(
    wanted,
    found.map(({ id }) => id),
  );
  const restored: Restoration[] = [];
  let already = 0;
  for (const listing of found) {
    const audit = auditOf.get(listing.id);
    if (audit === undefined) continue;
    const message = whyNotRestored(listing, audit, deletedRules);
    if (isAsBefore(listing, audit)) already += 1;
    else if (message === null) restored.push({ listing, audit });
    else refused.push({ listingId: listing.id, sku: listing.sku, message });
  }
  await write(tx, restored, editor.name, now);
  await record(tx, restored, editor, now);
  return { done: restored.length + already, refused };
}

/** The current values of what an action changed, in the form of its audit row. */
function valuesNow(listing: ListingRecord, { action, after }: ActionAudit): Values {
  if (action === 'listing.uploaded') return markOf(listing);
  if (action !== 'listing.edited') return holdOf(listing);
  return fieldsBefore(listing, ListingFields.parse(after));
}

function isAsBefore(listing: ListingRecord, audit: ActionAudit): boolean {
  return isSame(valuesNow(listing, audit), audit.before);
}

function isSame(one: Values, other: Values): boolean {
  const plain = (values: Values): unknown => JSON.parse(JSON.stringify(values));
  return isDeepStrictEqual(plain(one), plain(other));
}

/** Deleted listings; one that is restored already, as after an interrupted job, is counted as done. */
async function bringBack(
  tx: Db,
  audits: readonly ActionAudit[],
  editor: Editor,
  now: Instant,
): Promise<BulkActionResult> {
  const ids = audits.map(({ listingId }) => listingId);
  const live = new Set((await lockListings(tx, ids)).map(({ id }) => id));
  const deleted = ids.filter((id) => !live.has(id));
  const { done, refused } = await undeleteListings(tx, deleted, editor, now);
  return { done: done + live.size, refused };
}

/** Rules that the listings had and that were deleted. */
async function findDeletedRules(tx: Db, audits: readonly ActionAudit[]): Promise<ReadonlySet<string>> {
  const had = new Set(audits.flatMap(({ before }) => textIn(before.ruleId) ?? []));
  const deleted = new Set<string>();
  for (const id of had) if (!(await ruleExists(tx, Number(id)))) deleted.add(id);
  return deleted;
}

function whyNotRestored(
  listing: ListingRecord,
  audit: ActionAudit,
  deletedRules: ReadonlySet<string>,
): string | null {
  if (!isSame(valuesNow(listing, audit), audit.after)) {
    return `${listing.sku} was changed since then and is left as is.`;
  }
  if (audit.action !== 'listing.edited') return null;
  const { fields } = storedFields(audit.before);
  if (fields.ruleId != null && deletedRules.has(fields.ruleId)) return 'Its earlier rule was deleted.';
  return problemWith(listing, fields);
}

/** Parses the fields of an edit's audit row. */
export function storedFields(before: Values): {
  readonly fields: ListingFields;
  readonly wasEstimate: boolean;
} {
  const { fulfillmentCostIsEstimate, ...fields } = before as FieldsBefore;
  return { fields: ListingFields.parse(fields), wasEstimate: fulfillmentCostIsEstimate === true };
}

async function write(tx: Db, restored: readonly Restoration[], by: string, now: Instant): Promise<void> {
  const of = (...actions: readonly AuditAction[]): readonly Restoration[] =>
    restored.filter(({ audit }) => actions.includes(audit.action));
  await restoreFields(tx, of('listing.edited'), by, now);
  const held = of('listing.held', 'listing.resumed').map(({ listing: { id }, audit: { before } }) => ({
    id,
    heldUntil: momentIn(before.until),
    heldBy: textIn(before.by),
    holdReason: textIn(before.reason),
  }));
  if (held.length > 0) await putHolds(tx, held, now);
  const marked = of('listing.uploaded').map(({ listing: { id }, audit: { before } }) => ({
    id,
    since: momentIn(before.awaitingUploadSince),
  }));
  if (marked.length > 0) await putUploadMarks(tx, marked, now);
}

/** Writes listings that had the same values in one statement. */
async function restoreFields(
  tx: Db,
  restored: readonly Restoration[],
  by: string,
  now: Instant,
): Promise<void> {
  const groups = new Map<string, { before: Values; ids: number[] }>();
  for (const { listing, audit } of restored) {
    const key = JSON.stringify(audit.before);
    const group = groups.get(key) ?? { before: audit.before, ids: [] };
    group.ids.push(listing.id);
    groups.set(key, group);
  }
  for (const { before, ids } of groups.values()) {
    const { fields, wasEstimate } = storedFields(before);
    await writeFields(tx, ids, fields, by, now);
    if (wasEstimate) await markEstimates(tx, ids);
  }
}

async function record(tx: Db, restored: readonly Restoration[], editor: Editor, now: Instant): Promise<void> {
  if (restored.length === 0) return;
  await insertAudits(
    tx,
    restored.map(({ listing, audit }) => ({
      ...madeBy(editor, now),
      action: 'listing.restored',
      targetKind: 'listing',
      targetId: String(listing.id),
      before: audit.after,
      after: audit.before,
    })),
  );
  await notify(
    tx,
    'pricewright_listings',
    restored.map(({ listing }) => listing.id),
  );
}

function momentIn(stored: unknown): Instant | null {
  return typeof stored === 'string' ? instant(Date.parse(stored)) : null;
}

function textIn(stored: unknown): string | null {
  return typeof stored === 'string' ? stored : null;
}
