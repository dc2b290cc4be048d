import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { COST_PAGE_SIZE, COST_PAGE_SIZES, type CostRow } from '#contract/cost-list.ts';
import { classNames } from '#web/lib/class-names.ts';
import { countOf } from '#web/lib/format.ts';
import { type ListSpec, useListState } from '#web/lib/list-state.ts';
import { Button, buttonClasses } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { BelowMarginFloorPanel } from '#web/ui/costs/below-margin-floor-panel.tsx';
import { CostEditor } from '#web/ui/costs/cost-editor.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { DataTable } from '#web/ui/table/data-table.tsx';
import { SearchField } from '#web/ui/table/search-field.tsx';
import { type CostCells, CostCellsContext } from './cost-cell.tsx';
import { COST_COLUMNS, CostCard } from './cost-columns.tsx';
import { createCostDrafts } from './cost-drafts.ts';
import { costsQuery, useNoteSavedCosts } from './cost-queries.ts';
import { type CostSeries, createCostSeries } from './cost-series.ts';
import { FeeEstimatesCallout } from './fee-estimates-callout.tsx';

const SPEC: ListSpec<never, never> = {
  filters: {},
  sorts: [],
  sort: '',
  sizes: COST_PAGE_SIZES,
  size: COST_PAGE_SIZE,
};
const NOUN = { one: 'listing', many: 'listings' };

/** The five cost parts of every listing, searched and paged by the server. The address names the edited one. */
export function CostsTab(): React.JSX.Element {
  const [{ q, page, size }, change] = useListState(SPEC);
  const costs = useQuery(costsQuery(q, page, size));
  const search: { edit?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const noteSaved = useNoteSavedCosts();
  const close = (): void =>
    void navigate({ to: '.', search: { ...search, edit: undefined }, replace: true, resetScroll: false });
  const cells = useCells(costs.data?.rows);
  return (
    <CostCellsContext value={cells}>
      <BelowMarginFloorCallout series={cells.series} />
      {costs.data !== undefined && <FeeEstimatesCallout {...costs.data.estimates} />}
      <DataTable
        name="costs"
        caption="Costs of listings"
        noun={NOUN}
        columns={COST_COLUMNS}
        rowId={rowId}
        rowName={({ sku }) => sku}
        query={costs}
        paging={{
          page,
          size,
          sizes: COST_PAGE_SIZES,
          onPage: (next) => change({ page: next }),
          onSize: (next) => change({ size: next }),
        }}
        toolbar={
          <SearchField
            label="Search by SKU or title"
            value={q}
            onSearch={(text) => change({ q: text }, 'replace')}
          />
        }
        notes={costs.data?.total !== 0 && <Help />}
        card={(row) => <CostCard row={row} />}
        isFiltered={q !== ''}
        empty={
          <EmptyNote>
            <p>No listings yet. Import listings to see what each sale costs.</p>
            <Link
              to="/imports/new"
              search={{ kind: 'listings' }}
              className={classNames(buttonClasses(), 'mt-3')}
            >
              Import listings
            </Link>
          </EmptyNote>
        }
        noResults={<EmptyNote>No SKU or title contains “{q}”.</EmptyNote>}
      />
      {search.edit !== undefined && /^[1-9]\d*$/.test(search.edit) && (
        <CostEditor key={search.edit} listingId={search.edit} onSaved={noteSaved} onClose={close} />
      )}
    </CostCellsContext>
  );
}

/** Props shared by the cells: stable while the screen is open. */
function useCells(rows: readonly CostRow[] | undefined): CostCells {
  const client = useQueryClient();
  const [lasting] = useState(() => ({ drafts: createCostDrafts(), series: createCostSeries(client) }));
  return useMemo(
    () => ({
      ...lasting,
      find: (id) => rows?.find(({ listingId }) => listingId === id),
      isRepeated: repeatsIn(rows ?? []),
    }),
    [lasting, rows],
  );
}

function repeatsIn(rows: readonly CostRow[]): CostCells['isRepeated'] {
  const repeated = rows.filter(({ sku }, index) => rows[index - 1]?.sku === sku);
  const ids = new Set(repeated.map(({ listingId }) => listingId));
  return (id) => ids.has(id);
}

function Help(): React.JSX.Element {
  return (
    <p className="border-b px-4 py-2 text-sm text-fg-muted print:hidden">
      <span className="max-md:hidden">
        Select an amount to edit it: Enter saves and moves down, Tab right, Esc cancels.{' '}
      </span>
      Product, packaging and misc costs are those of the SKU; freight to an FBA/WFS warehouse is a misc cost.
    </p>
  );
}

/** On the page and not in a dialog, which would interrupt typing down a column. */
function BelowMarginFloorCallout({ series }: { series: CostSeries }): React.JSX.Element {
  const below = series.useBelowMarginFloor();
  const [isOpen, setOpen] = useState(false);
  const close = (): void => {
    setOpen(false);
    series.forgetBelowMarginFloor();
  };
  return (
    <div role="status" className={below.length > 0 ? 'mb-3' : 'sr-only'}>
      {below.length > 0 && (
        <Callout
          tone="danger"
          title={`${countOf(below.length, 'listing is', 'listings are')} now below the margin floor`}
        >
          <Button look="outline" className="mt-2" onClick={() => setOpen(true)}>
            Raise {countOf(below.length, 'price', 'prices')}
          </Button>
        </Callout>
      )}
      {isOpen && (
        <BelowMarginFloorPanel
          saved={{ belowMarginFloor: [...below], belowMarginFloorCount: below.length }}
          onClose={close}
        />
      )}
    </div>
  );
}

function rowId({ listingId }: { listingId: string }): string {
  return listingId;
}
