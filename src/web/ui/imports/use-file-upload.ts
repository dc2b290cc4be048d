import { useEffect, useRef, useState } from 'react';
import type { Import, ImportKind } from '#contract/imports.ts';
import { useUpload } from './import-calls.ts';
import { fileError } from './kinds.ts';

export interface FileUpload {
  readonly kind: ImportKind;
  readonly file: File | null;
  /** What is wrong with the choice; null until a file was chosen or requested. */
  readonly fault: string | null;
  /** Bytes sent so far. */
  readonly sent: number;
  readonly isPending: boolean;
  readonly error: Error | null;
  /** The import as it was right after the upload. */
  readonly uploaded: Import | undefined;
  /** Takes a file, or none, in the place of the one before, whose upload ends. */
  choose(file: File | null): void;
  /** Uploads a chosen file where it may be one of this kind; marks the field where it may not. */
  send(file: File | null): void;
  /** Ends the upload; the file stays chosen. */
  cancel(): void;
}

/** A file that is chosen and sent; leaving the screen ends the upload. Nothing of the catalog changes. */
export function useFileUpload(kind: ImportKind, onUploaded?: (imported: Import) => void): FileUpload {
  const [file, setFile] = useState<File | null>(null);
  const [isTouched, setTouched] = useState(false);
  const [sent, setSent] = useState(0);
  const stop = useRef(new AbortController());
  const upload = useUpload();
  useEffect(() => () => stop.current.abort(), []);
  const cancel = (): void => stop.current.abort();
  return {
    kind,
    file,
    sent,
    cancel,
    fault: isTouched ? fileError(kind, file) : null,
    isPending: upload.isPending,
    error: upload.error,
    uploaded: upload.data,
    choose: (chosen) => {
      cancel();
      setFile(chosen);
      setTouched(chosen !== null);
      upload.reset();
    },
    send: (chosen) => {
      setTouched(true);
      if (chosen === null || fileError(kind, chosen) !== null) return;
      stop.current = new AbortController();
      setSent(0);
      const { signal } = stop.current;
      upload.mutate(
        { kind, file: chosen, onProgress: setSent, signal },
        { onSuccess: (imported) => onUploaded?.(imported) },
      );
    },
  };
}
