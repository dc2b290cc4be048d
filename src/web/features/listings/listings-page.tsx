import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FileUp } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ListingRow, ListingSort, ListingsPage as Page } from '#contract/listings.ts';
import { LISTING_LIST_COLUMNS } from '#domain/written/listing-column-ids.ts';
import { announce } from '#web/lib/announce.ts';
import { filterParams, useListState, viewParams } from '#web/lib/list-state.ts';
import { catchUp } from '#web/lib/live-changes.ts';
import { useUrlParams } from '#web/lib/url-params.ts';
import { Button } from '#web/ui/button.tsx';
import { ChangesCallout } from '#web/ui/changes-callout.tsx';
import { ExportMenu } from '#web/ui/export-menu.tsx';
import { Freshness } from '#web/ui/freshness.tsx';
import { ImportDialog } from '#web/ui/imports/import-dialog.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { DataTable } from '#web/ui/table/data-table.tsx';
import { hiddenIds, orderedIds, type TableLayout } from '#web/ui/table/table-layout.ts';
import type { RowKey } from '#web/ui/table/table-types.ts';
import { type TableSelection, useSelection } from '#web/ui/table/use-selection.ts';
import { useSavedViews } from '#web/ui/table/views/use-saved-views.ts';
import { ViewsBar } from '#web/ui/table/views/views-bar.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { ListingCard } from './listing-card.tsx';
import { columnsOf } from './listing-columns.tsx';
import { ListingDialogs } from './listing-dialogs.tsx';
import {
  LISTING_TABS,
  LISTINGS_KEY,
  LISTINGS_SPEC,
  type ListingsState,
  listingFilter,
  listingsQuery,
  viewTotalsQuery,
} from './listing-list.ts';
import { ListingPanel } from './listing-panel.tsx';
import { type ActionTarget, type ListingsScreen, ListingsScreenContext } from './listings-screen.ts';
import { ListingPills, ListingsToolbar } from './listings-toolbar.tsx';
import { FirstListings, NoMatches } from './no-listings.tsx';
import { useListingPanel } from './panel/use-listing-panel.ts';
import { createPriceDrafts, PriceDraftsContext } from './price-drafts.ts';
import { PriceLink } from './price-link.tsx';
import { useListingDialog } from './use-listing-dialog.ts';

/** All listings: find, sort, price and edit, one by one or in bulk. */
export function ListingsPage(): React.JSX.Element {
  const [state, change] = useListState(LISTINGS_SPEC);
  const query = useQuery(listingsQuery(state));
  const columns = useMemo(() => columnsOf(state), [state]);
  const views = useSavedViews({
    list: 'listings',
    builtIn: LISTING_TABS,
    params: viewParams(state, LISTINGS_SPEC),
  });
  const totals = useQuery(viewTotalsQuery).data;
  const selection = useSelection(JSON.stringify(filterParams(state)));
  const target = targetOf(selection, state);
  const [dialog, openDialog] = useListingDialog(state, query.data, target);
  const [problem, setProblem] = useState<string | null>(null);
  const [drafts] = useState(createPriceDrafts);
  const navigate = useNavigate();
  const client = useQueryClient();
  const panel = useListingPanel();
  const screen = useScreen(openDialog, panel.open, selection, setProblem);
  const rows = query.data?.rows ?? [];
  const refresh = async (): Promise<void> => {
    const { isSuccess } = await query.refetch();
    if (!isSuccess) return;
    await catchUp(client, LISTINGS_KEY[0]);
    announce('Listings updated');
  };
  return (
    <ListingsScreenContext value={screen}>
      <PriceDraftsContext value={drafts}>
        <WithPanel panel={<ListingPanel panel={panel} rows={rows} />}>
          <Heading>
            <Freshness updatedAt={query.dataUpdatedAt} refreshing={query.isRefetching} onRefresh={refresh} />
            <ListingsExport state={state} page={query.data} selection={selection} layout={views.layout} />
          </Heading>
          <DataTable
            views={
              <ViewsBar views={views} noun="listings" totals={totals}>
                <ChangesCallout onRefresh={refresh} isInline />
              </ViewsBar>
            }
            name={views.tableName}
            baseLayout={views.baseLayout}
            caption="Listings"
            noun={NOUN}
            columns={columns}
            openRow={panel.id}
            rowId={rowId}
            rowName={rowName}
            query={{ ...query, refetch: refresh }}
            sort={state.sort}
            onSort={({ by, descending }) => change({ sort: { by: by as ListingSort, descending } })}
            paging={{
              page: state.page,
              size: state.size,
              sizes: LISTINGS_SPEC.sizes,
              onPage: (page) => change({ page }),
              onSize: (size) => {
                selection.clear();
                change({ size });
              },
            }}
            selection={{ ...selection, clear: () => clearByHand(selection, setProblem) }}
            bulkActions={
              <BulkActions target={target} problem={problem} recommended={recommendedIn(selection, rows)} />
            }
            toolbar={<ListingsToolbar state={state} change={change} total={query.data?.total ?? 0} />}
            notes={
              <ListingPills
                state={state}
                change={change}
                ofView={views.current === null ? views.query : NO_PARAMS}
              />
            }
            card={card}
            cardsStartSelection
            isFiltered={Object.keys(listingFilter(state)).length > 0}
            empty={<FirstListings />}
            noResults={<NoMatches onClear={() => change({ q: '', filters: {} })} />}
            rowKeys={useMemo(
              () => rowKeys(drafts.open, panel.open, navigate),
              [drafts, panel.open, navigate],
            )}
          />
        </WithPanel>
        <PriceLink rows={query.data?.rows} />
        <ListingDialogs dialog={dialog} onClose={() => openDialog(null)} />
        <AddressedImport onImported={() => void refresh()} />
      </PriceDraftsContext>
    </ListingsScreenContext>
  );
}

