import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import type { Import } from '#contract/imports.ts';
import { errorText } from '#web/lib/api.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { buttonClasses } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { FaultNotice } from './error-callout.tsx';
import { firstProblems } from './problem-text.ts';
import { JobProgress } from './job-progress.tsx';
import { KINDS, sizeText } from './kinds.ts';
import { PreviewTable } from './preview-table.tsx';

/** The part of a mutation that is shown. */
type Attempt = { readonly isPending: boolean; readonly error: Error | null };

type ImportProgressProps = {
  file: File | null;
  /** Bytes sent so far. */
  sent: number;
  upload: Attempt;
  run: Attempt;
  imported: Import | undefined;
};

/** Where a file stands: on its way, previewed, checked, imported, and whatever went wrong. */
export function ImportProgress({
  file,
  sent,
  upload,
  run,
  imported,
}: ImportProgressProps): React.JSX.Element {
  return (
    <>
      {upload.isPending && file !== null && (
        <div className="flex flex-col gap-1">
          <ProgressBar label="Upload" done={sent} total={file.size} />
          <p className="text-sm text-fg-muted tabular-nums">
            {sent >= file.size ? 'Reading the file...' : `${sizeText(sent)} of ${sizeText(file.size)}`}
          </p>
        </div>
      )}
      {upload.error !== null && <Failed title="Could not upload the file" error={upload.error} />}
      {imported !== undefined && <Uploaded imported={imported} />}
      {run.error !== null && !isDeclined(run.error) && <Failed title="Nothing was saved" error={run.error} />}
    </>
  );
}

function Failed({ title, error }: { title: string; error: Error }): React.JSX.Element {
  return (
    <Callout tone="danger" role="alert" title={title}>
      <p className="text-fg-muted">{errorText(error)}</p>
    </Callout>
  );
}

function Uploaded({ imported }: { imported: Import }): React.JSX.Element {
  switch (imported.state) {
    case 'uploaded':
      return (
        <>
          <PreviewTable imported={imported} />
          <OpenAnswers imported={imported} />
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
          <Checked imported={imported} />
          <PreviewTable imported={imported} />
        </>
      );
    case 'importing':
      return (
        <>
          <p className="text-fg-muted">You can close this. The Jobs menu shows when the import is done.</p>
          <JobProgress jobId={imported.jobId} label="Importing" />
        </>
      );
    case 'done':
      return <Done imported={imported} />;
    case 'failed':
      return <FaultNotice imported={imported} />;
  }
}

/** What is to be said of the columns before the file can be checked. */
function OpenAnswers({ imported }: { imported: Import }): React.JSX.Element | null {
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

/** What importing would do; of what is wrong the first three, the rest on the page of the import. */
function Checked({ imported }: { imported: Import }): React.JSX.Element | null {
  const { id, counts, notes, kind } = imported;
  if (counts === null) return null;
  const hasValid = counts.rows > counts.rejected;
  return (
    <>
      <p role="status" className="tabular-nums">
        {formatCount(counts.create)} new, {formatCount(counts.update)} changed,{' '}
        {formatCount(counts.unchanged)} unchanged, {formatCount(counts.rejected)} rejected. Nothing has been
        saved yet.
      </p>
      {notes.length > 0 && (
        <ul className="list-disc pl-4 text-fg-muted">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {counts.rejected > 0 && (
        <Callout tone="danger" role="alert" title="CSV validation errors">
          <p className="text-fg-muted">{firstProblems(imported)}</p>
          <p className="mt-2">
            <Link
              to="/imports/$id"
              params={{ id }}
              search={{ step: 'check', verdict: 'rejected' }}
              className="rounded-sm text-link underline"
            >
              See every rejected row
            </Link>
            {hasValid && ', or import the others now.'}
          </p>
        </Callout>
      )}
      {!hasValid && counts.rejected === 0 && (
        <Callout tone="danger" title="No data to import">
          <p className="text-fg-muted">The file has a header and no {KINDS[kind].many}.</p>
        </Callout>
      )}
    </>
  );
}

function Done({ imported }: { imported: Import }): React.JSX.Element {
  const { id, counts, kind } = imported;
  const { one, many } = KINDS[kind];
  const written = counts === null ? 0 : counts.create + counts.update;
  const rejected = counts?.rejected ?? 0;
  return (
    <>
      <Callout tone="success" role="status" title="Import successful!">
        <p className="text-fg-muted">
          {written === 0
            ? 'Nothing changed: every valid row already matched your data.'
            : `${countOf(written, one, many)} created or updated.`}
        </p>
      </Callout>
      {rejected > 0 && (
        <Callout tone="danger" title={`${countOf(rejected, 'row was', 'rows were')} skipped`}>
          <p className="text-fg-muted">{firstProblems(imported)}</p>
          <div className="mt-3 flex flex-wrap gap-2">
            <Link to="/imports/$id" params={{ id }} className={buttonClasses({ look: 'outline' })}>
              See the report
            </Link>
            <a
              href={`/api/imports/${id}/rejected.csv`}
              download
              className={buttonClasses({ look: 'outline' })}
            >
              <Download aria-hidden />
              Download rejected rows
            </a>
          </div>
        </Callout>
      )}
    </>
  );
}
