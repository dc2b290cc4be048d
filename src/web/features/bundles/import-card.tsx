import { useQueryClient } from '@tanstack/react-query';
import { focusFirstError } from '#web/lib/focus-first-error.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { dismissToasts, toast } from '#web/lib/use-toast.ts';
import { Card } from '#web/ui/card.tsx';
import { FilePicker } from '#web/ui/imports/file-picker.tsx';
import { ImportButton } from '#web/ui/imports/import-button.tsx';
import { reportCheck, reportEnd, useStateChange } from '#web/ui/imports/import-news.ts';
import { ImportProgress } from '#web/ui/imports/import-progress.tsx';
import { TemplateLink } from '#web/ui/imports/report-parts.tsx';
import { canRun, useFileImport } from '#web/ui/imports/use-file-import.ts';
import { refusalText } from './bundles-text.ts';
import { reloadBundles } from './queries.ts';

const IMPORT_FAILED = 'Failed to import bundles. Please check your CSV format.';

/** Bundles from a file: it is checked when it is chosen, and imported as a whole or not at all. */
export function ImportCard(): React.JSX.Element {
  const client = useQueryClient();
  const reportFailure = (error: unknown): void =>
    toast('Import failed', refusalText(error, IMPORT_FAILED), 'destructive');
  const file = useFileImport('bundles', true, (error) => {
    if (!isDeclined(error)) reportFailure(error);
  });
  const { imported } = file;
  useStateChange(imported, (changed) => {
    // A check that failed is shown on the page, and in a toast on Import.
    if (changed.counts !== null) reportEnd(changed);
    if (changed.state !== 'done') return;
    void reloadBundles(client);
    file.choose(null);
  });
  const submit = (): void => {
    dismissToasts();
    if (file.error !== null) reportFailure(file.error);
    else if (imported?.state === 'failed') reportEnd(imported);
    else if (imported !== undefined && !canRun(imported, true)) reportCheck(imported);
    else {
      file.start();
      if (imported === undefined) focusFirstError();
    }
  };
  return (
    <Card className="flex min-w-0 flex-col gap-4">
      <div>
        <h2 className="text-md font-semibold">CSV Bulk Import</h2>
        <p className="text-sm text-fg-muted">
          Columns listing_sku, component_sku and quantity. All components of each bundle in it are replaced.
        </p>
      </div>
      <FilePicker upload={file} disabled={file.isStarting || imported?.state === 'importing'} />
      <ImportProgress of={file} />
      <div className="flex flex-wrap gap-2">
        <ImportButton of={file} look="outline" onImport={submit}>
          Import
        </ImportButton>
        <TemplateLink kind="bundles">Template</TemplateLink>
      </div>
    </Card>
  );
}
