import { useNavigate } from '@tanstack/react-router';
import type { ImportKind } from '#contract/imports.ts';
import { oneOf, useUrlParams } from '#web/lib/url-params.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { FilePicker } from '#web/ui/imports/file-picker.tsx';
import { KINDS } from '#web/ui/imports/kinds.ts';
import { TemplateLink } from '#web/ui/imports/report-parts.tsx';
import { UploadProgress } from '#web/ui/imports/upload-progress.tsx';
import { useFileUpload } from '#web/ui/imports/use-file-upload.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { StepBar } from './step-bar.tsx';
import { useKinds } from './use-kinds.ts';

/** The first step: which kind of file, and the file. Uploading it changes nothing in the catalog. */
export function NewImportPage(): React.JSX.Element {
  const { params, set } = useUrlParams();
  const kinds = useKinds();
  const kind = oneOf(kinds, params.kind, 'listings');
  return (
    <div className="flex w-full max-w-[72rem] flex-col gap-3">
      <PageHeading title="Import a file" subtitle="The file is checked before anything is saved." />
      <StepBar current="file" open={['file']} />
      <Card className="flex flex-col gap-5">
        <div className="flex flex-wrap items-end gap-3">
          <SelectField
            label="What is in the file?"
            options={kinds.map((each) => ({ value: each, label: KINDS[each].label }))}
            value={kind}
            onChange={(chosen) => set({ kind: chosen }, true)}
            fieldClassName="w-full sm:w-72"
          />
          <TemplateLink kind={kind} isNextToField>
            Download CSV template
          </TemplateLink>
        </div>
        <p className="max-w-[70ch] text-fg-muted">{KINDS[kind].about}</p>
        <UploadForm kind={kind} />
      </Card>
    </div>
  );
}

function UploadForm({ kind }: { kind: ImportKind }): React.JSX.Element {
  const navigate = useNavigate();
  const upload = useFileUpload(kind, ({ id, state }) =>
    navigate({
      to: '/imports/$id',
      params: { id },
      // A file that leaves nothing to ask is checked already.
      search: { step: state === 'uploaded' ? 'columns' : 'check' },
    }),
  );
  const choose = (file: File | null): void => {
    upload.choose(file);
    if (file !== null) upload.send(file);
  };
  return (
    <>
      <FilePicker upload={{ ...upload, choose }} disabled={upload.isPending} />
      <UploadProgress {...upload} />
      <div className="flex flex-wrap gap-2">
        <Button
          onClick={() => upload.send(upload.file)}
          pending={upload.isPending}
          pendingText="Uploading..."
        >
          Upload file
        </Button>
        {upload.isPending && (
          <Button look="outline" onClick={upload.cancel}>
            Cancel upload
          </Button>
        )}
      </div>
    </>
  );
}
