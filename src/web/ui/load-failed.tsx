import { RotateCcw } from 'lucide-react';
import { CallError, errorText } from '#web/lib/api.ts';
import { Button } from './button.tsx';
import { Callout } from './callout.tsx';

type LoadFailedProps = {
  /** What failed, such as "Failed to load the figures". */
  title: string;
  error: unknown;
  onRetry: () => void;
  retrying: boolean;
};

/** Shown in place of data that could not be loaded: the failure, its cause, a retry, and the request ID for support. */
export function LoadFailed({ title, error, onRetry, retrying }: LoadFailedProps): React.JSX.Element {
  const requestId = error instanceof CallError ? error.requestId : null;
  return (
    <Callout tone="danger" role="alert" title={title}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-48 flex-1 text-fg-muted">
          {errorText(error)}
          {requestId !== null && (
            <span className="text-sm">
              {' '}
              Request ID: <code className="font-mono break-all select-all">{requestId}</code>
            </span>
          )}
        </p>
        <Button look="outline" onClick={onRetry} pending={retrying} pendingText="Retrying...">
          <RotateCcw aria-hidden />
          Retry
        </Button>
      </div>
    </Callout>
  );
}
