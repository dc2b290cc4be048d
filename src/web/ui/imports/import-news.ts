import { useEffect, useRef } from 'react';
import type { Import } from '#contract/imports.ts';
import { announce } from '#web/lib/announce.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { toast } from '#web/lib/use-toast.ts';
import { KINDS } from './kinds.ts';
import { firstProblems } from './problem-text.ts';
import { validRows } from './use-file-import.ts';

/** Calls back when a file gets into another state while it is in view. */
export function useStateChange(imported: Import | undefined, onChange: (imported: Import) => void): void {
  const before = useRef(imported);
  const action = useRef(onChange);
  action.current = onChange;
  useEffect(() => {
    const was = before.current;
    before.current = imported;
    if (imported === undefined || (was?.id === imported.id && was.state === imported.state)) return;
    action.current(imported);
  }, [imported]);
}

/** Says how a check ended: in a toast where the file needs work, else to screen readers alone. */
export function reportCheck(imported: Import): void {
  const valid = validRows(imported);
  if (imported.counts === null) return;
  if (imported.counts.rejected > 0) {
    toast('CSV validation errors', firstProblems(imported), 'destructive');
  } else if (imported.kind === 'bundles' && valid === 0) {
    toast('No data to import', 'The CSV file contains no valid bundle configurations.', 'destructive');
  } else {
    announce(`Check done: ${countOf(valid, 'row is', 'rows are')} fine.`);
  }
}

/** Says in a toast how an import ended. */
export function reportEnd(imported: Import): void {
  const { state, counts, kind, error } = imported;
  if (state === 'failed') toast('Import failed', error ?? '', 'destructive');
  if (state !== 'done') return;
  if (kind === 'bundles') {
    toast('Bundles imported', `Successfully imported ${formatCount(validRows(imported))} bundle components.`);
    return;
  }
  const written = counts === null ? 0 : counts.create + counts.update;
  toast('Import successful!', `${countOf(written, KINDS[kind].one, KINDS[kind].many)} created or updated.`);
}
