import { Link } from '@tanstack/react-router';
import type { Run } from '#contract/engine.ts';
import { formatCount } from '#web/lib/format.ts';
import { TRIGGER_LABELS } from '#web/lib/run-triggers.ts';
import { MomentText } from '#web/ui/moment-text.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { RunStateBadge, starterOf } from './run-text.tsx';

/** The runs as rows; below 768 px as cards with the same data. */
export function RunsTable({ runs }: { runs: readonly Run[] }): React.JSX.Element {
  return (
    <>
      <PlainTable caption="Runs" isBare className="hidden md:block">
        <thead>
          <tr>
            <HeadCell>Started</HeadCell>
            <HeadCell>Why</HeadCell>
            <HeadCell>By</HeadCell>
            <HeadCell>State</HeadCell>
            <HeadCell numeric>Evaluated</HeadCell>
            <HeadCell numeric>Changed</HeadCell>
            <HeadCell numeric>Recommended</HeadCell>
            <HeadCell numeric>Kept</HeadCell>
            <HeadCell numeric>Blocked</HeadCell>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id} className="hover:bg-hover">
              <Cell>
                <RunLink run={run} />
              </Cell>
              <Cell>{TRIGGER_LABELS[run.trigger]}</Cell>
              <Cell>{starterOf(run)}</Cell>
              <Cell>
                <RunStateBadge state={run.state} />
              </Cell>
              <Cell numeric>{formatCount(run.evaluated)}</Cell>
              <Cell numeric className="font-medium">
                {formatCount(run.changed)}
              </Cell>
              <Cell numeric>{formatCount(run.recommended)}</Cell>
              <Cell numeric>{formatCount(run.kept)}</Cell>
              <Cell numeric>{formatCount(run.blocked)}</Cell>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      <ul aria-label="Runs" className="divide-y md:hidden">
        {runs.map((run) => (
          <li key={run.id} className="flex flex-col gap-1 px-4 py-2">
            <div className="flex items-center justify-between gap-2">
              <RunLink run={run} />
              <RunStateBadge state={run.state} />
            </div>
            <p className="text-fg-muted">
              {TRIGGER_LABELS[run.trigger]}, {starterOf(run)}
            </p>
            <p className="tabular-nums">
              {formatCount(run.changed)} changed, {formatCount(run.recommended)} recommended,{' '}
              {formatCount(run.blocked)} blocked of {formatCount(run.evaluated)}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

function RunLink({ run }: { run: Run }): React.JSX.Element {
  return (
    <Link
      to="/runs/$id"
      params={{ id: run.id }}
      className="inline-flex min-h-11 items-center rounded-sm text-link hover:underline md:min-h-8"
    >
      <span className="sr-only">Run of </span>
      <MomentText iso={run.startedAt} />
    </Link>
  );
}
