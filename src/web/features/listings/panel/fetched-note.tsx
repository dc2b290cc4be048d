import { TriangleAlert } from 'lucide-react';
import { formatMoment, formatRelative } from '#web/lib/moments.ts';
import { useNow } from '#web/ui/moment-text.tsx';
import { Tip } from '#web/ui/tooltip.tsx';

type FetchedNoteProps = {
  /** Label of the time: "Last updated". */
  label: string;
  at: string;
  /** From this time on the figures are outdated. */
  staleAt: string;
};

/** When the figures above were fetched; with a warning if they are outdated. */
export function FetchedNote({ label, at, staleAt }: FetchedNoteProps): React.JSX.Element {
  const now = useNow();
  const relative = formatRelative(at, now);
  const date = formatMoment(at, 'short', now);
  return (
    <div className="flex flex-col gap-1 text-sm text-fg-muted">
      <p>
        {label}{' '}
        <Tip text={formatMoment(at, 'exact')}>
          <time dateTime={at}>{date}</time>
        </Tip>
        {relative !== date && ` (${relative})`}
      </p>
      {now > Date.parse(staleAt) && (
        <p className="flex items-center gap-1.5 text-warning-text">
          <TriangleAlert aria-hidden className="size-4 shrink-0" />
          This data is older than usual and may be out of date.
        </p>
      )}
    </div>
  );
}
