import type { Db } from '#db/client.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { setReviewedPlan } from '#db/queries/repricing/engine.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { type Actor, actedBy } from '#usecases/editor.ts';

/** A plan that a user has seen. */
export interface SeenPlan {
  readonly token: string;
  /** Prices that it changes. */
  readonly changes: number;
  /** The marketplaces that it is for. */
  readonly live: ReadonlySet<Marketplace>;
}

/** How much of the next run was reviewed, and by which action. */
export type Reviewed =
  | { readonly scope: 'store'; readonly when: 'going live' | 'resuming' }
  | { readonly scope: 'rule'; readonly when: 'saving a rule'; readonly ruleId: number };

/**
 * Stores the review that lets exactly this plan pass the circuit breaker, with its row in the audit log.
 * @param tx the transaction of the action
 */
export async function recordReview(
  tx: Db,
  { token, changes, live }: SeenPlan,
  reviewed: Reviewed,
  actor: Actor,
  at: Instant,
): Promise<void> {
  const { scope, when } = reviewed;
  await setReviewedPlan(tx, { token, scope }, actor.name, at);
  await insertAudit(tx, {
    ...actedBy(actor, at),
    action: 'run.reviewed',
    ...(reviewed.scope === 'rule'
      ? { targetKind: 'rule', targetId: String(reviewed.ruleId) }
      : { targetKind: 'marketplaces' }),
    after: { scope, when, live: [...live], changes, plan: token },
  });
}
