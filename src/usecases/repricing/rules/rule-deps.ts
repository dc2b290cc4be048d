import type { Db } from '#db/client.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import type { Instant } from '#domain/units.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';

export interface RuleDeps {
  readonly db: Db;
  readonly now: () => Instant;
}

/** A change of one rule, for the audit log. Null: it did not exist before, or was deleted. */
export interface RuleAction {
  readonly action:
    | 'rule.created'
    | 'rule.edited'
    | 'rule.enabled'
    | 'rule.disabled'
    | 'rule.deleted'
    | 'rule.restored';
  readonly id: number;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** Writes the audit entries of rule changes, in the transaction of the changes. */
export async function auditRules(
  tx: Db,
  who: Editor,
  at: Instant,
  acts: readonly RuleAction[],
): Promise<void> {
  for (const { action, id, before, after } of acts) {
    await insertAudit(tx, {
      ...madeBy(who, at),
      action,
      targetKind: 'rule',
      targetId: String(id),
      before,
      after,
    });
  }
}
