import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FileUp, Plus, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Sku, SkuSelection, SkuSort } from '#contract/skus.ts';
import { announce } from '#web/lib/announce.ts';
import { ariaKeys, KEYS } from '#web/lib/keys.ts';
import { filterParams, viewParams } from '#web/lib/list-state.ts';
import { useShortcut } from '#web/lib/shortcuts.ts';
import { useUrlParams } from '#web/lib/url-params.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { ExportMenu } from '#web/ui/export-menu.tsx';
import { Freshness } from '#web/ui/freshness.tsx';
import { ImportDialog } from '#web/ui/imports/import-dialog.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { DataTable } from '#web/ui/table/data-table.tsx';
import { type TableSelection, useSelection } from '#web/ui/table/use-selection.ts';
import { useSavedViews } from '#web/ui/table/views/use-saved-views.ts';
import { ViewsBar } from '#web/ui/table/views/views-bar.tsx';
import { Tip } from '#web/ui/tooltip.tsx';
import { AddSkuDialog } from './add-sku-dialog.tsx';
import { DeleteSkusDialog } from './delete-skus-dialog.tsx';
import { EditSkuDialog } from './edit-sku-dialog.tsx';
import { HazardousMenu } from './hazardous-menu.tsx';
import { FirstSkus, NoMatches } from './no-skus.tsx';
import { reloadSkus } from './sku-calls.ts';
import { SKU_COLUMNS, SkuCard } from './sku-columns.tsx';
import {
  type ChangeSkus,
  rememberSize,
  SKU_VIEWS,
  SKUS_SPEC,
  type SkusState,
  skusQuery,
  useSkuList,
} from './sku-list.ts';
import { SkuPills, SkusToolbar } from './skus-toolbar.tsx';

const NOUN = { one: 'SKU', many: 'SKUs' };
const TEXTS = { loading: 'Loading SKUs...', failed: 'Failed to fetch SKUs' };
const rowId = (row: Sku): string => row.id;
const rowName = (row: Sku): string => row.sku;
const card = (row: Sku): React.JSX.Element => <SkuCard sku={row} />;

/** Costs and weight of each SKU: find, add, edit, import, delete. */
export function SkusPage(): React.JSX.Element {
  const [state, change] = useSkuList();
  const query = useQuery(skusQuery(state));
  const selection = usePageSelection(state);
  const { params, set } = useUrlParams();
  const views = useSavedViews({
    list: 'skus',
    builtIn: SKU_VIEWS,
    params: viewParams({ ...state, size: SKUS_SPEC.size }, SKUS_SPEC),
  });
  const add = (): void => set({ add: '1' });
  useShortcut(KEYS.create, add, 'Add SKU');
  const rows = query.data?.rows ?? [];
  const refresh = async (): Promise<void> => {
    if ((await query.refetch()).isSuccess) announce('SKUs updated');
  };
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <PageHeading title="SKU Management" subtitle="Cost and weight of each product">
        <div className="flex flex-wrap gap-1 md:gap-2 print:hidden">
          <Freshness updatedAt={query.dataUpdatedAt} refreshing={query.isRefetching} onRefresh={refresh} />
          <ExportMenu
            path="/api/skus/export.csv"
            noun={NOUN}
            state={state}
            total={query.data?.total}
            shown={rows.map(rowId)}
            selected={selectedIds(selection)}
          />
          <Button look="outline" phone="icon" onClick={() => set({ import: '1' })}>
            <FileUp aria-hidden />
            <span>Bulk Import (CSV)</span>
          </Button>
          <Tip text="Add SKU" shortcut={KEYS.create}>
            <Button phone="icon" aria-keyshortcuts={ariaKeys(KEYS.create)} onClick={add}>
              <Plus aria-hidden />
              <span>Add SKU</span>
            </Button>
          </Tip>
        </div>
      </PageHeading>
      <DataTable
        views={<ViewsBar views={views} noun="SKUs" />}
        name={views.tableName}
        baseLayout={views.baseLayout}
        caption="SKUs"
        noun={NOUN}
        texts={TEXTS}
        columns={SKU_COLUMNS}
        rowId={rowId}
        rowName={rowName}
        query={{ ...query, refetch: refresh }}
        sort={state.sort}
        onSort={({ by, descending }) => change({ sort: { by: by as SkuSort, descending } })}
        paging={pagingOf(state, change)}
        selection={{ ...selection, clear: () => clearByHand(selection) }}
        bulkActions={
          <>
            <HazardousMenu
              selection={wireSelection(selection, state)}
              count={selection.count}
              onDone={selection.clear}
            />
            <BulkDelete selection={selection} state={state} />
          </>
        }
        toolbar={<SkusToolbar state={state} change={change} />}
        notes={<SkuPills state={state} change={change} />}
        card={card}
        isFiltered={Object.keys(filterParams(state)).length > 0}
        empty={<FirstSkus onAdd={add} onImport={() => set({ import: '1' })} />}
        noResults={<NoMatches q={state.q} onClear={() => change({ q: '', filters: {} })} />}
        rowKeys={useMemo(() => rowKeys(set), [set])}
      />
      <AddressedDialog params={params} set={set} onCreated={() => change({ page: 1 }, 'replace')} />
    </div>
  );
}

