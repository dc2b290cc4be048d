import { useEffect, useMemo, useRef } from 'react';
import { classNames } from '#web/lib/class-names.ts';
import { MOBILE, useMediaQuery } from '#web/lib/use-media-query.ts';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { lastPage, Pager } from '#web/ui/pager.tsx';
import { useDelayed } from '#web/ui/use-delayed.ts';
import { BulkBar } from './bulk-bar.tsx';
import { CardList } from './card-list.tsx';
import { SELECT_WIDTH } from './column.ts';
import { LayoutMenu } from './layout-menu.tsx';
import { CardSkeletons } from './row-skeletons.tsx';
import { SelectionBanner } from './selection-banner.tsx';
import { TableRegion } from './table-region.tsx';
import type { DataTableProps, RowKey } from './table-types.ts';
import { useKeptRows } from './use-kept-rows.ts';
import { useTableAnnouncement } from './use-table-announcement.ts';
import { useTableKeys } from './use-table-keys.ts';
import { useTableLayout } from './use-table-layout.ts';
import { useRowSelection } from './use-table-selection.ts';

/**
 * The one table of the product: rows sorted, filtered and paged by the server, with selection, custom columns,
 * keyboard support, and cards instead of rows on a narrow screen.
 */
export function DataTable<Row>(props: DataTableProps<Row>): React.JSX.Element {
  const { selection } = props;
  const query = useKeptRows(props.query);
  const layout = useTableLayout({
    name: props.name,
    base: props.baseLayout,
    columns: props.columns,
    empty: query.data?.emptyColumns,
    sortedBy: props.sort?.by,
    hasPanel: typeof props.openRow === 'string',
    density: props.density ?? 'default',
    startAt: selection === undefined ? 0 : SELECT_WIDTH,
  });
  const isMobile = useMediaQuery(MOBILE);
  const container = useRef<HTMLDivElement>(null);
  const { data } = query;
  const phase = useDelayed(data === undefined && query.error === null);
  const shown = useMemo(() => (data?.rows ?? []).map(props.rowId), [data, props.rowId]);
  const rowSelection = useRowSelection(selection, shown);
  // Nothing to search, filter or arrange yet.
  const isFirstUse = data?.total === 0 && !props.isFiltered && !query.isPlaceholderData;
  useTableAnnouncement(props);
  useLastPage(props);
  useTableKeys(keysOf({ ...props, query }, container, rowSelection));
  return (
    <div ref={container} className="flex min-w-0 flex-col">
      <div className="table-card rounded-lg border bg-surface shadow-card max-md:-mx-4 max-md:rounded-none max-md:border-x-0 print:border-0">
        {!isFirstUse && (
          <div className="flex flex-wrap items-center gap-x-1.5 border-b md:min-h-10 md:pr-2 md:pl-4 print:hidden">
            {props.views !== undefined && (
              <div className="w-full min-w-0 basis-full empty:hidden max-md:border-b max-md:px-4 md:w-auto md:flex-1 md:basis-60">
                {props.views}
              </div>
            )}
            <div className="flex w-full flex-wrap items-center gap-1.5 py-1 max-md:px-4 md:w-auto md:max-w-full">
              {props.toolbar}
              {!isMobile && <LayoutMenu layout={layout} />}
            </div>
          </div>
        )}
        {props.notes}
        {selection !== undefined && data !== undefined && (
          <SelectionBanner selection={selection} shown={shown} total={data.total} />
        )}
        <Content
          {...props}
          query={query}
          layout={layout}
          rowSelection={rowSelection}
          isMobile={isMobile}
          phase={phase}
        />
        {selection !== undefined && (
          <BulkBar selection={selection} noun={props.noun} shown={shown}>
            {props.bulkActions}
          </BulkBar>
        )}
        {/* Under skeleton rows, which stay for a moment, it would move when the rows arrive. */}
        {phase !== 'placeholder' && <Foot {...props} query={query} />}
      </div>
    </div>
  );
}

