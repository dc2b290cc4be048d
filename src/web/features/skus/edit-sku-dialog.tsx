import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SavedSku, Sku, SkuImpactForm } from '#contract/skus.ts';
import { ApiError, errorText } from '#web/lib/api.ts';
import { focusFirstError } from '#web/lib/focus-first-error.ts';
import { useDebounced } from '#web/lib/use-debounced.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { BelowMarginFloorPanel } from '#web/ui/costs/below-margin-floor-panel.tsx';
import { CostSinceField, sinceOf, useCostSince } from '#web/ui/costs/cost-since.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { ListSkeleton } from '#web/ui/list-skeleton.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { harmText, ImpactPanel } from './impact-panel.tsx';
import { impactQuery, useSaveSku } from './sku-calls.ts';
import { SkuFieldset } from './sku-fieldset.tsx';
import { type EditSkuField, readSkuEdit, type SkuErrors, type SkuTexts, textsOf } from './sku-form.ts';
import { skuQuery } from './sku-list.ts';

/** Milliseconds after the last keystroke before the impact is calculated. */
const PAUSE = 400;

type EditSkuDialogProps = { id: string; onClose: () => void };

/** Edits a SKU. The impact of a changed cost on listings is shown before saving. */
export function EditSkuDialog({ id, onClose }: EditSkuDialogProps): React.JSX.Element {
  const query = useQuery(skuQuery(id));
  const form = useSkuEdits(query.data);
  const since = useCostSince();
  const edited = form.reading?.costs ?? null;
  const costs = edited === null ? null : { ...edited, ...sinceOf(since) };
  const impact = useImpact(id, costs);
  const save = useSaveSku(id);
  const [saved, setSaved] = useState<SavedSku | null>(null);
  const onSaved = (result: SavedSku): void => {
    form.forget();
    // The panel reports it, and a toast would cover its buttons.
    if (result.belowMarginFloorCount > 0) setSaved(result);
    else {
      toast('SKU saved', `Changes to ${result.sku.sku} are saved.`);
      onClose();
    }
  };
  const submit = async (): Promise<void> => {
    const { data } = query;
    if (data === undefined || form.reading === null || save.isPending) return;
    form.submitted();
    const { changed } = form.reading;
    if (changed === null) focusFirstError();
    else if (Object.keys(changed).length === 0) onClose();
    else if (!(await impact.isNews(costs))) {
      const dated = costs === null ? {} : sinceOf(since);
      save.mutate({ version: data.version, ...changed, ...dated }, { onSuccess: onSaved });
    }
  };
  if (saved !== null) return <BelowMarginFloorPanel saved={saved} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Edit SKU"
      description={query.data && `${query.data.sku}: ${query.data.name}`}
      onSubmit={() => void submit()}
      footer={
        <>
          {/* Next to the button: on a narrow screen the panel is out of view. */}
          {impact.shown !== undefined && (
            <p className="mr-auto self-center text-danger-text max-md:w-full">{harmText(impact.shown)}</p>
          )}
          <Button look="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            disabled={query.data === undefined}
            pending={save.isPending || impact.isRequested}
            pendingText={impact.isRequested ? 'Checking...' : 'Saving...'}
          >
            Save SKU
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <QueryView
          query={query}
          loading={<ListSkeleton of="fields" rows={5} />}
          failed={(error, retry) => <NotLoaded error={error} onRetry={retry} isRetrying={query.isFetching} />}
        >
          {(sku) => (
            <SkuFieldset
              texts={form.textsFor(sku)}
              errors={form.errors}
              isStored
              onChange={(field, value) => {
                form.edit(field, value);
                if (save.error !== null) save.reset();
              }}
              onLeave={() => undefined}
            />
          )}
        </QueryView>
        {costs !== null && <CostSinceField since={since} />}
        {costs !== null && <ImpactPanel impact={impact.shown} error={impact.error} />}
        {save.error !== null && (
          <NotSaved
            error={save.error}
            onLookAgain={() => {
              save.reset();
              void query.refetch();
            }}
          />
        )}
      </div>
    </Dialog>
  );
}

/** The typed text stays; after another user's save the other fields show the new values. */
function NotSaved({ error, onLookAgain }: { error: Error; onLookAgain: () => void }): React.JSX.Element {
  const isConflict = error instanceof ApiError && error.code === 'conflict';
  return (
    <Callout tone="danger" role="alert" title="Could not save the SKU">
      <p className="text-fg-muted">{errorText(error)}</p>
      {isConflict && (
        <Button look="outline" className="mt-3" onClick={onLookAgain}>
          Review again
        </Button>
      )}
    </Callout>
  );
}

type NotLoadedProps = { error: Error; onRetry: () => void; isRetrying: boolean };

function NotLoaded({ error, onRetry, isRetrying }: NotLoadedProps): React.JSX.Element {
  if (error instanceof ApiError && error.code === 'not_found') {
    return <EmptyNote>This SKU was not found. It may have been deleted.</EmptyNote>;
  }
  return <LoadFailed title="Failed to load the SKU" error={error} onRetry={onRetry} retrying={isRetrying} />;
}

/** The edits of a stored SKU, and their parsed values. */
function useSkuEdits(sku: Sku | undefined) {
  const [edits, setEdits] = useState<Partial<SkuTexts>>({});
  const [isSubmitted, setSubmitted] = useState(false);
  const textsFor = (stored: Sku): SkuTexts => ({ ...textsOf(stored), ...edits });
  const reading = sku === undefined ? null : readSkuEdit(textsFor(sku), sku);
  // Until the first save attempt only edited fields show errors.
  const edit: EditSkuField = (field, value) => setEdits({ ...edits, [field]: value });
  const shown = Object.entries(reading?.errors ?? {}).filter(([field]) => isSubmitted || field in edits);
  return {
    textsFor,
    reading,
    errors: Object.fromEntries(shown) as SkuErrors,
    edit,
    submitted: (): void => setSubmitted(true),
    forget: (): void => setEdits({}),
  };
}

/** The impact of changed costs, calculated once typing pauses. */
function useImpact(id: string, costs: SkuImpactForm | null) {
  const client = useQueryClient();
  const [isRequested, setRequested] = useState(false);
  const key = JSON.stringify(costs);
  const isSettled = useDebounced(key, PAUSE) === key;
  const query = useQuery({ ...impactQuery(id, costs ?? {}), enabled: costs !== null && isSettled });
  const shown = isSettled ? query.data : undefined;
  return {
    shown,
    error: isSettled ? query.error : null,
    /** Waits for the impact before a save. */
    isRequested,
    /** Whether these costs do harm, or change the past, and that was not shown yet: it must be shown before saving. */
    isNews: async (wanted: SkuImpactForm | null): Promise<boolean> => {
      if (wanted === null || shown !== undefined) return false;
      setRequested(true);
      try {
        const found = await client.fetchQuery(impactQuery(id, wanted));
        return harmText(found) !== null || (wanted.costSince !== undefined && found.sales.changed > 0);
      } catch {
        // The failure to calculate it is on screen; saving again confirms.
        return query.error === null;
      } finally {
        setRequested(false);
      }
    },
  };
}
