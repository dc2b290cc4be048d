import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Import, ImportLine, ImportProblem } from '#contract/imports.ts';
import { formatCount } from '#web/lib/format.ts';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { linesQuery, type RowStatus } from '#web/ui/imports/import-calls.ts';
import { ListSkeleton } from '#web/ui/list-skeleton.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { NotAvailable } from '#web/ui/not-available.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { QueryView } from '#web/ui/query-view.tsx';

type Line = z.output<typeof ImportLine>;
type Problem = z.output<typeof ImportProblem>;
type RowStatusLinesProps = { imported: Import; status: RowStatus; count: number };

/** The choice below the rows stays within reach. */
const BOUNDED = 'max-h-112 overflow-y-auto [&_th]:sticky [&_th]:top-0 [&_th]:bg-surface';

/** As many entries as the bounded table shows at once, about. */
const MAX_PLACES = 10;

const NO_ROWS = {
  create: 'No row is new.',
  update: 'No row changes anything.',
  unchanged: 'Every valid row changes something.',
  rejected: 'Every row is valid.',
} as const satisfies Record<RowStatus, string>;

/** The rows of one status, at most 200: what would change, or what is wrong and how to put it right. */
export function RowStatusLines({ imported, status, count }: RowStatusLinesProps): React.JSX.Element {
  const lines = useQuery({ ...linesQuery(imported.id, status), enabled: count > 0 });
  if (count === 0) return <EmptyNote>{NO_ROWS[status]}</EmptyNote>;
  return (
    <QueryView
      query={lines}
      keepsPlace
      loading={<ListSkeleton rows={Math.min(count, MAX_PLACES)} />}
      failed={(error, retry) => (
        <LoadFailed
          title="Failed to load the rows"
          error={error}
          onRetry={retry}
          retrying={lines.isFetching}
        />
      )}
    >
      {(data) => {
        const shown =
          status === 'rejected' ? new Set(data.problems.map(({ line }) => line)).size : data.lines.length;
        return (
          <>
            {status === 'rejected' ? (
              <ProblemsTable problems={data.problems} />
            ) : (
              <LinesTable lines={data.lines} status={status} columns={imported.columns} />
            )}
            {shown < count && (
              <p className="text-sm text-fg-muted">
                The first {formatCount(shown)} of {formatCount(count)} rows.
              </p>
            )}
          </>
        );
      }}
    </QueryView>
  );
}

type LinesTableProps = { lines: readonly Line[]; status: RowStatus; columns: Import['columns'] };

function LinesTable({ lines, status, columns }: LinesTableProps): React.JSX.Element {
  const labels = new Map(columns.map(({ name, label }) => [name, label]));
  const hasChanges = lines.some(({ changes }) => changes.length > 0);
  return (
    <PlainTable caption="Rows" className={BOUNDED}>
      <thead>
        <tr>
          <HeadCell numeric className="w-16">
            Line
          </HeadCell>
          <HeadCell>What</HeadCell>
          {hasChanges && <HeadCell>{status === 'update' ? 'Old and new' : 'Values'}</HeadCell>}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.line}>
            <Cell numeric>{formatCount(line.line)}</Cell>
            <Cell>
              <span className="font-mono text-sm">{line.label}</span>
              {line.title !== null && line.title !== line.label && (
                <span className="block max-w-80 truncate text-sm text-fg-muted">{line.title}</span>
              )}
            </Cell>
            {hasChanges && (
              <Cell>
                <ul className="flex flex-wrap gap-x-4 gap-y-0.5">
                  {line.changes.map((change) => (
                    <li key={change.field}>
                      <span className="text-fg-muted">{labels.get(change.field) ?? change.field}: </span>
                      {status === 'update' && (
                        <>
                          <Value text={change.from} />
                          <span className="text-fg-muted">
                            <span aria-hidden> → </span>
                            <span className="sr-only"> becomes </span>
                          </span>
                        </>
                      )}
                      <Value text={change.to} />
                    </li>
                  ))}
                </ul>
              </Cell>
            )}
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}

function Value({ text }: { text: string | null }): React.JSX.Element {
  return text === null || text === '' ? <NotAvailable /> : <span className="font-medium">{text}</span>;
}

function ProblemsTable({ problems }: { problems: readonly Problem[] }): React.JSX.Element {
  return (
    <PlainTable caption="Rejected rows" className={BOUNDED}>
      <thead>
        <tr>
          <HeadCell numeric className="w-16">
            Line
          </HeadCell>
          <HeadCell>Column</HeadCell>
          <HeadCell>Value</HeadCell>
          <HeadCell>Problem</HeadCell>
          <HeadCell>How to fix</HeadCell>
        </tr>
      </thead>
      <tbody>
        {problems.map((problem) => (
          <tr key={`${problem.line} ${problem.column} ${problem.problem}`}>
            <Cell numeric>{formatCount(problem.line)}</Cell>
            <Cell>{problem.column ?? <NotAvailable />}</Cell>
            <Cell className="max-w-48 truncate font-mono text-sm">{problem.value ?? <NotAvailable />}</Cell>
            <Cell className="min-w-48">{problem.problem}</Cell>
            <Cell className="min-w-48 text-fg-muted">{problem.fix}</Cell>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}
