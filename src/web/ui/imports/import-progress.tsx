import { Link } from '@tanstack/react-router';
import type { Import } from '#contract/imports.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { buttonClasses } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { CostEffectNote } from './cost-effect-note.tsx';
import { JobProgress } from './job-progress.tsx';
import { KINDS } from './kinds.ts';
import { PreviewTable } from './preview-table.tsx';
import { ProblemGroups } from './problem-groups.tsx';
import { firstProblems } from './problem-text.ts';
import { DoneCallout, ErrorCallout, ImportNotes, RejectedRowsFile } from './report-parts.tsx';
import { Failure, UploadProgress } from './upload-progress.tsx';
import { type FileImport, validRows } from './use-file-import.ts';

/** How far a file is: uploaded, previewed, checked, imported, and what is wrong with it. */
export function ImportProgress({ of }: { of: FileImport }): React.JSX.Element {
  const { imported, runError } = of;
  return (
    <>
      <UploadProgress {...of} />
      {imported !== undefined && <Uploaded imported={imported} allOrNothing={of.allOrNothing} />}
      {runError !== null && !isDeclined(runError) && <Failure title="Nothing was saved" error={runError} />}
    </>
  );
}

type UploadedProps = { imported: Import } & Pick<FileImport, 'allOrNothing'>;

function Uploaded({ imported, allOrNothing }: UploadedProps): React.JSX.Element {
  switch (imported.state) {
    case 'uploaded':
      return (
        <>
          <PreviewTable imported={imported} />
          <OpenQuestions imported={imported} />
        </>
      );
    case 'checking':
      return (
        <>
          <PreviewTable imported={imported} />
          <JobProgress jobId={imported.jobId} label="Checking" />
        </>
      );
    case 'checked':
      return (
        <>
          <Checked imported={imported} allOrNothing={allOrNothing} />
          <PreviewTable imported={imported} />
        </>
      );
    case 'importing':
      return (
        <>
          <p className="text-fg-muted">You can keep working. The Jobs menu shows when the import is done.</p>
          <JobProgress jobId={imported.jobId} label="Importing" />
        </>
      );
    case 'done':
      return <Done imported={imported} />;
    case 'failed':
      return <ErrorCallout imported={imported} />;
  }
}

/** What has to be answered on the page of the import before the file can be checked. */
function OpenQuestions({ imported }: { imported: Import }): React.JSX.Element | null {
  const { missingColumns, guessed, questions, columns } = imported;
  const labelsOf = (names: readonly string[]): string =>
    names.map((name) => columns.find((column) => column.name === name)?.label ?? name).join(', ');
  if (missingColumns.length > 0) {
    return (
      <Callout
        tone="danger"
        role="alert"
        title={`${countOf(missingColumns.length, 'required column is', 'required columns are')} missing`}
      >
        <p className="text-fg-muted">
          No column matches {labelsOf(missingColumns)}. Choose the column, or correct the file.
        </p>
      </Callout>
    );
  }
  if (guessed.length + questions.length === 0) return null;
  return (
    <Callout tone="info" role="status" title="Review the columns first">
      <p className="text-fg-muted">
        {guessed.length > 0
          ? guessesText(imported, labelsOf)
          : 'Choose how to read the dates, weights or numbers in this file.'}
      </p>
    </Callout>
  );
}

function guessesText({ guessed, mapping }: Import, labelsOf: (names: readonly string[]) => string): string {
  const renamed = guessed.filter((name) => mapping[name] != null);
  return renamed.length > 0
    ? `Read from columns with other names: ${labelsOf(renamed)}.`
    : `Not read from the file: ${labelsOf(guessed)}.`;
}

/** What importing would do, and each kind of mistake; the rows themselves are on the page of the import. */
function Checked({ imported, allOrNothing }: UploadedProps): React.JSX.Element | null {
  const { counts, kind, problems } = imported;
  if (counts === null) return null;
  return (
    <>
      <p role="status" className="tabular-nums">
        {formatCount(counts.create)} new, {formatCount(counts.update)} changed,{' '}
        {formatCount(counts.unchanged)} unchanged, {formatCount(counts.rejected)} rejected. Nothing has been
        saved yet.
      </p>
      <ImportNotes imported={imported} />
      <CostEffectNote imported={imported} />
      {counts.rejected > 0 && (
        <>
          <Rejected imported={imported} allOrNothing={allOrNothing} />
          <ProblemGroups groups={problems} />
        </>
      )}
      {counts.rows === 0 && (
        <Callout tone="danger" title="No data to import">
          <p className="text-fg-muted">The file has a header and no {KINDS[kind].many}.</p>
        </Callout>
      )}
      {counts.rows > counts.rejected && counts.rejected === 0 && (
        <Link
          to="/imports/$id"
          params={{ id: imported.id }}
          search={{ step: 'check' }}
          className="w-fit rounded-sm text-link underline"
        >
          See what changes in each row
        </Link>
      )}
    </>
  );
}

function Rejected({ imported, allOrNothing }: UploadedProps): React.JSX.Element {
  const rejected = imported.counts?.rejected ?? 0;
  return (
    <Callout
      tone="danger"
      role="alert"
      title={
        allOrNothing ? `${countOf(rejected, 'row needs', 'rows need')} correction` : 'CSV validation errors'
      }
    >
      <p className="text-fg-muted">
        {allOrNothing ? 'Nothing is imported until every row is valid.' : firstProblems(imported)}
      </p>
      <p className="mt-2">
        <Link
          to="/imports/$id"
          params={{ id: imported.id }}
          search={{ step: 'check', status: 'rejected' }}
          className="rounded-sm text-link underline"
        >
          See every rejected row
        </Link>
        {validRows(imported) > 0 &&
          (allOrNothing ? ', or import only the valid rows there.' : ', or import the others now.')}
      </p>
    </Callout>
  );
}

function Done({ imported }: { imported: Import }): React.JSX.Element {
  const rejected = imported.counts?.rejected ?? 0;
  return (
    <>
      <DoneCallout imported={imported} />
      {rejected > 0 && (
        <Callout tone="danger" title={`${countOf(rejected, 'row was', 'rows were')} skipped`}>
          <p className="text-fg-muted">{firstProblems(imported)}</p>
          <div className="mt-3 flex flex-wrap gap-2">
            <Link
              to="/imports/$id"
              params={{ id: imported.id }}
              className={buttonClasses({ look: 'outline' })}
            >
              See the report
            </Link>
            <RejectedRowsFile imported={imported} />
          </div>
        </Callout>
      )}
    </>
  );
}
