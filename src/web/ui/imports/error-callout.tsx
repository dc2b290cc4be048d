import type { Import } from '#contract/imports.ts';
import { Callout } from '#web/ui/callout.tsx';

/** Why the whole file could not be read or taken, where that is so. */
export function FaultNotice({ imported }: { imported: Import }): React.JSX.Element | null {
  if (imported.fault === null) return null;
  return (
    <Callout tone="danger" title={`${imported.fileName} ${faultWords(imported)}`}>
      <p className="text-fg-muted">{imported.fault}</p>
    </Callout>
  );
}

/** An import that stops keeps the batches before. */
function faultWords({ counts }: Import): string {
  if (counts === null) return 'could not be read';
  return counts.rows === 0 ? 'could not be imported' : 'was partly imported';
}
