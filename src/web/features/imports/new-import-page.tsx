import { Link, useNavigate } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ImportKind } from '#contract/imports.ts';
import { errorText } from '#web/lib/api.ts';
import { oneOf, useUrlParams } from '#web/lib/url-params.ts';
import { Button, buttonClasses } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Card } from '#web/ui/card.tsx';
import { FilePicker } from '#web/ui/imports/file-picker.tsx';
import { useUpload } from '#web/ui/imports/import-calls.ts';
import { fileFault, KINDS, sizeText } from '#web/ui/imports/kinds.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { StepBar } from './step-bar.tsx';
import { useKinds } from './use-kinds.ts';

/** The first step: which kind of file, and the file. Uploading it changes nothing in the catalogue. */
export function NewImportPage(): React.JSX.Element {
  const { params, set } = useUrlParams();
  const kinds = useKinds();
  const kind = oneOf(kinds, params.kind, 'listings');
  return (
    <div className="flex w-full max-w-[72rem] flex-col gap-6">
      <PageHeading title="Import a file" subtitle="The file is checked before anything is saved.">
        <Link to="/imports" className={buttonClasses({ look: 'outline' })}>
          All imports
        </Link>
      </PageHeading>
      <StepBar current="file" open={['file']} />
      <Card className="flex flex-col gap-5 md:p-6">
        <div className="flex flex-wrap items-end gap-3">
          <SelectField
            label="What is in the file?"
            options={kinds.map((each) => ({ value: each, label: KINDS[each].label }))}
            value={kind}
            onChange={(chosen) => set({ kind: chosen }, true)}
            fieldClassName="w-full sm:w-72"
          />
          <a
            href={`/api/imports/template/${kind}.csv`}
            download
            className={buttonClasses({ look: 'outline', size: 'large' })}
          >
            <Download aria-hidden />
            Download CSV template
          </a>
        </div>
        <p className="max-w-[70ch] text-fg-muted">{KINDS[kind].about}</p>
        <UploadForm kind={kind} />
      </Card>
    </div>
  );
}

function UploadForm({ kind }: { kind: ImportKind }): React.JSX.Element {
  const navigate = useNavigate();
  const upload = useUpload();
  const [file, setFile] = useState<File | null>(null);
  const [isTouched, setTouched] = useState(false);
  const [sent, setSent] = useState(0);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const fault = isTouched ? fileFault(kind, file) : null;
  const send = (): void => {
    setTouched(true);
    if (file === null || fileFault(kind, file) !== null) return;
    stop.current = new AbortController();
    setSent(0);
    upload.mutate(
      { kind, file, onProgress: setSent, signal: stop.current.signal },
      {
        onSuccess: ({ id }) => navigate({ to: '/imports/$id', params: { id }, search: { step: 'columns' } }),
      },
    );
  };
  return (
    <>
      <FilePicker
        kind={kind}
        file={file}
        error={fault}
        disabled={upload.isPending}
        onChoose={(chosen) => {
          setFile(chosen);
          setTouched(true);
          upload.reset();
        }}
      />
      {upload.isPending && file !== null && (
        <div className="flex flex-col gap-1">
          <ProgressBar label="Upload" done={sent} total={file.size} />
          <p className="text-sm text-fg-muted tabular-nums">
            {sent >= file.size ? 'Reading the file...' : `${sizeText(sent)} of ${sizeText(file.size)}`}
          </p>
        </div>
      )}
      {upload.isError && (
        <Callout tone="danger" role="alert" title="Could not upload the file">
          <p className="text-fg-muted">{errorText(upload.error)}</p>
        </Callout>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="large" onClick={send} pending={upload.isPending} pendingText="Uploading...">
          Upload file
        </Button>
        {upload.isPending && (
          <Button look="outline" size="large" onClick={() => stop.current.abort()}>
            Cancel upload
          </Button>
        )}
      </div>
    </>
  );
}
