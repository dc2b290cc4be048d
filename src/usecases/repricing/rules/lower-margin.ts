import type { Db } from '#db/client.ts';
import { type RuleRecord, type RuleWrite, readDeletedRules } from '#db/queries/repricing/rules.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import type { Bps } from '#domain/units.ts';
import { requireStepUp, type SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';

export type Margins = Pick<RuleWrite, 'minimumMargin' | 'marketplaceMargins'>;

/**
 * Whether a rule's minimum margin is, on any marketplace, lower than that of all other rules there. False where there is
 * no rule to compare with.
 */
export function lowersMargin(rule: Margins, others: readonly Margins[]): boolean {
  if (others.length === 0) return false;
  return MARKETPLACES.some((marketplace) => {
    const margin = marginOn(rule, marketplace);
    return others.every((other) => margin < marginOn(other, marketplace));
  });
}

/**
 * Requires a recent step-up before rules become active whose minimum margin is lower than that of the active rules. Without
 * active rules, paused and deleted ones count, so that pausing or deleting all others does not avoid the step-up.
 * @param coming the rules as they will be, with their ID; null for a new one
 * @param live the rules that are not deleted, as they are
 * @throws AppError step_up_required
 */
export async function requireStepUpForLowerMargin(
  tx: Db,
  coming: readonly { readonly id: number | null; readonly rule: Margins }[],
  live: readonly RuleRecord[],
  assurance: SessionAssurance,
): Promise<void> {
  if (assurance.isStepUpFresh || coming.length === 0) return;
  const isComing = new Set(coming.map(({ id }) => id));
  const active = live.filter(({ rule }) => rule.isActive);
  const inactive = [live, await readDeletedRules(tx)].map((rules) =>
    rules.filter(({ id }) => !isComing.has(id)),
  );
  const others = [active, ...inactive].find((rules) => rules.length > 0) ?? [];
  const margins = others.map(({ rule }) => rule);
  if (coming.some(({ rule }) => lowersMargin(rule, margins))) requireStepUp(assurance);
}

function marginOn({ minimumMargin, marketplaceMargins }: Margins, marketplace: Marketplace): Bps {
  return marketplaceMargins[marketplace] ?? minimumMargin;
}
