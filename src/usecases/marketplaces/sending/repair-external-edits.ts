import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { writeHolds } from '#db/queries/catalog/listing-writes.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import type { CurrentPrice } from '#db/queries/marketplaces/sending/confirmed-prices.ts';
import {
  countRepairs,
  type EditHistory,
  insertExternalEdits,
  markUnrepaired,
  type NewExternalEdit,
  readEditHistories,
  readExternalEditPolicy,
  restoreAnchorPrice,
} from '#db/queries/marketplaces/sending/external-edits.ts';
import { withdrawRepairs } from '#db/queries/marketplaces/sending/queued-prices.ts';
import { readSwitches } from '#db/queries/repricing/pricing-context.ts';
import { transact } from '#db/transact.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import {
  checkExternalEdit,
  type ExternalEdit,
  type ExternalEditResult,
  maxRepairs,
  REPAIR_HOLD,
  REPAIR_ONCE_PER,
  REPAIRS_COUNTED_FOR,
} from '#domain/readings/repair-or-hold.ts';
import { moneyText } from '#domain/text.ts';
import { type Cents, type Instant, instant, type Millis } from '#domain/units.ts';
import { actedBy } from '#usecases/editor.ts';
import { ENGINE } from '#usecases/repricing/engine/engine-deps.ts';
import { resetMode } from '#usecases/repricing/engine/set-recommend-only.ts';
import { manualMove } from '#usecases/repricing/prices/manual-price.ts';
import { applyDecidedPrices } from '#usecases/repricing/pricing/apply-decided-prices.ts';
import { loadPricingInputs, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';

/** An external edit that was just adopted, with the listing as it was before. */
export interface AdoptedEdit {
  readonly listing: CurrentPrice;
  readonly price: Cents;
}

/**
 * Checks external edits that were just adopted in the same transaction: those that lose money are undone, others outside
 * of the allowed prices are put before a user. Only on a marketplace that prices are sent to and that is live, or was.
 * @returns whether there are too many repairs: then {@link stopAfterRepairs} has to follow the transaction
 */
export async function repairExternalEdits(
  tx: Db,
  marketplace: Marketplace,
  edits: readonly AdoptedEdit[],
  now: Instant,
): Promise<boolean> {
  if (edits.length === 0) return false;
  const ids = edits.map(({ listing }) => listing.id);
  const context = await loadPricingContext(tx, now);
  if (!context.facts.connected.has(marketplace)) return false;
  const inputs = new Map((await loadPricingInputs(tx, context, ids)).map((one) => [one.listing.id, one]));
  const histories = await readEditHistories(tx, ids);
  const policy = await readExternalEditPolicy(tx, marketplace);
  const since = instant(now - REPAIRS_COUNTED_FOR);
  const { repairs, listings } = await countRepairs(tx, marketplace, since);
  let left = maxRepairs(listings) - repairs;
  let isTooMany = false;
  const rows: NewExternalEdit[] = [];
  for (const group of togetherBy(edits, inputs, histories, now)) {
    const [{ edit }] = group;
    const [first, ...others] = group;
    const result = checkExternalEdit(edit, [first.found, ...others.map(({ found }) => found)], policy);
    if (result.kind === 'accept') continue;
    const isStopped = result.kind === 'repair' && left <= 0;
    isTooMany ||= isStopped;
    if (result.kind === 'repair' && !isStopped) {
      left--;
      await repair(tx, marketplace, group, result, now);
    } else if (isUntilResumed(result)) {
      for (const { listing } of group) await holdUntilResumed(tx, marketplace, listing, now);
    }
    for (const { listing } of group) {
      rows.push(rowOf(marketplace, edit, listing.id, result, isStopped, now));
    }
  }
  await insertExternalEdits(tx, rows);
  return isTooMany;
}

/** An edit with the listing as it was, and as it was found. */
interface FoundEdit {
  readonly listing: CurrentPrice;
  readonly found: PricingInput;
  readonly edit: ExternalEdit;
}

/** The edits of a price group are one; one of which a member is missing is left to the next reading. */
function togetherBy(
  edits: readonly AdoptedEdit[],
  inputs: ReadonlyMap<number, PricingInput>,
  histories: ReadonlyMap<number, EditHistory>,
  now: Instant,
): readonly (readonly [FoundEdit, ...FoundEdit[]])[] {
  const found = new Map<number, FoundEdit>();
  for (const { listing, price } of edits) {
    const input = inputs.get(listing.id);
    if (input === undefined) continue;
    found.set(listing.id, {
      listing,
      found: { ...input, facts: { ...input.facts, anchorPrice: listing.anchorPrice } },
      edit: editOf(listing, price, input, histories.get(listing.id), now),
    });
  }
  const groups: (readonly [FoundEdit, ...FoundEdit[]])[] = [];
  for (const one of found.values()) {
    const mates = one.found.mates.map(({ listing }) => found.get(listing.id));
    // The first of them has the edit of all.
    if (one.found.mates.some(({ listing }) => listing.id < one.listing.id)) continue;
    if (!mates.every((mate) => mate !== undefined)) continue;
    const all = [one, ...mates];
    const edit = {
      ...one.edit,
      wasRepaired: all.some((member) => member.edit.wasRepaired),
      wasLeft: all.some((member) => member.edit.wasLeft),
      isPricedElsewhere: all.some((member) => member.edit.isPricedElsewhere),
    };
    groups.push([{ ...one, edit }, ...mates]);
  }
  return groups;
}

/**
 * Too many repairs: our facts are wrong, or the seller runs a sale. The marketplace only recommends until a user looks, and
 * what is queued for it is not repaired either.
 */
export async function stopAfterRepairs(db: Db, marketplace: Marketplace, now: Instant): Promise<void> {
  await transact(db, async (tx) => {
    const { live } = await readSwitches(tx);
    if (!live.has(marketplace)) return;
    const withdrawn = await withdrawRepairs(tx, marketplace, now);
    await markUnrepaired(tx, withdrawn, 'too_many');
    await notify(tx, 'pricewright_listings', withdrawn);
    const reason = `Too many prices were changed on ${MARKETPLACE_NAMES[marketplace]} within an hour to repair them.`;
    await resetMode(tx, [marketplace], ENGINE, reason, now, 'external_edits');
  });
}

function editOf(
  { currentPrice, priceSince }: CurrentPrice,
  price: Cents,
  input: PricingInput,
  history: EditHistory | undefined,
  now: Instant,
): ExternalEdit {
  const repairedAt = history?.repairedAt ?? null;
  return {
    price,
    priceBefore: currentPrice,
    inForceFor: Math.max(0, now - priceSince) as Millis,
    // After the clock was set back a repair is still one.
    wasRepaired: repairedAt !== null && now - repairedAt < REPAIR_ONCE_PER,
    wasLeft: history?.wasLeft ?? false,
    isPricedElsewhere: input.listing.notRepriceableReason !== null,
  };
}

function rowOf(
  marketplace: Marketplace,
  { price, priceBefore }: ExternalEdit,
  listingId: number,
  result: Exclude<ExternalEditResult, { kind: 'accept' }>,
  isStopped: boolean,
  foundAt: Instant,
): NewExternalEdit {
  const unrepairedBecause = result.kind === 'hold' ? result.because : isStopped ? 'too_many' : null;
  const { problem, price: repairPrice } = result;
  return { listingId, marketplace, foundAt, price, priceBefore, problem, unrepairedBecause, repairPrice };
}

/** Another edit after a repair, or after a user left one: neither a user nor another program is fought. */
function isUntilResumed(result: ExternalEditResult): boolean {
  return result.kind === 'hold' && (result.because === 'repeated' || result.because === 'left');
}

/** Sends the repaired price as the engine's own, and holds the listing there. */
async function repair(
  tx: Db,
  marketplace: Marketplace,
  group: readonly FoundEdit[],
  { price, marginFloor }: Extract<ExternalEditResult, { kind: 'repair' }>,
  now: Instant,
): Promise<void> {
  const where = MARKETPLACE_NAMES[marketplace];
  const decided = group.map(({ found, edit }) => {
    const reason = `Repaired: ${moneyText(edit.price)}, set on ${where} outside Pricewright, was below the lowest allowed price.`;
    return { isConnected: true, move: manualMove(found, price, marginFloor, reason) };
  });
  for (const { listing } of group) await restoreAnchorPrice(tx, listing.id, listing.anchorPrice);
  await applyDecidedPrices(tx, decided, {
    source: 'repair',
    at: now,
    runId: null,
    actor: null,
    pastHalt: null,
  });
  for (const { listing, edit } of group) {
    await holdUntil(tx, listing, instant(now + REPAIR_HOLD), `Price changed on ${where} and repaired`, now);
    await insertAudit(tx, {
      ...actedBy(ENGINE, now),
      action: 'price.repaired',
      targetKind: 'listing',
      targetId: String(listing.id),
      before: { price: decimalFromCents(edit.price) },
      after: { price: decimalFromCents(price) },
    });
  }
}

async function holdUntilResumed(
  tx: Db,
  marketplace: Marketplace,
  listing: CurrentPrice,
  now: Instant,
): Promise<void> {
  await holdUntil(tx, listing, null, `Price changed on ${MARKETPLACE_NAMES[marketplace]} again`, now);
}

/** A longer hold stays as it is. */
async function holdUntil(
  tx: Db,
  { id, heldBy, heldUntil }: CurrentPrice,
  until: Instant | null,
  reason: string,
  now: Instant,
): Promise<void> {
  const isLonger = heldBy !== null && (heldUntil === null || (until !== null && heldUntil > until));
  if (!isLonger) await writeHolds(tx, [id], { until, by: ENGINE.name, reason }, now);
}
