import { useQuery } from '@tanstack/react-query';
import type { RefusedMoney } from '#contract/money.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { DataTable } from '#web/ui/table/data-table.tsx';
import { MarketplaceFilter, type MoneyListProps, pagingOf } from './marketplace-filter.tsx';
import { refusedQuery } from './queries.ts';
import { Place, REFUSED_COLUMNS, Reason } from './refused-columns.tsx';

/** Amounts that could not be counted, the last seen first. */
export function RefusedTab({ state, change }: MoneyListProps): React.JSX.Element {
  const query = useQuery(refusedQuery(state));
  return (
    <DataTable
      name="refused-amounts"
      caption="Amounts that are not counted, last seen first"
      noun={{ one: 'amount', many: 'amounts' }}
      columns={REFUSED_COLUMNS}
      rowId={({ marketplace, place, why }) => `${marketplace} ${why} ${place}`}
      rowName={({ place }) => place}
      query={query}
      paging={pagingOf({ state, change })}
      toolbar={<MarketplaceFilter state={state} change={change} />}
      card={(row) => <RefusedCard row={row} />}
      isFiltered={state.filters.marketplace !== undefined}
      empty={<EmptyNote>Every amount that was read is counted.</EmptyNote>}
      noResults={
        <EmptyNote>
          Every amount of this marketplace that was read is counted.{' '}
          <Button look="outline" onClick={() => change({ filters: { show: 'refused' } })}>
            Clear filters
          </Button>
        </EmptyNote>
      }
    />
  );
}

/** A refused amount on a narrow screen. */
function RefusedCard({ row }: { row: RefusedMoney }): React.JSX.Element {
  return (
    <div className="flex flex-col gap-1.5 pr-2">
      <Place row={row} />
      <Reason row={row} />
      <p className="text-sm text-fg-muted">
        Last seen <MomentText iso={row.lastSeenAt} />
      </p>
    </div>
  );
}
