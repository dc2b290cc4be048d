import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '#web/lib/api.ts';
import { dismissToasts, toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { ListSkeleton } from '#web/ui/list-skeleton.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { useDelayed } from '#web/ui/use-delayed.ts';
import { refusalText } from './bundles-text.ts';
import { DraftFigures } from './draft-figures.tsx';
import { PartsTable } from './parts-table.tsx';
import { useSaveBundle } from './queries.ts';
import { RemoveDialog } from './remove-dialog.tsx';
import type { BundleDraft } from './use-bundle-draft.ts';

type ComponentsCardProps = { draft: BundleDraft; onNoListing: () => void; onNoParts: () => void };

/** The draft: its parts, their effect, and the save that replaces the stored bundle. */
export function ComponentsCard({ draft, onNoListing, onNoParts }: ComponentsCardProps): React.JSX.Element {
  const { listingSku, parts, seen, stored, preview, isDirty } = draft;
  const save = useSaveBundle();
  const [isRemoving, setRemoving] = useState(false);
  const send = (sku: string): void =>
    save.mutate(
      { listingSku: sku, draft: parts, seen },
      {
        onSuccess: (answer) => {
          draft.noteSaved(parts, answer);
          toast('Bundle saved', 'Bundle configuration has been saved successfully.');
        },
        onError: (error) => toast('Save failed', refusalText(error, SAVE_FAILED), 'destructive'),
      },
    );
  const submit = (): void => {
    dismissToasts();
    if (listingSku === null) onNoListing();
    else if (parts.length > 0) send(listingSku);
    else if (seen.length > 0) setRemoving(true);
    else onNoParts();
  };
  const isFailureOurs = save.error !== null && save.variables?.listingSku === listingSku;
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-md font-semibold">Bundle Components</h2>
        {isDirty && <p className="text-sm text-fg-muted">Not saved yet</p>}
      </div>
      {stored.error !== null && listingSku !== null && (
        <LoadFailed
          title="Failed to load the bundle"
          error={stored.error}
          onRetry={() => void stored.refetch()}
          retrying={stored.isFetching}
        />
      )}
      <Parts draft={draft} />
      {isFailureOurs && (
        <SaveFailed
          error={save.error}
          cannotStay={parts.some(({ sku, isDeleted }) => isDeleted || preview?.bundlesInside.includes(sku))}
          onLoadStored={async () => {
            await stored.refetch();
            draft.discard();
            save.reset();
          }}
        />
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button onClick={submit} pending={save.isPending} pendingText="Saving...">
          Save Bundle Configuration
        </Button>
        {isDirty && (
          <Button
            look="outline"
            onClick={() => {
              draft.discard();
              save.reset();
            }}
          >
            Discard changes
          </Button>
        )}
        {(stored.data?.length ?? 0) > 0 && listingSku !== null && (
          <Button look="quiet" className="ml-auto" onClick={() => setRemoving(true)}>
            <Trash2 aria-hidden />
            Remove bundle
          </Button>
        )}
      </div>
      {listingSku !== null && (
        <RemoveDialog
          draft={draft}
          open={isRemoving}
          onClose={() => setRemoving(false)}
          onRemoved={onNoParts}
        />
      )}
    </Card>
  );
}

const SAVE_FAILED = 'Failed to save bundle.';

function Parts({ draft }: { draft: BundleDraft }): React.JSX.Element | null {
  const { listingSku, parts, stored } = draft;
  const phase = useDelayed(listingSku !== null && stored.isPending);
  if (phase === 'placeholder') return <ListSkeleton rows={2} />;
  if (listingSku !== null && stored.data === undefined) return null;
  if (parts.length > 0) {
    return (
      <>
        <PartsTable draft={draft} />
        <DraftFigures draft={draft} />
      </>
    );
  }
  return <EmptyNote>No components added yet. Add SKUs to create a bundle.</EmptyNote>;
}

type SaveFailedProps = {
  error: unknown;
  /** An invalid part is rejected for any user: reloading the stored bundle would not help. */
  cannotStay: boolean;
  onLoadStored: () => Promise<void>;
};

/** After a failed save both the stored bundle and the draft are unchanged. */
function SaveFailed(props: SaveFailedProps): React.JSX.Element {
  const { error, cannotStay, onLoadStored } = props;
  const isStale = error instanceof ApiError && error.code === 'conflict' && !cannotStay;
  return (
    <Callout tone="danger" role="alert" title="Could not save the bundle">
      <p className="text-fg-muted">
        {refusalText(error, SAVE_FAILED)} The stored bundle is unchanged, and your changes are still here.
      </p>
      {isStale && (
        <Button look="outline" className="mt-3" onClick={() => void onLoadStored()}>
          Load stored components
        </Button>
      )}
    </Callout>
  );
}