/** The dialog in the address: `add=1`, `import=1`, or `edit` with the id of a SKU. */
function AddressedDialog({
  params,
  set,
  onCreated,
}: ReturnType<typeof useUrlParams> & { onCreated: () => void }): React.JSX.Element | null {
  const client = useQueryClient();
  const close = (): void => set({ add: undefined, import: undefined, edit: undefined }, true);
  if (params.add === '1') return <AddSkuDialog onCreated={onCreated} onClose={close} />;
  if (params.import === '1') {
    return <ImportDialog kind="skus" onClose={close} onImported={() => void reloadSkus(client)} />;
  }
  if (params.edit === undefined || !/^[1-9]\d{0,14}$/.test(params.edit)) return null;
  return <EditSkuDialog key={params.edit} id={params.edit} onClose={close} />;
}

/** The button of the bulk bar, and its confirmation. */
function BulkDelete({
  selection,
  state,
}: {
  selection: TableSelection;
  state: SkusState;
}): React.JSX.Element {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button look="outline" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden />
        Delete
      </Button>
      {isAsking && (
        <DeleteSkusDialog
          selection={wireSelection(selection, state)}
          count={selection.count}
          onClose={() => setAsking(false)}
          onDeleted={selection.clear}
        />
      )}
    </>
  );
}

/** A selection that is cleared on another page: hidden rows are never deleted. */
function usePageSelection(state: SkusState): TableSelection {
  const selection = useSelection(JSON.stringify(filterParams(state)));
  const page = JSON.stringify(state);
  const [seen, setSeen] = useState(page);
  if (seen !== page) {
    setSeen(page);
    selection.clear();
  }
  return selection;
}

function pagingOf(state: SkusState, change: ChangeSkus) {
  return {
    page: state.page,
    size: state.size,
    sizes: SKUS_SPEC.sizes,
    none: 'No SKUs',
    waits: true,
    onPage: (page: number) => change({ page }),
    onSize: (size: number) => {
      rememberSize(size);
      change({ size }, 'replace');
    },
  };
}

function rowKeys(set: ReturnType<typeof useUrlParams>['set']): Record<string, (row: Sku) => void> {
  const edit = (row: Sku): void => set({ edit: row.id });
  return { Enter: edit, e: edit };
}

function clearByHand(selection: TableSelection): void {
  selection.clear();
  toast('Selection Cleared', 'No SKUs are selected.');
}

function selectedIds({ selected }: TableSelection): readonly string[] | null {
  return selected.kind === 'some' ? [...selected.ids] : null;
}

/** The selection in the API's form: ids, or the filter with the count that was shown. */
function wireSelection({ selected }: TableSelection, state: SkusState): SkuSelection {
  return selected.kind === 'some'
    ? { ids: [...selected.ids] }
    : { filter: filterParams(state), expected: selected.expected };
}
