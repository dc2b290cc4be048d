import type { Import } from '#contract/imports.ts';
import { errorText } from '#web/lib/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { useMapColumns } from '#web/ui/imports/import-calls.ts';

/** Checks a file whose import stopped once more, with the same columns: rows that are imported already are unchanged then. */
export function CheckAgain({
  imported: { id, mapping, defaults, readings },
  onCheck,
}: {
  imported: Import;
  onCheck: () => void;
}): React.JSX.Element {
  const map = useMapColumns(id);
  const check = (): void => map.mutate({ mapping, defaults, readings }, { onSuccess: onCheck });
  return (
    <>
      {map.isError && (
        <Callout tone="danger" role="alert" title="Could not check the file">
          <p className="text-fg-muted">{errorText(map.error)}</p>
        </Callout>
      )}
      <Button
        size="large"
        onClick={check}
        pending={map.isPending}
        pendingText="Starting..."
        className="w-fit"
      >
        Check again
      </Button>
    </>
  );
}
