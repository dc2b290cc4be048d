import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useMemo } from 'react';
import type { AuditRow } from '#contract/audit.ts';
import { useListState } from '#web/lib/list-state.ts';
import { Button, buttonClasses } from '#web/ui/button.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { Freshness } from '#web/ui/freshness.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { DataTable } from '#web/ui/table/data-table.tsx';
import { AuditCard } from './audit-card.tsx';
import { auditColumns } from './audit-columns.tsx';
import { AuditFilters, AuditPills } from './audit-filters.tsx';
import { AuditPager } from './audit-pager.tsx';
import { AuditSheet } from './audit-sheet.tsx';
import { AUDIT_LIST, auditQuery, exportAddress, withFilter } from './queries.ts';
import { useAuditSheet } from './use-audit-sheet.ts';

const NOUN = { one: 'row', many: 'rows of the audit log' };
const NO_ROWS: readonly AuditRow[] = [];
const rowId = (row: AuditRow): string => row.id;
const rowName = (row: AuditRow): string => row.sentence;

/** Who did what, when and from where: search, filter, export; read-only. */
export function AuditPage(): React.JSX.Element {
  const [state, change] = useListState(AUDIT_LIST);
  const query = useQuery(auditQuery(state));
  const sheet = useAuditSheet();
  const columns = useMemo(() => auditColumns(sheet.open), [sheet.open]);
  const rowKeys = useMemo(() => {
    const open = ({ id }: AuditRow): void => sheet.open(id);
    return { Enter: open, o: open };
  }, [sheet.open]);
  const rows = query.data?.rows ?? NO_ROWS;
  // The table needs a total, which an append-only log does not count: any number above zero is enough.
  const data = useMemo(
    () => query.data && { rows: query.data.rows, total: query.data.rows.length },
    [query.data],
  );
  return (
    <div className="flex gap-4 print:block">
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <PageHeading
          title="Audit log"
          subtitle="Who did what, when and from where. Entries cannot be changed"
        >
          <Freshness
            updatedAt={query.dataUpdatedAt}
            refreshing={query.isRefetching}
            onRefresh={query.refetch}
          />
          <a
            href={exportAddress(state)}
            download
            className={buttonClasses({ look: 'outline', phone: 'icon' })}
          >
            <Download aria-hidden />
            <span>Export CSV</span>
          </a>
        </PageHeading>
        <DataTable
          name="audit"
          caption="Audit log, newest first"
          noun={NOUN}
          texts={{ loading: 'Loading the audit log', failed: 'Failed to load the audit log' }}
          columns={columns}
          rowId={rowId}
          rowName={rowName}
          query={{ ...query, data }}
          toolbar={<AuditFilters state={state} change={change} />}
          notes={<AuditPills state={state} change={change} rows={rows} />}
          card={(row) => <AuditCard row={row} onOpen={sheet.open} />}
          isFiltered={state.q !== '' || Object.keys(state.filters).length > 0}
          empty={<EmptyNote>Every login, change, export and rejected request appears here.</EmptyNote>}
          noResults={
            <EmptyNote>
              No rows match.{' '}
              <Button look="outline" onClick={() => change({ q: '', filters: {} })}>
                Clear filters
              </Button>
            </EmptyNote>
          }
          rowKeys={rowKeys}
          foot={<AuditPager state={state} change={change} page={query.data} isBusy={query.isFetching} />}
        />
      </div>
      <AuditSheet
        sheet={sheet}
        rows={rows}
        onTarget={({ kind, id }) => change({ filters: withFilter(state, { kind, target: id ?? '' }) })}
      />
    </div>
  );
}
