import { Activity, ChevronRight } from 'lucide-react';
import type { RulePreview } from '#contract/rules.ts';
import { classNames } from '#web/lib/class-names.ts';
import { formatCount } from '#web/lib/format.ts';
import { averageChangeText } from './rule-text.ts';
import { type DraftPreview, PREVIEW_ID } from './use-draft-preview.ts';

/** The preview in a line, which leads to it where it is below the form. */
export function PreviewLine({ preview }: { preview: DraftPreview }): React.JSX.Element {
  const { shown, isCurrent, isPending } = preview;
  return (
    <button
      type="button"
      onClick={showPreview}
      className="mx-4 mt-2 flex items-center gap-3 rounded-md bg-fill px-3 py-2.5 text-left xl:hidden"
    >
      <Activity aria-hidden className="size-4 shrink-0 text-fg-muted" />
      <span
        className={classNames('min-w-0 flex-1', shown !== null && !isCurrent && 'opacity-60')}
        aria-busy={isPending}
      >
        <span className="block font-medium">{shown === null ? 'Preview' : changesText(shown)}</span>
        <span className="block text-sm text-fg-muted">
          {shown === null ? 'What this rule would do to your prices' : detailText(shown)}
        </span>
      </span>
      <ChevronRight aria-hidden className="size-4 shrink-0 text-fg-muted" />
    </button>
  );
}

/** From its head on; the focus alone would scroll to its middle. */
function showPreview(): void {
  const preview = document.getElementById(PREVIEW_ID);
  preview?.scrollIntoView({ block: 'start' });
  preview?.focus({ preventScroll: true });
}

function changesText({ changes, recommended, listings }: RulePreview): string {
  if (listings === 0) return 'No listing is priced by it';
  return `${formatCount(changes + recommended)} of ${formatCount(listings)} prices change`;
}

function detailText(preview: RulePreview): string {
  if (preview.listings === 0) return 'See why';
  const average = averageChangeText(preview.averages);
  const floor = `${formatCount(preview.atMarginFloor)} at margin floor`;
  return average === null ? floor : `${average} on average, ${floor}`;
}
