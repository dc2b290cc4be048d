import { useEffect, useRef } from 'react';
import type { Import, ImportKind } from '#contract/imports.ts';
import { countOf } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FilePicker } from './file-picker.tsx';
import { ImportButton } from './import-button.tsx';
import { useStateChange } from './import-news.ts';
import { ImportProgress } from './import-progress.tsx';
import { KINDS } from './kinds.ts';
import { TemplateLink } from './report-parts.tsx';
import { canRun, useFileImport, validRows } from './use-file-import.ts';

/** A dialog that has nothing more to say closes after this many milliseconds. */
const CLOSES_AFTER = 2_000;

type ImportDialogProps = {
  kind: ImportKind;
  onClose: () => void;
  /** Rows were written: lists that show them are old. */
  onImported: () => void;
};

/**
 * Imports a file without leaving the screen: choose, review, import. Nothing is written before the last step, and
 * closing does not stop it. What needs more, such as other columns, continues on the page of the import.
 */
export function ImportDialog({ kind, onClose, onImported }: ImportDialogProps): React.JSX.Element {
  const file = useFileImport(kind, false);
  const { imported } = file;
  useStateChange(imported, ({ state }) => {
    if (state === 'done') onImported();
  });
  useCloseWhenClean(imported, onClose);
  const { one, many, about } = KINDS[kind];
  const isOver = imported?.state === 'done' || imported?.state === 'importing';
  const isRefused =
    imported?.state === 'failed' || (imported?.state === 'checked' && !canRun(imported, false));
  const valid = validRows(imported);
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title={`Import ${many}`}
      description={`${about} The file is checked before anything is saved.`}
      footer={
        <>
          <Button look="outline" onClick={onClose}>
            {isOver ? 'Close' : 'Cancel'}
          </Button>
          {!isOver && (
            <ImportButton of={file} onImport={file.start} disabled={isRefused}>
              {valid > 0 ? `Import ${countOf(valid, one, many)}` : 'Import'}
            </ImportButton>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {!isOver && (
          <>
            <TemplateLink kind={kind}>Download CSV template</TemplateLink>
            <FilePicker upload={file} disabled={file.isStarting} />
          </>
        )}
        <ImportProgress of={file} />
      </div>
    </Dialog>
  );
}

/** Closes a while after an import that has nothing to correct. */
function useCloseWhenClean(imported: Import | undefined, onClose: () => void): void {
  const close = useRef(onClose);
  close.current = onClose;
  const isClean = imported?.state === 'done' && imported.counts?.rejected === 0;
  useEffect(() => {
    if (!isClean) return;
    const timer = setTimeout(() => close.current(), CLOSES_AFTER);
    return () => clearTimeout(timer);
  }, [isClean]);
}
