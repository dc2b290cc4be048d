import { useEffect, useRef } from 'react';
import type { Import } from '#contract/imports.ts';
import { announce } from '#web/lib/announce.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { toast } from '#web/lib/use-toast.ts';
import { firstProblems } from '#web/ui/imports/problem-text.ts';
import { KINDS } from '#web/ui/imports/kinds.ts';

/** Says when a check or an import ends while its page is in view. What needs work also stays on the page. */
export function useImportNews(imported: Import): void {
  const before = useRef(imported.state);
  useEffect(() => {
    const was = before.current;
    before.current = imported.state;
    if (was === imported.state) return;
    if (imported.state === 'checked') tellCheck(imported);
    if (imported.state === 'done') tellDone(imported);
    if (imported.state === 'failed') toast('Import failed', imported.fault ?? '', 'destructive');
  }, [imported]);
}

function tellCheck(imported: Import): void {
  const { counts } = imported;
  if (counts === null) return;
  const valid = counts.rows - counts.rejected;
  if (imported.kind === 'bundles' && valid === 0) {
    toast('No data to import', 'The CSV file contains no valid bundle configurations.', 'destructive');
  } else if (counts.rejected > 0) {
    toast('CSV validation errors', firstProblems(imported), 'destructive');
  } else {
    announce(`Check done: ${countOf(valid, 'row is', 'rows are')} fine.`);
  }
}

function tellDone(imported: Import): void {
  const { counts, kind } = imported;
  const written = counts === null ? 0 : counts.create + counts.update;
  if (kind === 'bundles') {
    toast('Bundles imported', `Successfully imported ${formatCount(written)} bundle components.`);
  } else {
    toast('Import successful!', `${countOf(written, KINDS[kind].one, KINDS[kind].many)} created or updated.`);
  }
}
