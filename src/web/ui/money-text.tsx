import { formatMoney } from '#web/lib/format.ts';

/** "$1,234.50"; an unknown amount is a dash, and announced as unknown. */
export function MoneyText({ amount }: { amount: string | null }): React.JSX.Element {
  return amount === null ? <Missing /> : <span className="tabular-nums">{formatMoney(amount)}</span>;
}

/** Shown in place of an unknown value. */
export function Missing(): React.JSX.Element {
  return (
    <span className="text-placeholder">
      <span aria-hidden>{'\u2013'}</span>
      <span className="sr-only">not available</span>
    </span>
  );
}
