import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { writeHolds } from '#db/queries/catalog/listing-writes.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { decideEdit, listOpenEdits, type OpenEdit } from '#db/queries/marketplaces/sending/external-edits.ts';
import { withdrawRepair } from '#db/queries/marketplaces/sending/queued-prices.ts';
import { readGroupMembers } from '#db/queries/repricing/price-groups.ts';
import { transact } from '#db/transact.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { nearestAllowed } from '#domain/decision/manual-price.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { allowedForAll } from '#domain/readings/repair-or-hold.ts';
import { moneyText } from '#domain/text.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { findLiveListing, lockListing } from '#usecases/catalog/listings/find-listing.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import type { ConfirmedReasons } from './confirmed-reasons.ts';
import { setManualPrice } from './manual-price.ts';
import { type HaltConfirmation, loadCase } from './priced-listing.ts';

/**
 * An external edit that waits for a user; null for none.
 * @throws AppError not_found
 */
export async function findExternalEdit(db: Db, listingId: number, now: Instant): Promise<OpenEdit | null> {
  await findLiveListing(db, listingId);
  const [edit] = await listOpenEdits(db, listingId, 1, now);
  return edit ?? null;
}

/**
 * Leaves an external edit as it was: a repair that was not sent is withdrawn, and the listing stays on hold until a user
 * resumes it. A price below the margin floor is never sent, so after a repair the user sets it on the marketplace again.
 * @param id the edit that the user saw
 * @throws AppError not_found; conflict when another edit, or none, waits for a user
 */
export async function leaveExternalEdit(
  { db, now }: ListingDeps,
  listingId: number,
  id: number,
  editor: Editor,
): Promise<void> {
  const at = now();
  await transact(db, async (tx) => {
    const { sku } = await lockListing(tx, listingId);
    const edit = await takeEdit(tx, listingId, id, sku, 'left', editor, at);
    await withdrawRepair(tx, listingId, at);
    const members = await decideForMates(tx, listingId, 'left', editor, at);
    const reason = `${moneyText(edit.price)} on ${MARKETPLACE_NAMES[edit.marketplace]} was left by ${editor.name}`;
    await writeHolds(tx, members, { until: null, by: editor.name, reason }, at);
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'external_edit.left',
      targetKind: 'listing',
      targetId: String(listingId),
      before: { price: decimalFromCents(edit.priceBefore) },
      after: { price: decimalFromCents(edit.price) },
    });
    await notify(tx, 'pricewright_listings', members);
  });
}

/** What a user saw when choosing "Repair now". */
export interface RepairRequest {
  readonly id: number;
  readonly price: Cents;
  readonly whileHalted?: HaltConfirmation;
  readonly despiteReasons?: ConfirmedReasons | undefined;
}

/**
 * Sets the lowest allowed price instead of an external edit, as a manual price.
 * @throws AppError not_found; conflict when another edit, or none, waits for a user, or that is no longer the price;
 *   halted and not_repriceable unless confirmed; validation_failed with the limit that rejects it
 */
export async function repairExternalEdit(
  { db, now }: ListingDeps,
  listingId: number,
  { id, price, whileHalted, despiteReasons }: RepairRequest,
  editor: Editor,
): Promise<void> {
  const at = now();
  await transact(db, async (tx) => {
    const { sku } = await lockListing(tx, listingId);
    const edit = await takeEdit(tx, listingId, id, sku, 'repaired', editor, at);
    await decideForMates(tx, listingId, 'repaired', editor, at);
    const pricingInput = await loadCase(tx, listingId, at);
    const set = allowedForAll([pricingInput, ...pricingInput.mates], edit.price);
    const [nearest] = set === null ? [] : nearestAllowed(set, edit.price).slice(-1);
    if (nearest !== undefined && nearest !== price) {
      const text = `The lowest allowed price of ${sku} is ${moneyText(nearest)} now, not ${moneyText(price)}.`;
      throw new AppError('conflict', text, { fields: { price: decimalFromCents(nearest) } });
    }
    const where = MARKETPLACE_NAMES[edit.marketplace];
    const wanted = {
      price,
      source: 'person',
      reason: `Repaired by ${editor.name}: ${moneyText(edit.price)} was set on ${where}, outside Pricewright.`,
      holdReason: `Price repaired by ${editor.name}`,
      action: 'price.repaired',
      whileHalted,
      despiteReasons,
    } as const;
    await setManualPrice(tx, pricingInput, wanted, editor, at);
  });
}

/** An external edit of one listing is one of all that share its price. @returns all of them */
async function decideForMates(
  tx: Db,
  listingId: number,
  decision: Parameters<typeof decideEdit>[2],
  editor: Editor,
  now: Instant,
): Promise<number[]> {
  const members = await readGroupMembers(tx, [listingId]);
  const mates = members.filter((member) => member !== listingId);
  for (const mate of mates) {
    const [edit] = await listOpenEdits(tx, mate, 1, now);
    if (edit !== undefined) await decideEdit(tx, edit.id, decision, editor.name, now);
  }
  return [listingId, ...mates];
}

async function takeEdit(
  tx: Db,
  listingId: number,
  id: number,
  sku: string,
  decision: Parameters<typeof decideEdit>[2],
  editor: Editor,
  now: Instant,
): Promise<OpenEdit> {
  const edit = await findExternalEdit(tx, listingId, now);
  const isTaken = edit?.id === id && (await decideEdit(tx, id, decision, editor.name, now));
  if (edit !== null && isTaken) return edit;
  throw new AppError(
    'conflict',
    `The price of ${sku} that was changed on the marketplace was already settled.`,
  );
}
