import { isDeepStrictEqual } from 'node:util';
import { notify } from '#db/listen.ts';
import { setFlag } from '#db/queries/catalog/setup-flags.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import {
  lockEngineSwitches,
  readEngineSwitches,
  setModes,
  setUnconfirmedRestore,
} from '#db/queries/repricing/engine.ts';
import type { LoweredFloors } from '#db/schema/imports.ts';
import { transact } from '#db/transact.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { AppError } from '#usecases/app-error.ts';
import { auditFloorDrops, listingsText } from '#usecases/catalog/costs/lowered-floors.ts';
import { type Actor, actedBy } from '#usecases/editor.ts';
import { figuresOfPlan, type PreviewDeps } from './preview-run.ts';
import { recordReview } from './record-review.ts';
import { queueFullRun } from './reprice-now.ts';
import { isSameSet } from './same-set.ts';

export interface GoLiveOptions {
  readonly marketplaces: readonly Marketplace[];
  /** Token of the reviewed plan, which is valid for these marketplaces in addition to those that are live. */
  readonly token: string;
  /** Number of reviewed listings whose lowest allowed price fell since they were last live. */
  readonly fallen?: number | undefined;
}

/**
 * Makes these marketplaces live, starting with exactly the reviewed plan. Lowest allowed prices that fell while they were
 * not live are recorded (ADR 009). A restore is confirmed by it.
 * @throws AppError conflict when the plan is different now, or other lowest allowed prices fell, or prices cannot be sent
 *   to one of the marketplaces: it would later start with prices that were never reviewed
 */
export async function goLive(
  { db, now, previews }: PreviewDeps,
  { marketplaces, token, fallen = 0 }: GoLiveOptions,
  actor: Actor,
): Promise<void> {
  const before = await readEngineSwitches(db);
  const figures = await figuresOfPlan(db, marketplaces, token, now(), previews);
  if (figures === null) throw changed();
  requireSameFalls(figures.fallen, fallen);
  await transact(db, async (tx) => {
    const at = now();
    const { live, unready } = await lockEngineSwitches(tx);
    // The mode of another marketplace changed after the plan was reviewed.
    if (!isSameSet(live, before.live)) throw changed();
    const added = marketplaces.filter((marketplace) => !live.has(marketplace));
    requireReady(added.filter((marketplace) => unready.has(marketplace)));
    await setModes(tx, added, 'live', actor.name, at);
    // Not a copy for a trial: with its prices go its backups and its events.
    await setUnconfirmedRestore(tx, null);
    await setFlag(tx, 'plan_reviewed', actor.name, at);
    await insertAudit(tx, {
      ...actedBy(actor, at),
      action: 'engine.armed',
      targetKind: 'marketplaces',
      targetId: marketplaces.join(' '),
      before: { live: [...live] },
      after: { live: [...live, ...added], plan: token, changes: figures.changes },
    });
    const seen = { token, changes: figures.changes, live: new Set([...live, ...added]) };
    await recordReview(tx, seen, { scope: 'store', when: 'going live' }, actor, at);
    await queueFullRun(tx, actor, at);
    await notify(tx, 'pricewright_engine', []);
    // Falls after the figures were made have not been reviewed.
    const found = await auditFloorDrops(tx, actor, at);
    if (!isDeepStrictEqual(found, figures.fallen)) throw otherFalls(found);
  });
}

function changed(): AppError {
  return new AppError('conflict', 'The changes are different now. Review them again.');
}

/** A plan with the same prices can result from lower margin floors. */
function requireSameFalls(fallen: LoweredFloors, seen: number): void {
  if (fallen.count !== seen) throw otherFalls(fallen);
}

function otherFalls(fallen: LoweredFloors): AppError {
  if (fallen.count === 0) return changed();
  return new AppError(
    'conflict',
    `The lowest allowed price of ${listingsText(fallen)} fell by more than 20% since they were last live. Review the changes, then confirm.`,
  );
}

function requireReady(marketplaces: readonly Marketplace[]): void {
  if (marketplaces.length === 0) return;
  const names = marketplaces.map((marketplace) => MARKETPLACE_NAMES[marketplace]).join(', ');
  throw new AppError(
    'conflict',
    `Cannot go live on ${names}. In Settings, turn the marketplace on, complete its credentials and allow sending prices.`,
  );
}
