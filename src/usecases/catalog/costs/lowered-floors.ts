import type { Db } from '#db/client.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import {
  type LowestAllowed,
  passTouched,
  readTouchedLowest,
  type SmallFall,
  writeLowest,
  writeSmallFalls,
} from '#db/queries/repricing/lowest-allowed.ts';
import type { LoweredFloors } from '#db/schema/imports.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { decide } from '#domain/decision/decide.ts';
import { dropOf, isDrop, lowestAllowed } from '#domain/limits/lowest-allowed.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import type { Bps, Cents, Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Actor, actedBy } from '#usecases/editor.ts';
import type { SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';
import { loadCosts } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';

const BATCH = 1_000;
/** Listed in the log; all are counted. */
const MAX_NAMED = 20;

export const NONE_LOWERED: LoweredFloors = { count: 0, worst: [] };

/**
 * Compares the lowest allowed prices after a transaction's changes with those before, at its end, calculated by
 * `decide` as the engine does. A drop of more than 20% on a live marketplace needs step-up authentication and is
 * audited (ADR 009).
 * @throws AppError step_up_required, which rolls the transaction back
 */
export async function checkFloorDrops(
  tx: Db,
  who: Actor,
  assurance: Pick<SessionAssurance, 'isStepUpFresh'>,
  now: Instant,
): Promise<void> {
  const lowered = await takeLoweredFloors(tx, now);
  requireStepUpForDrop(lowered, assurance);
  if (lowered.count > 0) await recordLoweredFloors(tx, lowered, who, now);
}

/** @throws AppError step_up_required for drops without step-up authentication */
export function requireStepUpForDrop(
  lowered: LoweredFloors,
  { isStepUpFresh }: Pick<SessionAssurance, 'isStepUpFresh'>,
): void {
  if (lowered.count === 0 || isStepUpFresh) return;
  const because = `This lowers the lowest allowed price of ${listingsText(lowered)} by more than 20%.`;
  throw new AppError('step_up_required', `${because} Enter your password again to continue.`, {
    fields: { because },
  });
}

/**
 * {@link checkFloorDrops} for work that was authorized when it started, such as a job: only audits the drops.
 * @param check receives the drops before they are audited, 1,000 listings at a time; throws for one that was not
 *   authorized
 * @returns the drops
 */
export async function auditFloorDrops(
  tx: Db,
  who: Actor,
  now: Instant,
  check?: (drops: readonly Fall[]) => Promise<void>,
): Promise<LoweredFloors> {
  let lowered = NONE_LOWERED;
  await collectFalls(tx, now, async (falls) => {
    const drops = falls.filter(isDropped);
    if (drops.length > 0) await check?.(drops);
    lowered = mergeLowered(lowered, loweredBy(drops));
  });
  if (lowered.count > 0) await recordLoweredFloors(tx, lowered, who, now);
  return lowered;
}

/** The drops of this transaction since the last call, see {@link collectFalls}. */
async function takeLoweredFloors(tx: Db, now: Instant): Promise<LoweredFloors> {
  let lowered = NONE_LOWERED;
  await collectFalls(tx, now, async (falls) => {
    lowered = mergeLowered(lowered, loweredBy(falls.filter(isDropped)));
  });
  return lowered;
}

/**
 * A lowest allowed price that falls, by any amount. `from` is where it was before the last steps of 20% or less: many small ones
 * are a drop like a large one.
 */
export type Fall = LoweredFloors['worst'][number];

const isDropped = ({ from, to }: Fall): boolean => isDrop(from, to);
export const loweredBy = (drops: readonly Fall[]): LoweredFloors =>
  mergeLowered(NONE_LOWERED, { count: drops.length, worst: drops });

/**
 * Finds the lowest allowed prices that fell in this transaction, and stores the new ones, so that the next call does
 * not find the same fall again.
 * @param onFalls receives the falls, 1,000 listings at a time
 * @param only checks these listings alone; null for all
 * @returns the listings that were checked
 */
export async function collectFalls(
  tx: Db,
  now: Instant,
  onFalls: (falls: readonly Fall[]) => Promise<void>,
  only: ReadonlySet<number> | null = null,
): Promise<number[]> {
  const touched = (await readTouchedLowest(tx)).filter(({ id }) => only?.has(id) ?? true);
  if (touched.length === 0) return [];
  const context = await loadPricingContext(tx, now);
  const before = new Map(touched.map((listing) => [listing.id, listing]));
  const changed: LowestAllowed[] = [];
  const steps: SmallFall[] = [];
  for (let from = 0; from < touched.length; from += BATCH) {
    const ids = touched.slice(from, from + BATCH).map(({ id }) => id);
    const falls: Fall[] = [];
    for (const { listing, facts, choice, policy } of await loadCosts(tx, context, ids)) {
      const { lowestAllowed: was = null, fellFrom = null } = before.get(listing.id) ?? {};
      const is = lowestAllowed(decide(facts, choice, policy).marginFloor, facts.minPrice);
      if (is === null || is === was) continue;
      changed.push({ id: listing.id, lowestAllowed: is });
      const { id, marketplace, sku } = listing;
      const from = highestOf(was, fellFrom);
      const isFall = was !== null && is < was;
      if (isFall && from !== null) falls.push({ listingId: id, marketplace, sku, from, to: is });
      const begun =
        from !== null && is < from && !isDrop(from, is) && (isFall || fellFrom !== null) ? from : null;
      if (begun !== fellFrom) steps.push({ id, from: begun });
    }
    await onFalls(falls);
  }
  await writeLowest(tx, changed);
  await writeSmallFalls(tx, steps);
  await passTouched(tx);
  return [...before.keys()];
}

function highestOf(a: Cents | null, b: Cents | null): Cents | null {
  return a !== null && b !== null && b > a ? b : a;
}

/** Merges two sets of drops; the largest are listed. */
export function mergeLowered(a: LoweredFloors, b: LoweredFloors): LoweredFloors {
  const worst = [...a.worst, ...b.worst].sort((x, y) => dropShareOf(y) - dropShareOf(x)).slice(0, MAX_NAMED);
  return { count: a.count + b.count, worst };
}

/** "12 live listings (the most: Walmart A-1, from $14.29 to $0.02)" */
export function listingsText({ count, worst: [first] }: LoweredFloors): string {
  const which = count === 1 ? '1 live listing' : `${count.toLocaleString('en-US')} live listings`;
  if (first === undefined) return which;
  const most = `${nameOf(first)}, from $${money(first.from)} to $${money(first.to)}`;
  return `${which} (${count === 1 ? '' : 'the most: '}${most})`;
}

const money = (amount: Fall['from']): string => decimalFromCents(amount);
const nameOf = ({ marketplace, sku }: Fall): string => `${MARKETPLACE_NAMES[marketplace]} ${sku}`;
const dropShareOf = ({ from, to }: Fall): Bps => dropOf(from, to);

async function recordLoweredFloors(
  tx: Db,
  { count, worst }: LoweredFloors,
  who: Actor,
  now: Instant,
): Promise<void> {
  const [first] = worst;
  if (first === undefined) return;
  const prices = (end: 'from' | 'to'): string[] => worst.map((one) => `${nameOf(one)}: ${money(one[end])}`);
  await insertAudit(tx, {
    ...actedBy(who, now),
    action: 'floors.lowered',
    targetKind: count === 1 ? 'listing' : null,
    targetId: count === 1 ? String(first.listingId) : `${count.toLocaleString('en-US')} live listings`,
    before: { lowestAllowed: prices('from') },
    after: {
      lowestAllowed: prices('to'),
      listings: count,
      largestDrop: `${(dropShareOf(first) / 100).toFixed(2)}%`,
    },
  });
}
