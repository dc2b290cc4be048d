import { Download } from 'lucide-react';
import type { Import } from '#contract/imports.ts';
import { countOf } from '#web/lib/format.ts';
import { buttonClasses } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { KINDS } from './kinds.ts';

type PartProps = { imported: Import };

/** Why the whole file could not be read or imported, where that is so. */
export function ErrorCallout({ imported }: PartProps): React.JSX.Element | null {
  const { fileName, error, counts } = imported;
  if (error === null) return null;
  // An import that stops keeps the batches before.
  const stopped = counts?.rows === 0 ? 'could not be imported' : 'was partly imported';
  return (
    <Callout tone="danger" title={`${fileName} ${counts === null ? 'could not be read' : stopped}`}>
      <p className="text-fg-muted">{error}</p>
    </Callout>
  );
}

/** What is worth knowing about a file and is no mistake. */
export function ImportNotes({ imported: { notes } }: PartProps): React.JSX.Element | null {
  if (notes.length === 0) return null;
  return (
    <Callout tone="info" title="Good to know">
      <ul className="list-disc pl-4 text-fg-muted">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Callout>
  );
}

/** The rejected rows as a file that can be corrected and imported again. */
export function RejectedRowsFile({ imported: { id } }: PartProps): React.JSX.Element {
  return (
    <a
      href={`/api/imports/${id}/rejected.csv`}
      download
      className={buttonClasses({ look: 'outline', className: 'w-fit' })}
    >
      <Download aria-hidden />
      Download rejected rows
    </a>
  );
}

/** What an import wrote. */
export function DoneCallout({ imported }: PartProps): React.JSX.Element {
  const { counts, kind, fileName } = imported;
  const written = (counts?.create ?? 0) + (counts?.update ?? 0);
  return (
    <Callout tone="success" role="status" title="Import successful!">
      <p className="text-fg-muted">
        {written === 0
          ? 'Nothing changed: every valid row already matched your data.'
          : `${countOf(written, KINDS[kind].one, KINDS[kind].many)} created or updated from ${fileName}.`}
      </p>
    </Callout>
  );
}

/** The template of one kind of file. */
export function TemplateLink({
  kind,
  isNextToField = false,
  children,
}: Pick<Import, 'kind'> & {
  isNextToField?: boolean;
  children: React.ReactNode;
}): React.JSX.Element {
  return (
    <a
      href={`/api/imports/template/${kind}.csv`}
      download
      className={buttonClasses({
        look: 'outline',
        size: isNextToField ? 'field' : 'default',
        className: isNextToField ? '' : 'self-start',
      })}
    >
      <Download aria-hidden />
      {children}
    </a>
  );
}
