import type { Db } from '#db/client.ts';
import { type AskingRule, readUncounted, writeFollowShares } from '#db/queries/repricing/follow-shares.ts';
import { transact } from '#db/transact.ts';
import { asksWhetherTheyFollow } from '#domain/lines/compile-lines.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { hours, type Instant, instant, minutes } from '#domain/units.ts';
import type { LoopTask } from '#usecases/background/supervised-loop.ts';
import { computeFollowShares, countedHash } from './follow-shares.ts';
import { loadPricingContext } from './pricing-context.ts';

/** A share changes with occasions, and none of them is judged sooner than 12 hours: it is computed again this often. */
const RENEWED_AFTER = hours(6);
/** Listings of one turn, to bound what their offers take. */
const BATCH = 500;

export interface FollowLoopDeps {
  readonly db: Db;
  readonly now: () => Instant;
  readonly onError: (error: unknown) => void;
}

/**
 * Computes whether competitors follow, for the listings that were last priced by a rule that asks. Repricing only reads what
 * is stored, and takes it as unknown until then. Of two processes the later one writes the same again.
 */
export function followLoop({ db, now, onError }: FollowLoopDeps): LoopTask {
  return {
    idleWait: minutes(1),
    turn: async () => ((await computeDueFollowShares(db, now())) ? 'worked' : 'idle'),
    onError,
    release: async () => undefined,
  };
}

/** Computes the shares that are due, at most one batch. @returns whether there were any */
export async function computeDueFollowShares(db: Db, now: Instant): Promise<boolean> {
  const { facts, ruleById, policyFor } = await loadPricingContext(db, now);
  const asking = facts.rules
    .filter(({ lines }) => lines !== null && asksWhetherTheyFollow(lines))
    .flatMap((rule) =>
      MARKETPLACES.filter((each) => rule.marketplace === null || rule.marketplace === each).map(
        (marketplace): AskingRule => ({
          ruleId: Number(rule.id),
          marketplace,
          countedHash: countedHash(rule, policyFor([marketplace], [])),
        }),
      ),
    );
  if (asking.length === 0) return false;
  const due = await readUncounted(db, asking, { since: instant(now - RENEWED_AFTER), now, max: BATCH });
  const listings = due.flatMap(({ id, ruleId, marketplace }) => {
    const rule = ruleById.get(String(ruleId));
    return rule === undefined ? [] : [{ id, rule, policy: policyFor([marketplace], []) }];
  });
  if (listings.length === 0) return false;
  const shares = await computeFollowShares(db, listings, now);
  await transact(db, (tx) => writeFollowShares(tx, shares));
  return true;
}
