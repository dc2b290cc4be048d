import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import type { Import } from '#contract/imports.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { buttonClasses } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Card } from '#web/ui/card.tsx';
import { FaultNotice } from '#web/ui/imports/error-callout.tsx';
import { KINDS } from '#web/ui/imports/kinds.ts';
import { CheckAgain } from './check-again.tsx';
import { CostsToo } from './costs-too.tsx';
import { ProblemGroups } from './problem-groups.tsx';

type ReportStepProps = {
  imported: Import;
  /** The file of an import that stopped is checked again. */
  onCheck: () => void;
};

/** What the import did, what it left out, and where to go on. */
export function ReportStep({ imported, onCheck }: ReportStepProps): React.JSX.Element {
  const { counts, kind, id } = imported;
  const { many, result } = KINDS[kind];
  const isDone = imported.state === 'done';
  const rejected = counts?.rejected ?? 0;
  return (
    <>
      {isDone ? <DoneNotice imported={imported} /> : <FaultNotice imported={imported} />}
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
        <Card className="flex flex-col gap-3 md:p-6">
          <h2 className="text-lg font-semibold">{countOf(rejected, 'row was', 'rows were')} rejected</h2>
          <p className="max-w-[70ch] text-fg-muted">
            Download {rejected === 1 ? 'it, correct it' : 'them, correct them'} and import that file again. It
            has your columns plus one that describes each problem.
          </p>
          <ProblemGroups groups={imported.problems} />
          <a
            href={`/api/imports/${id}/rejected.csv`}
            download
            className={buttonClasses({ look: 'outline', className: 'w-fit' })}
          >
            <Download aria-hidden />
            Download rejected rows
          </a>
        </Card>
      )}
      {isDone && imported.saysCosts && <CostsToo imported={imported} />}
      {imported.notes.length > 0 && (
        <Callout tone="info" title="Good to know">
          <ul className="list-disc pl-4 text-fg-muted">
            {imported.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Callout>
      )}
      <div className="flex flex-wrap gap-2">
        <Link
          to={result.path}
          className={buttonClasses({ look: isDone ? 'primary' : 'outline', size: 'large' })}
        >
          {result.label}
        </Link>
        <Link to="/" className={buttonClasses({ look: 'outline', size: 'large' })}>
          See what can be repriced
        </Link>
        <Link
          to="/imports/new"
          search={{ kind }}
          className={buttonClasses({ look: 'outline', size: 'large' })}
        >
          Import more {many}
        </Link>
      </div>
    </>
  );
}

function DoneNotice({ imported }: { imported: Import }): React.JSX.Element {
  const { counts, kind } = imported;
  if (counts === null || counts.create + counts.update === 0) {
    return (
      <Callout tone="success" title="Import successful!">
        <p className="text-fg-muted">Nothing changed: everything in the file already matched your data.</p>
      </Callout>
    );
  }
  const { one, many } = KINDS[kind];
  return (
    <Callout tone="success" title="Import successful!">
      <p className="text-fg-muted">
        {countOf(counts.create + counts.update, one, many)} created or updated from {imported.fileName}.
      </p>
    </Callout>
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
