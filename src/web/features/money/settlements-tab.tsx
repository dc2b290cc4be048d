import { useQuery } from '@tanstack/react-query';
import type { Settlement } from '#contract/money.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import { DataTable } from '#web/ui/table/data-table.tsx';
import { MarketplaceFilter, type MoneyListProps, pagingOf } from './marketplace-filter.tsx';
import { settlementsQuery } from './queries.ts';
import {
  AmountsCell,
  periodText,
  SETTLEMENT_COLUMNS,
  SettlementName,
  StateCell,
} from './settlement-columns.tsx';

/** Settlements and payouts, the newest first. */
export function SettlementsTab({ state, change }: MoneyListProps): React.JSX.Element {
  const query = useQuery(settlementsQuery(state));
  return (
    <DataTable
      name="settlements"
      caption="Settlements, newest first"
      noun={{ one: 'settlement', many: 'settlements' }}
      columns={SETTLEMENT_COLUMNS}
      rowId={({ marketplace, ref }) => `${marketplace} ${ref}`}
      rowName={({ ref }) => ref}
      query={query}
      paging={pagingOf({ state, change })}
      toolbar={<MarketplaceFilter state={state} change={change} />}
      card={(row) => <SettlementCard row={row} />}
      isFiltered={state.filters.marketplace !== undefined}
      empty={
        <EmptyNote>
          No settlements yet. Connected marketplaces that report payouts are synced once an hour.
        </EmptyNote>
      }
      noResults={
        <EmptyNote>
          No settlements of this marketplace.{' '}
          <Button look="outline" onClick={() => change({ filters: {} })}>
            Clear filters
          </Button>
        </EmptyNote>
      }
    />
  );
}

/** A settlement on a narrow screen. */
function SettlementCard({ row }: { row: Settlement }): React.JSX.Element {
  return (
    <div className="flex flex-col gap-1.5 pr-2">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0 flex-1">
          <SettlementName row={row} />
        </div>
        <div className="text-right tabular-nums">
          <p className="font-semibold">
            <MoneyText amount={row.toldTotal} />
          </p>
          <p className="text-xs text-fg-muted">{periodText(row)}</p>
        </div>
      </div>
      <div className="flex items-start justify-between gap-3">
        <StateCell row={row} />
        <div className="text-right text-sm">
          <AmountsCell row={row} />
        </div>
      </div>
    </div>
  );
}
