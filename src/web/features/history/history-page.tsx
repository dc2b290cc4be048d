import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download, Undo2 } from 'lucide-react';
import { useMemo } from 'react';
import { useAddressedDialog } from '#web/lib/addressed-dialog.ts';
import { classNames } from '#web/lib/class-names.ts';
import { useListState, viewParams } from '#web/lib/list-state.ts';
import { Button, buttonClasses } from '#web/ui/button.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { Freshness } from '#web/ui/freshness.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { DataTable } from '#web/ui/table/data-table.tsx';
import { useSavedViews } from '#web/ui/table/views/use-saved-views.ts';
import { ViewsBar } from '#web/ui/table/views/views-bar.tsx';
import { UndoChangesDialog } from '#web/ui/undo-changes-dialog.tsx';
import { FailedPrices } from './failed-prices.tsx';
import { HistoryCard } from './history-card.tsx';
import { historyColumns } from './history-columns.tsx';
import { HistoryFilters, HistoryPills } from './history-filters.tsx';
import { exportAddress, HISTORY_LIST, HISTORY_VIEWS, historyQuery, serverParams } from './queries.ts';
import { RevertDialog } from './revert-dialog.tsx';
import { canRevert, entryKey, type Revertible } from './revertible.ts';

const NOUN = { one: 'price change', many: 'price changes' };

/** All price changes: old and new price, source, reason, and revert. */
export function HistoryPage(): React.JSX.Element {
  const [state, change] = useListState(HISTORY_LIST);
  const query = useQuery(historyQuery(state));
  const views = useSavedViews({
    list: 'history',
    builtIn: HISTORY_VIEWS,
    params: viewParams(state, HISTORY_LIST),
  });
  const isFiltered = state.q !== '' || Object.keys(state.filters).length > 0;
  // A link must not offer to undo the whole history.
  const undoing = useAddressedDialog('undo', (value) =>
    value === '1' && isFiltered ? serverParams(state) : undefined,
  );
  const reverting = useAddressedDialog('revert', (value): Revertible | null | undefined =>
    query.data === undefined
      ? null
      : query.data.rows.filter(canRevert).find((entry) => entryKey(entry) === value),
  );
  const { open } = reverting;
  const columns = useMemo(() => historyColumns((entry) => open(entryKey(entry))), [open]);
  return (
    <div className="flex flex-col gap-3">
      <PageHeading
        title="Price History"
        subtitle="Every price change, with the time, the person or rule, and the reason"
      >
        <Freshness
          updatedAt={query.dataUpdatedAt}
          refreshing={query.isRefetching}
          onRefresh={query.refetch}
        />
        {isFiltered && (
          <Button look="outline" phone="icon" onClick={() => undoing.open()}>
            <Undo2 aria-hidden />
            <span>Undo these changes</span>
          </Button>
        )}
        <a href={exportAddress(state)} download className={buttonClasses({ look: 'outline', phone: 'icon' })}>
          <Download aria-hidden />
          <span>Export History</span>
        </a>
      </PageHeading>
      <FailedPrices failed={query.data?.failed ?? []} total={query.data?.failedTotal ?? 0} />
      <DataTable
        views={<ViewsBar views={views} noun="price changes" />}
        name={views.tableName}
        baseLayout={views.baseLayout}
        caption="Price changes, newest first"
        noun={NOUN}
        columns={columns}
        rowId={entryKey}
        rowName={({ sku }) => sku}
        query={query}
        paging={{
          page: state.page,
          size: state.size,
          sizes: HISTORY_LIST.sizes,
          onPage: (page) => change({ page }),
          onSize: (size) => change({ size }),
        }}
        density="comfortable"
        toolbar={<HistoryFilters state={state} change={change} />}
        notes={<HistoryPills state={state} change={change} />}
        card={(entry) => <HistoryCard entry={entry} onRevert={(reverted) => open(entryKey(reverted))} />}
        isFiltered={isFiltered}
        empty={<NothingYet />}
        noResults={
          <EmptyNote>
            No price changes match.{' '}
            <Button look="outline" onClick={() => change({ q: '', filters: {} })}>
              Clear filters
            </Button>
          </EmptyNote>
        }
      />
      {undoing.about !== null && (
        <UndoChangesDialog name="these changes" filter={undoing.about} onClose={undoing.close} />
      )}
      {reverting.about !== null && <RevertDialog entry={reverting.about} onClose={reverting.close} />}
    </div>
  );
}

function NothingYet(): React.JSX.Element {
  return (
    <EmptyNote>
      <p>
        No price changes yet. Prices you import, set by hand or let a rule set appear here with their reason.
      </p>
      <Link to="/imports/new" search={{ kind: 'listings' }} className={classNames(buttonClasses(), 'mt-4')}>
        Import listings
      </Link>
    </EmptyNote>
  );
}
