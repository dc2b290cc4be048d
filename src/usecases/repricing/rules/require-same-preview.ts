import type { Db } from '#db/client.ts';
import { type RuleRecord, type RuleWrite, readRuleRecords } from '#db/queries/repricing/rules.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import type { Editor } from '#usecases/editor.ts';
import type { SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';
import { recordReview } from '#usecases/repricing/engine/record-review.ts';
import { planRule } from './preview-rule.ts';

/** What of the session of the user counts who saves a rule. */
export interface RuleSaver extends SessionAssurance {
  /** In a browser, not by an API token. */
  readonly isAdmin?: boolean;
}

/** A save that is to do what its preview showed. */
export interface AsPreviewed {
  /**
   * To call with the current rules inside the transaction.
   * @throws AppError conflict when they have changed
   */
  requireSame(live: readonly RuleRecord[]): void;
  /** Records the changes of the preview as reviewed, where they count as that. @param ruleId the saved rule */
  recordReview(tx: Db, ruleId: number, who: Editor): Promise<void>;
}

const NOT_PREVIEWED: AsPreviewed = { requireSame: () => undefined, recordReview: async () => undefined };

/**
 * Checks that a rule's result is still the one its preview showed. Runs before the save's transaction: it scans the catalog
 * for seconds, during which saving other rules must not wait. Skipped without a token and for a rule that is saved paused.
 * What it changes counts as reviewed by those who may go live: administrators, with a recent password (ADR 018).
 * @throws AppError conflict
 */
export async function requireSamePreview(
  db: Db,
  id: number | null,
  rule: RuleWrite,
  token: string | undefined,
  now: Instant,
  { isAdmin = false, isStepUpFresh, twoFactor }: RuleSaver,
): Promise<AsPreviewed> {
  if (token === undefined || !rule.isActive) return NOT_PREVIEWED;
  const stamp = stampOf(await readRuleRecords(db));
  const { preview, plan } = await planRule(db, id, rule, now);
  if (preview.token !== token) throw doesSomethingElse();
  const isReview = isAdmin && isStepUpFresh && twoFactor !== 'required';
  return {
    requireSame: (live) => {
      if (stampOf(live) !== stamp) throw doesSomethingElse();
    },
    recordReview: async (tx, ruleId, who) => {
      if (isReview && plan !== null)
        await recordReview(tx, plan, { scope: 'rule', when: 'saving a rule', ruleId }, who, now);
    },
  };
}

function stampOf(live: readonly RuleRecord[]): string {
  return live.map(({ id, version }) => `${id}:${version}`).join(' ');
}

function doesSomethingElse(): AppError {
  const message = 'Prices, costs or offers changed after your preview.';
  return new AppError('conflict', `${message} Preview again, then save.`, {
    fields: { previewToken: message },
  });
}
