import { formatPercent } from '#web/lib/format.ts';
import { Missing } from '#web/ui/money-text.tsx';

/** How much a profit changed, in percent: "-2.5"; null where it cannot be compared. */
export function ProfitChange({ change }: { change: string | null }): React.JSX.Element {
  if (change === null) return <Missing />;
  return (
    <span className={change.startsWith('-') ? 'text-danger-text' : 'text-success-text'}>
      {formatPercent(change, true)}
    </span>
  );
}
