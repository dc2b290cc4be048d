import type { Db } from '#db/client.ts';
import { type RuleRecord, type RuleWrite, readDeletedRules } from '#db/queries/repricing/rules.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import type { Bps } from '#domain/units.ts';
import { requireStepUp, type SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';

export type Margins = Pick<RuleWrite, 'minimumMargin' | 'marketplaceMargins'>;

/**
 * Whether a rule asks for less margin, anywhere, than each of others does there: the least margin is what no price goes
 * below. Never where there is nothing to compare it with.
 */
export function lowersMargin(rule: Margins, others: readonly Margins[]): boolean {
  if (others.length === 0) return false;
  return MARKETPLACES.some((marketplace) => {
    const margin = marginOn(rule, marketplace);
    return others.every((other) => margin < marginOn(other, marketplace));
  });
}

/**
 * Asks for a fresh password before rules come into force that ask for less margin than those in force. Where none is,
 * they are held against those that were put away: pausing or deleting all others makes no rule the first of its shop.
 * @param coming the rules as they will be, with their number; null for a new one
 * @param live the rules that are not deleted, as they are
 * @throws AppError step_up_required
 */
export async function requireProofOfLess(
  tx: Db,
  coming: readonly { readonly id: number | null; readonly rule: Margins }[],
  live: readonly RuleRecord[],
  clearance: SessionAssurance,
): Promise<void> {
  if (clearance.isProved || coming.length === 0) return;
  const isComing = new Set(coming.map(({ id }) => id));
  const inForce = live.filter(({ rule }) => rule.isActive);
  const putAway = [live, await readDeletedRules(tx)].map((rules) =>
    rules.filter(({ id }) => !isComing.has(id)),
  );
  const others = [inForce, ...putAway].find((rules) => rules.length > 0) ?? [];
  const margins = others.map(({ rule }) => rule);
  if (coming.some(({ rule }) => lowersMargin(rule, margins))) requireStepUp(clearance);
}

function marginOn({ minimumMargin, marketplaceMargins }: Margins, marketplace: Marketplace): Bps {
  return marketplaceMargins[marketplace] ?? minimumMargin;
}
