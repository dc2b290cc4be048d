import { CircleCheck } from 'lucide-react';
import { useId } from 'react';
import { errorText } from '#web/lib/api.ts';
import { classNames } from '#web/lib/class-names.ts';
import { countOf } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { ListingTrace } from './listing-trace.tsx';
import { PreviewResult } from './preview-result.tsx';
import { PreviewSkeleton } from './preview-skeleton.tsx';
import { type DraftPreview, PREVIEW_ID } from './use-draft-preview.ts';

type LivePreviewProps = {
  id: string | null;
  preview: DraftPreview;
  isActive: boolean;
  /** What to do where other rules price everything; false otherwise. */
  offer: React.ReactNode;
  /** What the stored rule does now; false for a new one. */
  stored: React.ReactNode;
};

/** A region that scrolls is reached by keyboard: its end could not be read without a mouse otherwise. */
const REACHABLE = { tabIndex: 0 };

/** What the draft would do to the current catalog. It follows every edit and keeps the last result while it loads. */
export function LivePreview({ id, preview, isActive, offer, stored }: LivePreviewProps): React.JSX.Element {
  const headingId = useId();
  const { shown, isCurrent, isPending, isUnreadable, error, asked, retry } = preview;
  return (
    <section
      id={PREVIEW_ID}
      aria-labelledby={headingId}
      aria-busy={isPending}
      className="flex min-w-0 scroll-mt-15 flex-col rounded-lg border bg-surface shadow-card xl:sticky xl:top-15 xl:max-h-[calc(100dvh-9.5rem)] xl:overflow-y-auto"
      {...REACHABLE}
    >
      <div className="flex min-h-11 shrink-0 flex-wrap items-center justify-between gap-x-3 px-4">
        <h2 id={headingId} className="text-md font-semibold">
          Preview
        </h2>
        <State preview={preview} />
      </div>
      <div className="flex flex-col gap-3 px-4 pb-3 empty:hidden">
        {error !== null && (
          <Callout tone="danger" role="alert" title="The preview failed" className="p-3">
            <p className="text-fg-muted">{errorText(error)}</p>
            <Button look="outline" className="mt-2" onClick={retry}>
              Try again
            </Button>
          </Callout>
        )}
        {isUnreadable && (
          <p className="text-sm font-medium text-warning-text">
            A value in this rule is invalid. Correct it to update the preview.
          </p>
        )}
        {!isActive && shown !== null && (
          <p className="text-sm font-medium text-warning-text">
            This is the effect once the rule is active. While it is paused, it changes nothing.
          </p>
        )}
      </div>
      {shown === null ? (
        error === null && !isUnreadable && <PreviewSkeleton />
      ) : (
        // A short result is as high as what was in its place while it loaded.
        <div className={classNames('min-h-67 shrink-0', !isCurrent && 'opacity-60')}>
          <PreviewResult preview={shown} offer={offer} />
        </div>
      )}
      {asked !== null && shown !== null && shown.listings > 0 && (
        <ListingTrace id={id} rule={asked} first={shown.samples[0] ?? null} />
      )}
      <div className="border-t px-4 py-3 empty:hidden">{stored}</div>
      <p className="border-t px-4 py-3 text-sm text-fg-muted">
        Based on your real listings, as if every marketplace were live. Nothing changes until you save. On
        marketplaces set to recommend only, you apply the prices.
      </p>
    </section>
  );
}

function State({ preview: { shown, isCurrent, isPending } }: Pick<LivePreviewProps, 'preview'>) {
  if (isPending) {
    return (
      <span className="flex items-center gap-1.5 text-sm text-fg-muted">
        <Spinner />
        Checking your listings...
      </span>
    );
  }
  if (shown === null || !isCurrent) return null;
  return (
    <span className="flex items-center gap-1.5 text-sm text-fg-muted">
      <CircleCheck aria-hidden className="size-4" />
      {countOf(shown.listings, 'listing', 'listings')}, just now
    </span>
  );
}
