import { ApiError, errorText } from '#web/lib/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';

type SaveFailedProps = { error: Error; onLoadStored: () => void };

/** Why a rule was not saved. What was typed stays in the form. */
export function SaveFailed({ error, onLoadStored }: SaveFailedProps): React.JSX.Element {
  const isOverwritten = error instanceof ApiError && error.fields.version !== undefined;
  const hasMoved = error instanceof ApiError && error.fields.previewToken !== undefined;
  return (
    <Notice
      tone="danger"
      role="alert"
      title={hasMoved ? 'This rule would now do something else' : 'The rule was not saved'}
      className="mb-4"
    >
      <p className="text-fg-muted">{hasMoved ? HAS_MOVED : errorText(error)}</p>
      {isOverwritten && (
        <Button look="outline" className="mt-3" onClick={onLoadStored}>
          Load the saved rule
        </Button>
      )}
    </Notice>
  );
}

const HAS_MOVED =
  'Prices, costs or offers have changed since you looked. Nothing was saved. Show what it would do again, then save.';
