import type { Rule as RuleView } from '#contract/rules.ts';
import type { RuleWrite } from '#db/queries/repricing/rules.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { Span } from '#domain/lines/line.ts';
import { windowText } from '#domain/rules/schedule.ts';

/** The segment, priority and schedule of a rule in the API's format. */
export function scopeText({
  segment,
  priority,
  schedule,
}: Pick<RuleWrite, 'segment' | 'priority' | 'schedule'>): Pick<
  RuleView,
  'segment' | 'priority' | 'schedule'
> {
  return {
    segment: {
      marketplaces: [...segment.marketplaces],
      brands: [...segment.brands],
      categories: [...segment.categories],
      tags: [...segment.tags],
      suppliers: [...segment.suppliers],
      ownPrice: rangeOf(segment.ownPrice, decimalFromCents),
      cost: rangeOf(segment.cost, decimalFromCents),
      listedDays: rangeOf(segment.listedDays, (days) => days),
      stockAgeDays: rangeOf(segment.stockAgeDays, (days) => days),
      stock: rangeOf(segment.stock, (units) => units),
    },
    priority,
    schedule: schedule === null ? null : { ...schedule, windows: schedule.windows.map(windowText) },
  };
}

function rangeOf<Unit extends number, Shown>(
  span: Span<Unit> | null,
  shown: (unit: Unit) => Shown,
): { from: Shown | null; to: Shown | null } | null {
  if (span === null) return null;
  const end = (unit: Unit | null): Shown | null => (unit === null ? null : shown(unit));
  return { from: end(span.min), to: end(span.max) };
}
