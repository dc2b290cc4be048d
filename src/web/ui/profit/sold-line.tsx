import { Link } from '@tanstack/react-router';
import type { SoldSoFar } from '#contract/profit-sums.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { profitPerSale, profitText } from '#web/lib/profit-text.ts';

type SoldLineProps = {
  sold: SoldSoFar | undefined;
  of: { readonly rule: string } | { readonly run: string };
};

/** What sold at the prices of a rule or a run so far, linked to its sales. Nothing before the first sale. */
export function SoldLine({ sold, of }: SoldLineProps): React.JSX.Element | null {
  if (sold === undefined) return null;
  const { from, to, units, known, sales } = sold;
  const profit = profitText(sold);
  const perSale = profitPerSale(sold);
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-sm text-fg-muted">
      <Link
        to="/profit"
        search={{ by: 'sale', ...of, from, to }}
        className="inline-flex min-h-11 items-center rounded-sm text-link underline-offset-4 hover:underline md:min-h-8"
      >
        {countOf(units, 'unit sold', 'units sold')}
      </Link>
      <span>{profit === null ? 'profit unknown' : `profit ${profit}`}</span>
      {perSale !== null && <span>({perSale} per sale)</span>}
      {known > 0 && known < sales && (
        <span>
          from {formatCount(known)} of {countOf(sales, 'sale', 'sales')}
        </span>
      )}
    </p>
  );
}
