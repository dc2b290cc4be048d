import { Link } from '@tanstack/react-router';
import type { SoldSoFar } from '#contract/profit-sums.ts';
import { classNames } from '#web/lib/class-names.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { profitPerSale, profitText } from '#web/lib/profit-text.ts';

type SoldLineProps = {
  sold: SoldSoFar | undefined;
  of: { readonly rule: string } | { readonly run: string };
  /** Units and profit alone; below each other in a column of a wide screen. */
  isShort?: boolean;
};

/** What sold at the prices of a rule or a run so far, linked to its sales. Nothing before the first sale. */
export function SoldLine({ sold, of, isShort = false }: SoldLineProps): React.JSX.Element | null {
  if (sold === undefined) return null;
  const { from, to, units, known, sales } = sold;
  const profit = profitText(sold);
  const perSale = profitPerSale(sold);
  return (
    <p
      className={classNames(
        'flex flex-wrap items-center gap-x-2 text-sm text-fg-muted tabular-nums',
        isShort && 'wide:flex-col wide:items-start wide:gap-y-0.5',
      )}
    >
      <Link
        to="/profit"
        search={{ by: 'sale', ...of, from, to }}
        className={classNames(
          'inline-flex min-h-10 items-center rounded-sm text-link underline-offset-4 hover:underline',
          isShort ? 'lg:min-h-6' : 'md:min-h-8',
        )}
      >
        {countOf(units, 'unit sold', 'units sold')}
      </Link>
      <span className={isShort ? 'inline-flex items-center lg:min-h-6' : undefined}>
        {profit === null ? 'profit unknown' : `profit ${profit}`}
      </span>
      {perSale !== null && <span className={isShort ? 'sr-only' : undefined}>({perSale} per sale)</span>}
      {known > 0 && known < sales && (
        <span className={isShort ? 'sr-only' : undefined}>
          from {formatCount(known)} of {countOf(sales, 'sale', 'sales')}
        </span>
      )}
    </p>
  );
}
