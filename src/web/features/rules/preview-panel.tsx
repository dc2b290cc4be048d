import { Eye } from 'lucide-react';
import { useId } from 'react';
import { errorText } from '#web/lib/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { PreviewResult } from './preview-result.tsx';
import type { DraftPreview } from './use-draft-preview.ts';

type PreviewPanelProps = { preview: DraftPreview; isActive: boolean; onShow: () => void };

/** Previews the rule on the current catalog, on request. */
export function PreviewPanel({ preview, isActive, onShow }: PreviewPanelProps): React.JSX.Element {
  const headingId = useId();
  const { shown, isCurrent, isPending, error } = preview;
  const remark = shown === null || isPending ? null : remarkOn(isCurrent, isActive);
  return (
    <section
      aria-labelledby={headingId}
      aria-busy={isPending}
      className="flex min-w-0 flex-col gap-4 self-start rounded-lg border bg-canvas p-4 lg:sticky lg:top-0"
    >
      <div>
        <h3 id={headingId} className="text-lg font-semibold">
          Preview
        </h3>
        <p className="mt-1 text-sm text-fg-muted">
          Based on your real listings, as if every marketplace were live. Nothing changes until you save. On
          marketplaces set to recommend only, you apply the prices.
        </p>
      </div>
      <Button
        look="outline"
        className="self-start"
        onClick={onShow}
        pending={isPending}
        pendingText="Checking your listings..."
      >
        <Eye aria-hidden />
        Preview changes
      </Button>
      {error !== null && (
        <Callout tone="danger" role="alert" title="The preview failed">
          <p className="text-fg-muted">{errorText(error)}</p>
        </Callout>
      )}
      <div role="status" className={remark === null ? 'sr-only' : 'text-sm font-medium text-warning-text'}>
        {remark}
      </div>
      {shown !== null && (
        <div className={isCurrent ? undefined : 'opacity-60'}>
          <PreviewResult preview={shown} />
        </div>
      )}
    </section>
  );
}

function remarkOn(isCurrent: boolean, isActive: boolean): string | null {
  if (!isCurrent) return 'You changed the rule after this preview. Preview again.';
  return isActive
    ? null
    : 'This is the effect once the rule is active. While it is paused, it changes nothing.';
}