/** Paging: numbered pages, or the list's own. */
function Foot<Row>({ paging, query, foot }: DataTableProps<Row>): React.ReactNode {
  const { data } = query;
  if (paging === undefined || data === undefined || (data.total === 0 && paging.none === undefined))
    return foot;
  return (
    <Pager
      {...paging}
      total={data.total}
      isTotalExact={data.isTotalExact !== false}
      isBusy={paging.waits === true && query.isFetching}
    />
  );
}

type ContentProps<Row> = DataTableProps<Row> & {
  layout: ReturnType<typeof useTableLayout<Row>>;
  rowSelection: ReturnType<typeof useRowSelection>;
  isMobile: boolean;
  phase: ReturnType<typeof useDelayed>;
};

/** Failed, loading, empty, or rows. Loaded rows stay when a later load fails. */
function Content<Row>(props: ContentProps<Row>): React.JSX.Element {
  const { query, noun, texts, isMobile, phase } = props;
  const { data, error } = query;
  // Old rows, dimmed only after a noticeable wait: a quick response must not make the table blink.
  const isOld = useDelayed(query.isPlaceholderData) === 'placeholder' && query.isPlaceholderData;
  const failure = error !== null && (
    <LoadFailed
      title={texts?.failed ?? `Failed to ${data === undefined ? 'load' : 'refresh'} the ${noun.many}`}
      error={error}
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
    />
  );
  if (data === undefined && error !== null) return <>{failure}</>;
  if (data?.total === 0 && phase === 'ready')
    return <>{failure || (props.isFiltered ? props.noResults : props.empty)}</>;
  const isWaiting = phase === 'placeholder';
  return (
    <>
      {failure}
      {isWaiting && (
        <p role="status" className="sr-only">
          {texts?.loading ?? `Loading the ${noun.many}`}
        </p>
      )}
      {isMobile ? (
        <div aria-busy={query.isFetching} className={classNames(isOld && 'opacity-60')}>
          {isWaiting ? <CardSkeletons /> : <Cards {...props} />}
        </div>
      ) : (
        <TableRegion {...props} isWaiting={isWaiting} isOld={isOld} />
      )}
    </>
  );
}

function Cards<Row>(props: ContentProps<Row>): React.JSX.Element {
  return (
    <CardList
      label={props.caption}
      rows={props.query.data?.rows ?? []}
      rowId={props.rowId}
      rowName={props.rowName}
      card={props.card}
      startsSelectionElsewhere={props.cardsStartSelection === true}
      hasSelected={(props.selection?.count ?? 0) > 0}
      isSelected={props.selection?.has ?? null}
      onToggle={props.rowSelection?.toggle ?? (() => undefined)}
    />
  );
}

/** An address may name a page that no longer exists: the last one is shown instead. */
function useLastPage<Row>({ query, paging }: DataTableProps<Row>): void {
  const total = query.isPlaceholderData ? undefined : query.data?.total;
  const isEmpty = query.data?.rows.length === 0;
  useEffect(() => {
    if (paging === undefined || total === undefined || !isEmpty) return;
    const last = lastPage(total, paging.size);
    if (paging.page > last) paging.onPage(last);
  }, [paging, total, isEmpty]);
}

function keysOf<Row>(
  { query, selection, rowId, rowKeys }: DataTableProps<Row>,
  container: React.RefObject<HTMLDivElement | null>,
  rowSelection: ReturnType<typeof useRowSelection>,
): Parameters<typeof useTableKeys>[0] {
  const { data } = query;
  const canSelect = selection !== undefined;
  return {
    container,
    onToggle: canSelect
      ? (id, withRange) => rowSelection?.toggle(id, !selection.has(id), withRange)
      : undefined,
    onSelectPage: canSelect ? () => rowSelection?.togglePage(true) : undefined,
    onClear: canSelect && selection.count > 0 ? () => selection.clear() : undefined,
    onRefresh: () => void query.refetch(),
    onRowKey: (key, id) => {
      const action = rowKeys?.[key as RowKey];
      const row = data?.rows.find((each) => rowId(each) === id);
      if (action === undefined || row === undefined) return false;
      action(row);
      return true;
    },
  };
}
