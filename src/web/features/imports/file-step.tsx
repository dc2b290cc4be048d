import { Link } from '@tanstack/react-router';
import type { Import } from '#contract/imports.ts';
import { formatMoment } from '#web/lib/moments.ts';
import { buttonClasses } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { sizeText } from '#web/ui/imports/kinds.ts';
import { PreviewTable } from '#web/ui/imports/preview-table.tsx';
import { ErrorCallout } from '#web/ui/imports/report-parts.tsx';

/** The file as it was uploaded: its facts and its first rows. Another one is another import. */
export function FileStep({ imported }: { imported: Import }): React.JSX.Element {
  return (
    <>
      <ErrorCallout imported={imported} />
      <Card className="flex flex-col gap-4">
        <div>
          <h2 className="text-md font-semibold break-all">{imported.fileName}</h2>
          <p className="text-fg-muted">
            {sizeText(imported.size)}, uploaded by {imported.createdBy} on{' '}
            {formatMoment(imported.createdAt, 'short')}
          </p>
        </div>
        <PreviewTable imported={imported} />
        <div className="flex flex-wrap gap-2">
          <Link to="." search={{ step: 'columns' }} className={buttonClasses()}>
            Go to columns
          </Link>
          <Link
            to="/imports/new"
            search={{ kind: imported.kind }}
            className={buttonClasses({ look: 'outline' })}
          >
            Choose another file
          </Link>
        </div>
      </Card>
    </>
  );
}
