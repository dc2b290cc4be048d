import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import type { MoneyEvent } from '#contract/money.ts';
import { MONEY_KINDS } from '#domain/money/money-event.ts';
import { MONEY_KIND_LABELS } from '#web/lib/money-labels.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { DataTable } from '#web/ui/table/data-table.tsx';
import { AMOUNT_COLUMNS, AmountCell, BelongsTo, KindCell } from './amount-columns.tsx';
import { KindSums } from './kind-sums.tsx';
import { MarketplaceFilter, type MoneyListProps, pagingOf } from './marketplace-filter.tsx';
import { amountsQuery, withFilter } from './queries.ts';
import { MarketplaceName } from './settlement-columns.tsx';

const SALE_OPTIONS = [
  { value: '', label: 'With and without a sale' },
  { value: 'true', label: 'Without a sale' },
];
const KIND_OPTIONS = [
  { value: '', label: 'All kinds' },
  ...MONEY_KINDS.map((value) => ({ value, label: MONEY_KIND_LABELS[value] })),
];

/** What was booked, the newest first, with sums by kind. */
export function AmountsTab({ state, change }: MoneyListProps): React.JSX.Element {
  const query = useQuery(amountsQuery(state));
  const { marketplace, kind, unmatched, settlement } = state.filters;
  const isNarrowed = kind !== undefined || unmatched !== undefined || settlement !== undefined;
  const clear = (): void => change({ filters: { show: 'amounts' } });
  return (
    <div className="flex flex-col gap-4">
      {(unmatched !== undefined || settlement !== undefined) && <KindSums state={state} />}
      <DataTable
        name="booked-amounts"
        caption="Booked amounts, newest first"
        noun={{ one: 'amount', many: 'amounts' }}
        columns={AMOUNT_COLUMNS}
        rowId={({ id }) => id}
        rowName={({ rawType }) => rawType}
        query={query}
        paging={pagingOf({ state, change })}
        toolbar={
          <>
            <MarketplaceFilter state={state} change={change} />
            <SelectField
              compact
              hideLabel
              label="Sale"
              options={SALE_OPTIONS}
              value={unmatched ?? ''}
              onChange={(value) => change({ filters: withFilter(state, { unmatched: value }) })}
            />
            <SelectField
              compact
              hideLabel
              label="Kind"
              options={KIND_OPTIONS}
              value={kind ?? ''}
              onChange={(value) => change({ filters: withFilter(state, { kind: value }) })}
            />
            {settlement !== undefined && (
              <Button
                look="outline"
                onClick={() => change({ filters: withFilter(state, { settlement: '' }) })}
              >
                Settlement {settlement}
                <X aria-label="Remove" />
              </Button>
            )}
            {isNarrowed && (
              <Button look="quiet" className="text-link" onClick={clear}>
                Clear filters
              </Button>
            )}
          </>
        }
        card={(row) => <AmountCard row={row} />}
        isFiltered={isNarrowed || marketplace !== undefined}
        empty={
          <EmptyNote>
            No amounts yet. What connected marketplaces paid and charged appears here after a sync.
          </EmptyNote>
        }
        noResults={
          <EmptyNote>
            No amounts match.{' '}
            <Button look="outline" onClick={clear}>
              Clear filters
            </Button>
          </EmptyNote>
        }
      />
    </div>
  );
}

/** An amount on a narrow screen. */
function AmountCard({ row }: { row: MoneyEvent }): React.JSX.Element {
  return (
    <div className="flex flex-col gap-1.5 pr-2">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0 flex-1">
          <KindCell row={row} />
        </div>
        <div className="text-right font-semibold tabular-nums">
          <AmountCell row={row} />
        </div>
      </div>
      <div className="flex flex-wrap gap-x-3 text-sm text-fg-muted">
        <MarketplaceName marketplace={row.marketplace} />
        <MomentText iso={row.postedAt} />
        <BelongsTo row={row} />
      </div>
    </div>
  );
}
