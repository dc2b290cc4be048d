import { useEffect, useRef } from 'react';
import type { Import } from '#contract/imports.ts';
import { announce } from '#web/lib/announce.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { toast } from '#web/lib/use-toast.ts';
import { KINDS } from './kinds.ts';
import { problemText } from './problem-text.ts';

const MOST_SHOWN = 3;

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

/** "Line 4: productCost is not an amount; Line 9: Missing required fields; ..." */
export function firstProblems({ problems, counts }: Pick<Import, 'problems' | 'counts'>): string {
  const lines = problems
    .flatMap((group) => group.firstLines.map((line) => ({ line, problem: problemText(group) })))
    .sort((one, other) => one.line - other.line)
    .slice(0, MOST_SHOWN)
    .map(({ line, problem }) => `Line ${line}: ${problem}`);
  const total = Math.max(
    counts?.rejected ?? 0,
    problems.reduce((sum, { count }) => sum + count, 0),
  );
  return [...lines, ...(total > lines.length ? ['...'] : [])].join('; ');
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
