import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { lockEngineSwitches, setHalted } from '#db/queries/repricing/engine.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Actor, actedBy } from '#usecases/editor.ts';
import { figuresOfPlan, type PreviewDeps } from './preview-run.ts';
import { recordReview } from './record-review.ts';

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
  const figures = token === null ? null : await figuresOfPlan(db, [], token, now(), previews);
  if (token !== null && figures === null) {
    throw new AppError('conflict', 'The changes are different now. Review them again.');
  }
  await transact(db, async (tx) => {
    const { halted, changedBy, reason, live } = await lockEngineSwitches(tx);
    if (!halted) return;
    const at = now();
    await setHalted(tx, false, actor.name, null, at);
    await insertAudit(tx, {
      ...actedBy(actor, at),
      action: 'engine.resumed',
      before: { haltedBy: changedBy, reason },
      after: { plan: token },
    });
    if (token !== null && figures !== null) {
      const seen = { token, changes: figures.changes, live };
      await recordReview(tx, seen, { scope: 'store', when: 'resuming' }, actor, at);
    }
    await notify(tx, 'pricewright_engine', []);
  });
}
