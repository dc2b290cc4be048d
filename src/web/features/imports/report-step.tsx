import { Link } from '@tanstack/react-router';
import type { Import } from '#contract/imports.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { Button, buttonClasses } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { useMapColumns } from '#web/ui/imports/import-calls.ts';
import { KINDS } from '#web/ui/imports/kinds.ts';
import { ProblemGroups } from '#web/ui/imports/problem-groups.tsx';
import { DoneCallout, ErrorCallout, ImportNotes, RejectedRowsFile } from '#web/ui/imports/report-parts.tsx';
import { Failure } from '#web/ui/imports/upload-progress.tsx';
import { CostsToo } from './costs-too.tsx';

type ReportStepProps = {
  imported: Import;
  /** The file of an import that stopped is checked again. */
  onCheck: () => void;
};

/** What the import did, what it skipped, and what to do next. */
export function ReportStep({ imported, onCheck }: ReportStepProps): React.JSX.Element {
  const { counts, kind } = imported;
  const { many, result } = KINDS[kind];
  const isDone = imported.state === 'done';
  const rejected = counts?.rejected ?? 0;
  return (
    <>
      {isDone ? <DoneCallout imported={imported} /> : <ErrorCallout imported={imported} />}
      {!isDone && <CheckAgain imported={imported} onCheck={onCheck} />}
      {counts !== null && (isDone || counts.rows > 0) && (
        <dl className="grid grid-cols-2 gap-2 lg:grid-cols-4">
          <Figure label="Created" value={counts.create} />
          <Figure label="Updated" value={counts.update} />
          <Figure label="Unchanged" value={counts.unchanged} />
          <Figure label="Rejected" value={rejected} />
        </dl>
      )}
      {rejected > 0 && (
        <Card className="flex flex-col gap-3">
          <h2 className="text-md font-semibold">{countOf(rejected, 'row was', 'rows were')} rejected</h2>
          <p className="max-w-[70ch] text-fg-muted">
            Download {rejected === 1 ? 'it, correct it' : 'them, correct them'} and import that file again. It
            has your columns plus one that describes each problem.
          </p>
          <ProblemGroups groups={imported.problems} />
          <RejectedRowsFile imported={imported} />
        </Card>
      )}
      {isDone && imported.saysCosts && <CostsToo imported={imported} />}
      <ImportNotes imported={imported} />
      <div className="flex flex-wrap gap-2">
        <Link to={result.path} className={buttonClasses({ look: isDone ? 'primary' : 'outline' })}>
          {result.label}
        </Link>
        <Link to="/" className={buttonClasses({ look: 'outline' })}>
          See what can be repriced
        </Link>
        <Link to="/imports/new" search={{ kind }} className={buttonClasses({ look: 'outline' })}>
          Import more {many}
        </Link>
      </div>
    </>
  );
}

/** Checks a file whose import stopped once more, with the same columns: what is imported already is unchanged then. */
function CheckAgain({ imported, onCheck }: ReportStepProps): React.JSX.Element {
  const { id, mapping, defaults, readings } = imported;
  const map = useMapColumns(id);
  return (
    <>
      {map.isError && <Failure title="Could not check the file" error={map.error} />}
      <Button
        onClick={() => map.mutate({ mapping, defaults, readings }, { onSuccess: onCheck })}
        pending={map.isPending}
        pendingText="Starting..."
        className="w-fit"
      >
        Check again
      </Button>
    </>
  );
}

function Figure(props: { label: string; value: number }): React.JSX.Element {
  return (
    <div className="rounded-lg border bg-surface px-4 py-3">
      <dt className="text-sm text-fg-muted">{props.label}</dt>
      <dd className="text-xl font-semibold tabular-nums">{formatCount(props.value)}</dd>
    </div>
  );
}
