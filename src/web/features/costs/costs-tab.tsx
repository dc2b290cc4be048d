import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { COST_PAGE_SIZE, COST_PAGE_SIZES } from '#contract/cost-list.ts';
import { classNames } from '#web/lib/class-names.ts';
import { type ListSpec, useListState } from '#web/lib/list-state.ts';
import { buttonClasses } from '#web/ui/button.tsx';
import { CostEditor } from '#web/ui/costs/cost-editor.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { DataTable } from '#web/ui/table/data-table.tsx';
import { SearchField } from '#web/ui/table/search-field.tsx';
import { COST_COLUMNS, CostCard } from './cost-columns.tsx';
import { costsQuery, useNoteSavedCosts } from './cost-queries.ts';

const SPEC: ListSpec<never, never> = {
  filters: {},
  sorts: [],
  sort: '',
  sizes: COST_PAGE_SIZES,
  size: COST_PAGE_SIZE,
};
const NOUN = { one: 'listing', many: 'listings' };

/** The five cost parts of every listing, searched and paged by the server. The address names the one that is edited. */
export function CostsTab(): React.JSX.Element {
  const [{ q, page, size }, change] = useListState(SPEC);
  const costs = useQuery(costsQuery(q, page, size));
  const search: { edit?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const noteSaved = useNoteSavedCosts();
  const close = (): void =>
    void navigate({ to: '.', search: { ...search, edit: undefined }, replace: true, resetScroll: false });
  return (
    <>
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
    </>
  );
}

function rowId({ listingId }: { listingId: string }): string {
  return listingId;
}