/** The name of a saved view does not say what it filters. */
const NO_PARAMS = {};
const NOUN = { one: 'listing', many: 'listings' };
const rowId = (row: ListingRow): string => row.id;
const rowName = (row: ListingRow): string => row.sku;
const card = (row: ListingRow): React.JSX.Element => <ListingCard row={row} />;

/** The import dialog, if the address opens it. */
function AddressedImport({ onImported }: { onImported: () => void }): React.JSX.Element | null {
  const { params, set } = useUrlParams();
  if (params.import !== '1') return null;
  const close = (): void => set({ import: undefined }, true);
  return <ImportDialog kind="listings" onClose={close} onImported={onImported} />;
}

function Heading({ children }: { children: React.ReactNode }): React.JSX.Element {
  const { set } = useUrlParams();
  return (
    <PageHeading
      title="Listings"
      subtitle="Every product on every marketplace, with its price, cost and margin"
    >
      <div className="flex items-center gap-1 md:gap-2 print:hidden">
        {children}
        <Button look="outline" phone="icon" onClick={() => set({ import: '1' })}>
          <FileUp aria-hidden />
          <span>Bulk Import (CSV)</span>
        </Button>
      </div>
    </PageHeading>
  );
}

type ListingsExportProps = {
  state: ListingsState;
  page: Page | undefined;
  selection: TableSelection;
  layout: TableLayout;
};

function ListingsExport({ state, page, selection, layout }: ListingsExportProps): React.JSX.Element {
  const shownColumns = columnsOf(state);
  const hidden = hiddenIds(shownColumns, layout);
  const inFiles: readonly string[] = LISTING_LIST_COLUMNS;
  const columns = orderedIds(shownColumns, layout.order).filter(
    (id) => inFiles.includes(id) && !hidden.includes(id),
  );
  return (
    <ExportMenu
      path="/api/listings/export.csv"
      noun={NOUN}
      state={state}
      total={page?.total}
      shown={page?.rows.map(rowId) ?? []}
      selected={selectedIds(selection)}
      columns={columns}
    />
  );
}

/** The list, and the panel next to it if open. */
function WithPanel(props: { panel: React.ReactNode; children: React.ReactNode }): React.JSX.Element {
  return (
    <div className="flex gap-4 print:block">
      <div className="flex min-w-0 flex-1 flex-col gap-1 md:gap-2">{props.children}</div>
      {props.panel}
    </div>
  );
}

/** Stable for unchanged rows, or each selection would render all of them again. */
function useScreen(
  openDialog: ListingsScreen['openDialog'],
  openPanel: ListingsScreen['openPanel'],
  selection: TableSelection,
  setProblem: ListingsScreen['setProblem'],
): ListingsScreen {
  const { set } = useUrlParams();
  const { clear: clearSelection } = selection;
  const latest = useRef(selection);
  useEffect(() => {
    latest.current = selection;
  });
  return useMemo(
    () => ({
      openDialog,
      openPanel,
      clearSelection,
      setProblem,
      editPrice: (id) => set({ price: id }),
      select: (id) => latest.current.set([id], true),
    }),
    [openDialog, openPanel, clearSelection, setProblem, set],
  );
}

function rowKeys(
  openPrice: (id: string, price: string) => void,
  openPanel: (id: string) => void,
  navigate: ReturnType<typeof useNavigate>,
): Record<RowKey, (row: ListingRow) => void> {
  const why = (row: ListingRow): void => void navigate({ to: `/listings/${row.id}/why` });
  const edit = (row: ListingRow): void => openPrice(row.id, row.currentPrice);
  const panel = (row: ListingRow): void => openPanel(row.id);
  return { Enter: why, o: panel, e: edit, F2: edit };
}

/** Null while a selected listing is not among these rows. */
function recommendedIn({ selected, count }: TableSelection, rows: readonly ListingRow[]): number | null {
  if (selected.kind !== 'some') return null;
  const shown = rows.filter(({ id }) => selected.ids.has(id));
  return shown.length < count
    ? null
    : shown.filter(({ recommendedPrice }) => recommendedPrice !== null).length;
}

function clearByHand(selection: TableSelection, setProblem: (problem: null) => void): void {
  selection.clear();
  setProblem(null);
}

function selectedIds({ selected }: TableSelection): readonly string[] | null {
  return selected.kind === 'some' ? [...selected.ids] : null;
}

/** The selection in the API's form: ids, or the filter with the count that was shown. */
function targetOf({ selected, count }: TableSelection, state: ListingsState): ActionTarget {
  const selection =
    selected.kind === 'some'
      ? { ids: [...selected.ids] }
      : { filter: listingFilter(state), expected: selected.expected };
  return { selection, count, row: null };
}
