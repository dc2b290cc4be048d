import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { countOf } from '#web/lib/format.ts';
import { MONEY_KIND_LABELS } from '#web/lib/money-labels.ts';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import { kindsQuery, type MoneyState } from './queries.ts';

/** The sums of the listed amounts by kind, each linked to its amounts. */
export function KindSums({ state }: { state: MoneyState }): React.JSX.Element | null {
  const query = useQuery(kindsQuery(state));
  if (query.error !== null) {
    return (
      <LoadFailed
        title="Failed to load the sums by kind"
        error={query.error}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  if (query.data === undefined || query.data.rows.length === 0) return null;
  return (
    <ul aria-label="Sums by kind" className="grid gap-x-6 gap-y-2 sm:grid-cols-2 lg:grid-cols-4">
      {query.data.rows.map(({ kind, events, amount }) => (
        <li key={kind} className="flex items-baseline justify-between gap-3 border-b py-1">
          <Link
            to="."
            search={(now: Readonly<Record<string, unknown>>) => ({ ...now, kind, page: undefined })}
            aria-current={state.filters.kind === kind}
            className="min-w-0 text-sm text-link aria-[current=true]:font-semibold hover:underline"
          >
            {MONEY_KIND_LABELS[kind]}
            <span className="block text-xs text-fg-muted">{countOf(events, 'amount', 'amounts')}</span>
          </Link>
          <MoneyText amount={amount} />
        </li>
      ))}
    </ul>
  );
}
