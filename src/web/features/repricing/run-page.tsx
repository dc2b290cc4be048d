import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import type { RunDetail } from '#contract/engine.ts';
import { ApiError } from '#web/lib/api.ts';
import { formatCount, formatPercent } from '#web/lib/format.ts';
import { formatDuration, formatMoment } from '#web/lib/moments.ts';
import { TRIGGER_LABELS } from '#web/lib/run-triggers.ts';
import { buttonClasses } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { Figure, Figures } from '#web/ui/figures.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { MarginText } from '#web/ui/margin-text.tsx';
import { useNow } from '#web/ui/moment-text.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { SoldLine } from '#web/ui/profit/sold-line.tsx';
import { ProgressBar, progressText } from '#web/ui/progress-bar.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { SignedMoney } from '#web/ui/signed-money.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { UndoneCallout } from '#web/ui/undone-callout.tsx';
import { coverageOf } from './equal-sales.tsx';
import { RunItems } from './run-items.tsx';
import { runExportPath, runQuery, useUndoRun } from './run-queries.ts';
import { RunStateBadge, starterOf } from './run-text.tsx';
import { UndoRun } from './undo-run.tsx';

/** One run: its counts, and each listing it changed, recommended or could not price. */
export function RunPage(): React.JSX.Element {
  const { id = '' }: { id?: string } = useParams({ strict: false });
  // The result of an undo belongs to its run.
  return <OneRun key={id} id={id} />;
}

function OneRun({ id }: { id: string }): React.JSX.Element {
  const run = useQuery(runQuery(id));
  const undo = useUndoRun(id);
  const isMissing = run.error instanceof ApiError && run.error.status === 404;
  return (
    <div className="flex flex-col gap-3">
      <RunHeading id={id} run={run.data}>
        {run.data !== undefined && (
          <>
            <a
              href={runExportPath(id)}
              download
              className={buttonClasses({ look: 'outline', phone: 'icon' })}
            >
              <Download aria-hidden />
              <span>Export run as CSV</span>
            </a>
            <UndoRun run={run.data} undo={undo} />
          </>
        )}
      </RunHeading>
      <QueryView
        query={run}
        loading={<Skeleton className="h-32" />}
        failed={(error, retry) =>
          isMissing ? (
            <EmptyNote>
              Run {id} was not found. Old runs are deleted; their price changes stay in Price History.
            </EmptyNote>
          ) : (
            <LoadFailed
              title="Failed to load the run"
              error={error}
              onRetry={retry}
              retrying={run.isFetching}
            />
          )
        }
      >
        {(data) => (
          <div className="flex flex-col gap-3">
            <RunFacts run={data} />
            {undo.data !== undefined && <UndoneCallout outcome={undo.data} />}
            <RunItems run={data} />
          </div>
        )}
      </QueryView>
    </div>
  );
}

type RunHeadingProps = { id: string; run: RunDetail | undefined; children: React.ReactNode };

/** The run with its state, who or what started it, when, and how long it took; below 1280 px that is a line below. */
function RunHeading({ id, run, children }: RunHeadingProps): React.JSX.Element {
  const now = useNow();
  const took =
    run?.endedAt == null
      ? ''
      : `, took ${formatDuration(Math.max(0, Date.parse(run.endedAt) - Date.parse(run.startedAt)))}`;
  const facts =
    run === undefined
      ? undefined
      : `${TRIGGER_LABELS[run.trigger]}, ${starterOf(run)}, ${formatMoment(run.startedAt, 'short', now)}${took}`;
  return (
    <div>
      <PageHeading
        title={`Run ${id}`}
        badge={run !== undefined && <RunStateBadge state={run.state} />}
        {...(facts !== undefined && { subtitle: facts })}
      >
        {children}
      </PageHeading>
      {facts !== undefined && (
        <p aria-hidden className="text-sm text-fg-muted xl:hidden">
          {facts}
        </p>
      )}
    </div>
  );
}

function RunFacts({ run }: { run: RunDetail }): React.JSX.Element {
  return (
    <div className="flex flex-col gap-3">
      {run.state === 'running' && (
        <div className="flex max-w-xl flex-col gap-1">
          <ProgressBar label="Repricing" done={run.evaluated} total={run.planned} />
          <p className="text-sm text-fg-muted tabular-nums">{progressText(run.evaluated, run.planned)}</p>
        </div>
      )}
      {run.stopReason !== null && (
        <Callout
          tone="danger"
          title={run.state === 'failed' ? 'This run failed' : 'This run was stopped before it finished'}
        >
          <p className="text-fg-muted">{run.stopReason}</p>
        </Callout>
      )}
      <RunFigures run={run} />
      {(run.sent !== undefined || run.sold !== undefined || run.undoesRunId !== null) && (
        <div className="flex flex-wrap items-center gap-x-6 px-1 text-sm">
          {run.undoesRunId !== null && (
            <Link
              to="/runs/$id"
              params={{ id: run.undoesRunId }}
              className="inline-flex min-h-10 items-center rounded-sm text-link hover:underline md:min-h-8"
            >
              Undoes run {run.undoesRunId}
            </Link>
          )}
          {run.sent !== undefined && <SentPrices sent={run.sent} />}
          <SoldLine sold={run.sold} of={{ run: run.id }} />
        </div>
      )}
    </div>
  );
}

/** What it did and what that is worth. */
function RunFigures({ run }: { run: RunDetail }): React.JSX.Element {
  const { up, down, equalSales, equalSalesOf, marginBefore, marginAfter } = run.money;
  return (
    <Figures columns={5}>
      <Figure
        label="Changed"
        note={up + down === 0 ? undefined : `${formatCount(up)} up, ${formatCount(down)} down`}
      >
        {formatCount(run.changed)}
      </Figure>
      <Figure
        label="At same volume"
        note={coverageOf({ equalSalesOf, changes: up + down }) ?? 'a week, at 30-day sales volume'}
      >
        <SignedMoney amount={equalSales} />
      </Figure>
      <Figure
        label="Margin of these"
        note={marginBefore === null ? undefined : `from ${formatPercent(marginBefore)}`}
      >
        <MarginText percent={marginAfter} />
      </Figure>
      <Figure label="Recommended" note={`${formatCount(run.blocked)} blocked`}>
        {formatCount(run.recommended)}
      </Figure>
      <Figure label="Evaluated" note={`${formatCount(run.kept)} kept`}>
        {formatCount(run.evaluated)}
      </Figure>
    </Figures>
  );
}

/** Decided is not confirmed: the status of the prices at their marketplaces. */
function SentPrices({ sent }: { sent: NonNullable<RunDetail['sent']> }): React.JSX.Element {
  const { confirmed, inProgress, notApplied } = sent;
  const parts = [
    `${formatCount(confirmed)} confirmed`,
    ...(inProgress > 0 ? [`${formatCount(inProgress)} on ${inProgress === 1 ? 'its' : 'their'} way`] : []),
    ...(notApplied > 0 ? [`${formatCount(notApplied)} rejected, not sent or replaced by a newer price`] : []),
  ];
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span>On connected marketplaces: {parts.join(', ')}.</span>
      {notApplied > 0 && (
        <Link
          to="/history"
          className="inline-flex min-h-11 items-center rounded-sm text-link underline md:min-h-8"
        >
          Prices not applied
        </Link>
      )}
    </p>
  );
}
