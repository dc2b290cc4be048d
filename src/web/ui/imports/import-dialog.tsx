import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Import, ImportKind } from '#contract/imports.ts';
import { countOf } from '#web/lib/format.ts';
import { keepJobInView } from '#web/lib/jobs-in-view.ts';
import { Button, buttonClasses } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FilePicker } from './file-picker.tsx';
import { importQuery, useRunImport, useUpload } from './import-calls.ts';
import { ImportProgress } from './import-progress.tsx';
import { fileFault, KINDS } from './kinds.ts';

/** A dialog that has nothing more to say closes by itself after this many milliseconds. */
const CLOSES_AFTER = 2_000;

type ImportDialogProps = {
  kind: ImportKind;
  onClose: () => void;
  /** Rows were written: lists that show them are old. */
  onImported: () => void;
};

/**
 * Brings a file in without leaving the screen: choose, look, import. Nothing is written before the last step, and
 * closing does not stop it. What needs more, such as other columns, goes on on the page of the import.
 */
export function ImportDialog({ kind, onClose, onImported }: ImportDialogProps): React.JSX.Element {
  const choice = useFileChoice(kind);
  const { file, fault, upload, imported } = choice;
  const run = useRunImport(imported?.id ?? '');
  useKeptInView(imported);
  useEnding(imported, onClose, onImported);
  const { many } = KINDS[kind];
  const isOver = imported?.state === 'done' || imported?.state === 'importing';
  const submit = (): void => {
    choice.touch();
    if (imported !== undefined && canRun(imported))
      run.mutate({ checkId: imported.checkId ?? '0', allOrNothing: false });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title={`Import ${many}`}
      description={`${KINDS[kind].about} The file is checked before anything is saved.`}
      footer={
        <>
          <Button look="outline" onClick={onClose}>
            {isOver ? 'Close' : 'Cancel'}
          </Button>
          {!isOver && (
            <ImportButton
              kind={kind}
              imported={imported}
              isBusy={upload.isPending || run.isPending}
              onImport={submit}
            />
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {!isOver && (
          <>
            <a
              href={`/api/imports/template/${kind}.csv`}
              download
              className={buttonClasses({ look: 'outline', className: 'self-start' })}
            >
              <Download aria-hidden />
              Download CSV template
            </a>
            <FilePicker
              kind={kind}
              file={file}
              error={fault}
              disabled={run.isPending}
              onChoose={choice.choose}
            />
          </>
        )}
        <ImportProgress file={file} sent={choice.sent} upload={upload} run={run} imported={imported} />
      </div>
    </Dialog>
  );
}

type ImportButtonProps = {
  kind: ImportKind;
  imported: Import | undefined;
  isBusy: boolean;
  onImport: () => void;
};

/** What the next step is: import, or the page where the rest of the file is said. */
function ImportButton({ kind, imported, isBusy, onImport }: ImportButtonProps): React.JSX.Element {
  if (imported !== undefined && needsAnswers(imported)) {
    return (
      <Link
        to="/imports/$id"
        params={{ id: imported.id }}
        search={{ step: 'columns' }}
        className={buttonClasses()}
      >
        Choose columns
      </Link>
    );
  }
  if (imported !== undefined && (imported.effect?.jumpCount ?? 0) > 0) {
    return (
      <Link
        to="/imports/$id"
        params={{ id: imported.id }}
        search={{ step: 'check' }}
        className={buttonClasses()}
      >
        Review large changes
      </Link>
    );
  }
  const isChecking = imported?.state === 'checking' || imported?.state === 'uploaded';
  const valid = validRows(imported);
  const { one, many } = KINDS[kind];
  return (
    <Button
      onClick={onImport}
      pending={isBusy || isChecking}
      pendingText={isChecking ? 'Checking...' : isBusy && valid > 0 ? 'Starting...' : 'Uploading...'}
      disabled={imported !== undefined && !isChecking && !canRun(imported)}
    >
      {valid > 0 ? `Import ${countOf(valid, one, many)}` : 'Import'}
    </Button>
  );
}

/** Whether the check waits for what is said on the page of the import. */
function needsAnswers({ missingColumns, guessed, questions }: Import): boolean {
  return missingColumns.length + guessed.length + questions.length > 0;
}

function validRows(imported: Import | undefined): number {
  const counts = imported?.counts ?? null;
  return counts === null ? 0 : counts.rows - counts.rejected;
}

function canRun(imported: Import): boolean {
  return imported.state === 'checked' && validRows(imported) > 0;
}

/** The chosen file, sent as soon as it is chosen, and what the server makes of it. */
function useFileChoice(kind: ImportKind) {
  const [file, setFile] = useState<File | null>(null);
  const [isTouched, setTouched] = useState(false);
  const [sent, setSent] = useState(0);
  const stop = useRef(new AbortController());
  const upload = useUpload();
  useEffect(() => () => stop.current.abort(), []);
  const id = upload.data?.id ?? null;
  const query = useQuery({ ...importQuery(id ?? ''), enabled: id !== null });
  const choose = (chosen: File | null): void => {
    stop.current.abort();
    stop.current = new AbortController();
    setFile(chosen);
    setTouched(true);
    setSent(0);
    upload.reset();
    if (chosen === null || fileFault(kind, chosen) !== null) return;
    upload.mutate({ kind, file: chosen, onProgress: setSent, signal: stop.current.signal });
  };
  return {
    file,
    sent,
    upload,
    choose,
    imported: id === null ? undefined : query.data,
    fault: isTouched ? fileFault(kind, file) : null,
    touch: () => setTouched(true),
  };
}

/** While this stands open it tells how the jobs of the file go; no toast has to. */
function useKeptInView(imported: Import | undefined): void {
  const jobId = imported?.jobId ?? null;
  useEffect(() => (jobId === null ? undefined : keepJobInView(jobId)), [jobId]);
}

/** Lets the lists follow once rows are written, and closes by itself when there is nothing to look at. */
function useEnding(imported: Import | undefined, onClose: () => void, onImported: () => void): void {
  const act = useRef({ onClose, onImported });
  act.current = { onClose, onImported };
  const isDone = imported?.state === 'done';
  const isClean = isDone && imported.counts?.rejected === 0;
  useEffect(() => {
    if (isDone) act.current.onImported();
  }, [isDone]);
  useEffect(() => {
    if (!isClean) return;
    const timer = setTimeout(() => act.current.onClose(), CLOSES_AFTER);
    return () => clearTimeout(timer);
  }, [isClean]);
}
