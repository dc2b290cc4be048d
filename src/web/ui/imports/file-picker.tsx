import { CircleAlert, FileSpreadsheet } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { classNames } from '#web/lib/class-names.ts';
import { endingsOf, sizeText, workbookHint } from './kinds.ts';
import type { FileUpload } from './use-file-upload.ts';

type FilePickerProps = {
  upload: Pick<FileUpload, 'kind' | 'file' | 'fault' | 'choose'>;
  disabled: boolean;
};

/** A file by dialog, by drop, or pasted: a copied file, or the rows of a spreadsheet. The input itself is there and only hidden, so the keyboard opens it like any other. */
export function FilePicker({ upload, disabled }: FilePickerProps): React.JSX.Element {
  const { kind, file, fault: error, choose } = upload;
  const [isOver, setOver] = useState(false);
  const errorId = useId();
  const endings = endingsOf(kind);
  const hint = workbookHint(file);
  usePaste((pasted) => {
    if (!disabled) choose(pasted);
  });
  return (
    <div className="flex flex-col gap-1">
      <label
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          if (!disabled) choose(event.dataTransfer.files.item(0));
        }}
        className={classNames(
          'relative flex cursor-pointer flex-col items-center justify-center gap-1 rounded-lg border-2 border-dashed border-border-control p-4 text-center hover:bg-hover',
          'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring',
          file === null ? 'min-h-40' : 'min-h-24',
          isOver && 'border-primary bg-selected',
          error !== null && 'border-danger-text',
          disabled && 'cursor-not-allowed opacity-60',
        )}
      >
        <FileSpreadsheet aria-hidden className="mb-1 size-8 text-fg-muted" />
        <span className="font-medium break-all">
          {file === null ? 'Choose a file or drop it here' : file.name}
        </span>
        <span className="text-sm text-fg-muted">
          {file === null
            ? `${endings.join(', ')}, up to 256 MB, or paste copied rows with their headings`
            : `${sizeText(file.size)}. Choose another one`}
        </span>
        <input
          type="file"
          accept={`${endings.join(',')},text/csv`}
          disabled={disabled}
          aria-invalid={error !== null}
          aria-describedby={error === null ? undefined : errorId}
          onChange={(event) => {
            choose(event.target.files?.item(0) ?? null);
            // The same file can be chosen again once it is corrected.
            event.target.value = '';
          }}
          className="sr-only"
        />
      </label>
      {error !== null && (
        <p id={errorId} role="alert" className="flex items-start gap-1.5 text-sm text-danger-text">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      )}
      {error !== null && hint !== null && <p className="text-sm text-fg-muted">{hint}</p>}
    </div>
  );
}

/** Calls this with what is pasted anywhere but into a field of text; a single line is no table. */
function usePaste(onPaste: (file: File) => void): void {
  const take = useEffectEvent((event: ClipboardEvent) => {
    const { target, clipboardData } = event;
    if (clipboardData === null || (target instanceof Element && target.closest(TEXT_FIELDS) !== null)) return;
    const text = clipboardData.getData('text/plain');
    const copied = clipboardData.files.item(0);
    if (copied === null && !text.trim().includes('\n')) return;
    event.preventDefault();
    onPaste(copied ?? new File([text], PASTED_NAME, { type: 'text/csv' }));
  });
  useEffect(() => {
    const listen = (event: ClipboardEvent): void => take(event);
    document.addEventListener('paste', listen);
    return () => document.removeEventListener('paste', listen);
  }, []);
}

const TEXT_FIELDS = 'input:not([type=file], [type=checkbox], [type=radio]), textarea, [contenteditable]';
const PASTED_NAME = 'pasted rows.csv';
