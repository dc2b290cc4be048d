import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleAlert, CircleSlash, Download } from 'lucide-react';
import { BUNDLE_STATES, type BundleRow, type BundleState } from '#contract/bundles.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { useListState } from '#web/lib/list-state.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, buttonClasses } from '#web/ui/button.tsx';
import { touchTarget } from '#web/ui/control-classes.ts';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import type { TableColumn } from '#web/ui/table/column.ts';
import { DataTable } from '#web/ui/table/data-table.tsx';
import { SearchField } from '#web/ui/table/search-field.tsx';
import { BUNDLE_LIST, exportAddress, listQuery } from './queries.ts';

const NOUN = { one: 'bundle', many: 'bundles' };
const ALL = '';
const STATE_NAMES = {
  removed: 'Removed, not confirmed',
  incomplete: 'Cost or weight missing',
} as const satisfies Record<BundleState, string>;
const STATES = [
  { value: ALL, label: 'All bundles' },
  ...BUNDLE_STATES.map((value) => ({ value, label: STATE_NAMES[value] })),
];

/** Every bundle, and removed bundles that need confirmation. */
export function BundleList(): React.JSX.Element {
  const [state, change] = useListState(BUNDLE_LIST);
  const query = useQuery(listQuery(state));
  return (
    <section aria-labelledby="all-bundles" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="all-bundles" className="text-md font-semibold">
          All bundles
        </h2>
        {(query.data?.total ?? 0) > 0 && (
          <a href={exportAddress(state)} download className={buttonClasses({ look: 'outline' })}>
            <Download aria-hidden />
            Export bundles
          </a>
        )}
      </div>
      <DataTable
        name="bundles"
        caption="Bundles by listing SKU"
        noun={NOUN}
        columns={COLUMNS}
        rowId={rowId}
        rowName={rowId}
        query={query}
        paging={{
          page: state.page,
          size: state.size,
          sizes: BUNDLE_LIST.sizes,
          onPage: (page) => change({ page }),
          onSize: (size) => change({ size }),
        }}
        toolbar={
          <>
            <SearchField label="Search bundles" value={state.q} onSearch={(q) => change({ q }, 'replace')} />
            <SelectField
              label="State"
              hideLabel
              compact
              fieldClassName="w-full sm:w-auto"
              options={STATES}
              value={state.filters.state ?? ALL}
              onChange={(value) => change({ filters: value === ALL ? {} : { state: value } })}
            />
          </>
        }
        card={(row) => <BundleCard row={row} />}
        isFiltered={state.q !== '' || state.filters.state !== undefined}
        empty={
          <EmptyNote>No bundles yet. Select a listing above and add its SKUs, or import a file.</EmptyNote>
        }
        noResults={
          <EmptyNote>
            No bundles match.{' '}
            <Button look="outline" onClick={() => change({ q: '', filters: {} })}>
              Clear filters
            </Button>
          </EmptyNote>
        }
      />
    </section>
  );
}

const rowId = ({ listingSku }: BundleRow): string => listingSku;

const COLUMNS: readonly TableColumn<BundleRow>[] = [
  {
    id: 'sku',
    label: 'SKU',
    width: 176,
    pinned: 'left',
    isRowHeader: true,
    cell: (row) => <BundleLink row={row} />,
  },
  {
    id: 'title',
    label: 'Product',
    width: 260,
    grows: true,
    cell: ({ title }) =>
      title === null ? (
        <span className="text-fg-muted">No listing yet</span>
      ) : (
        <span className="block truncate">{title}</span>
      ),
  },
  {
    id: 'marketplaces',
    label: 'Listings',
    width: 150,
    cell: (row) => <Marketplaces row={row} />,
  },
  {
    id: 'components',
    label: 'Components',
    width: 120,
    align: 'right',
    cell: ({ components }) => formatCount(components),
  },
  {
    id: 'units',
    label: 'Units',
    width: 96,
    align: 'right',
    cell: ({ units }) => formatCount(units),
  },
  { id: 'state', label: 'State', width: 200, cell: ({ state }) => <StateBadge state={state} /> },
];

function BundleLink({ row: { listingSku } }: { row: BundleRow }): React.JSX.Element {
  return (
    <Link
      to="/bundles"
      search={(current: Record<string, unknown>) => ({ ...current, listing: listingSku })}
      className={`block font-mono text-link underline-offset-2 hover:underline md:truncate ${touchTarget}`}
    >
      {listingSku}
    </Link>
  );
}

function Marketplaces({ row: { marketplaces } }: { row: BundleRow }): React.JSX.Element {
  return (
    <span className="flex items-center gap-1.5">
      {marketplaces.map((marketplace) => (
        <span key={marketplace} title={MARKETPLACE_NAMES[marketplace]}>
          <MarketplaceMark marketplace={marketplace} />
          <span className="sr-only">{MARKETPLACE_NAMES[marketplace]} </span>
        </span>
      ))}
      {marketplaces.length === 0 && <span className="text-fg-muted">None</span>}
    </span>
  );
}

function StateBadge({ state }: Pick<BundleRow, 'state'>): React.JSX.Element | null {
  if (state === null) return null;
  const isRemoved = state === 'removed';
  return (
    <Badge tone={isRemoved ? 'danger' : 'warning'} icon={isRemoved ? CircleSlash : CircleAlert}>
      {STATE_NAMES[state]}
    </Badge>
  );
}

function BundleCard({ row }: { row: BundleRow }): React.JSX.Element {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <BundleLink row={row} />
      <span className="truncate text-sm text-fg-muted">{row.title ?? 'No listing yet'}</span>
      <span className="flex flex-wrap items-center gap-2 text-sm text-fg-muted">
        {countOf(row.components, 'component', 'components')}, {countOf(row.units, 'unit', 'units')}
        <Marketplaces row={row} />
        <StateBadge state={row.state} />
      </span>
    </div>
  );
}
