import { ArrowDown, ArrowUp } from 'lucide-react';
import type { HistoryEntry } from '#contract/history.ts';
import { centsFromDecimal, decimalFromCents } from '#domain/decimal.ts';
import { cents } from '#domain/units.ts';
import { classNames } from '#web/lib/class-names.ts';
import { formatMoney, formatPercent } from '#web/lib/format.ts';
import { NotAvailable } from '#web/ui/not-available.tsx';

/** The arrow and the absolute dollars of a change; with words for screen readers. */
export function PriceChange({ oldPrice, newPrice }: HistoryEntry): React.JSX.Element {
  if (oldPrice === null) return <NotAvailable />;
  const step = centsFromDecimal(newPrice) - centsFromDecimal(oldPrice);
  const amount = formatMoney(decimalFromCents(cents(Math.abs(step))));
  const isRaise = step > 0;
  const Arrow = isRaise ? ArrowUp : ArrowDown;
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1 font-medium whitespace-nowrap',
        isRaise ? 'text-success-text' : 'text-danger-text',
      )}
    >
      <Arrow aria-hidden className="size-3.5" />
      <span className="sr-only">{isRaise ? 'Increased by' : 'Decreased by'}</span>
      {amount}
    </span>
  );
}

/** "+2.4%" in percentage points, or a dash. */
export function MarginImpact({ marginImpact }: HistoryEntry): React.JSX.Element {
  if (marginImpact === null) return <NotAvailable />;
  return <>{formatPercent(marginImpact, true)}</>;
}
