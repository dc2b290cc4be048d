import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { lockEngineSwitches, setHalted, setReviewedPlan } from '#db/queries/repricing/engine.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Actor, actedBy } from '#usecases/editor.ts';
import { figuresOfPlan, type PreviewDeps } from './preview-run.ts';

/**
 * Ends a halt; every listing becomes due. Repeating it changes nothing.
 * @param token the reviewed plan: the circuit breaker lets exactly that one pass. Null resumes without a review, and the
 *   circuit breaker checks the next run as usual
 * @throws AppError conflict when the plan is different now
 */
export async function resumeEngine(
  { db, now, previews }: PreviewDeps,
  token: string | null,
  actor: Actor,
): Promise<void> {
  if (token !== null && (await figuresOfPlan(db, [], token, now(), previews)) === null) {
    throw new AppError('conflict', 'The changes are different now. Review them again.');
  }
  await transact(db, async (tx) => {
    const { halted, changedBy, reason } = await lockEngineSwitches(tx);
    if (!halted) return;
    const at = now();
    await setHalted(tx, false, actor.name, null, at);
    if (token !== null) await setReviewedPlan(tx, { token, scope: 'store' }, actor.name, at);
    await insertAudit(tx, {
      ...actedBy(actor, at),
      action: 'engine.resumed',
      before: { haltedBy: changedBy, reason },
      after: { plan: token },
    });
    await notify(tx, 'pricewright_engine', []);
  });
}
