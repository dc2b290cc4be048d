import { errorText } from '#web/lib/api.ts';
import { Callout } from '#web/ui/callout.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { sizeText } from './kinds.ts';
import type { FileUpload } from './use-file-upload.ts';

/** How much of a file is sent, or why it could not be. */
export function UploadProgress({
  file,
  sent,
  isPending,
  error,
}: Pick<FileUpload, 'file' | 'sent' | 'isPending' | 'error'>): React.JSX.Element {
  return (
    <>
      {isPending && file !== null && (
        <div className="flex flex-col gap-1">
          <ProgressBar label="Upload" done={sent} total={file.size} />
          <p className="text-sm text-fg-muted tabular-nums">
            {sent >= file.size ? 'Reading the file...' : `${sizeText(sent)} of ${sizeText(file.size)}`}
          </p>
        </div>
      )}
      {error !== null && <Failure title="Could not upload the file" error={error} />}
    </>
  );
}

/** Why a step failed, in the words of the server where it has any. */
export function Failure({ title, error }: { title: string; error: Error }): React.JSX.Element {
  return (
    <Callout tone="danger" role="alert" title={title}>
      <p className="text-fg-muted wrap-anywhere">{errorText(error)}</p>
    </Callout>
  );
}
