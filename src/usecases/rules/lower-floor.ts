import type { RuleWrite } from '#db/queries/rules.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import type { Bps } from '#domain/units.ts';

type Margins = Pick<RuleWrite, 'minimumMargin' | 'marketplaceMargins'>;

/**
 * Whether a rule asks for less margin, anywhere, than each of others does there: the least margin is what no price goes
 * below. Never where there is nothing to compare it with.
 */
export function lowersFloor(rule: Margins, others: readonly Margins[]): boolean {
  if (others.length === 0) return false;
  return MARKETPLACES.some((marketplace) => {
    const margin = marginOn(rule, marketplace);
    return others.every((other) => margin < marginOn(other, marketplace));
  });
}

function marginOn({ minimumMargin, marketplaceMargins }: Margins, marketplace: Marketplace): Bps {
  return marketplaceMargins[marketplace] ?? minimumMargin;
}
