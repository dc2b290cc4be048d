import { Progress } from 'radix-ui';
import { formatCount } from '#web/lib/format.ts';

type ProgressBarProps = {
  /** The name of the work, for screen readers. */
  label: string;
  done: number;
  /** Null while it is unknown: the bar then shows only that work is in progress. */
  total: number | null;
};

/** Progress of a job. Show the words "1,240 of 5,000" next to it. */
export function ProgressBar({ label, done, total }: ProgressBarProps): React.JSX.Element {
  const isKnown = total !== null && total > 0;
  const share = isKnown ? Math.min(done / total, 1) : null;
  return (
    <Progress.Root
      aria-label={label}
      value={share === null ? null : Math.round(share * 100)}
      getValueLabel={() => progressText(done, total)}
      className="h-1.5 w-full overflow-hidden rounded-full bg-fill"
    >
      <Progress.Indicator
        className="h-full bg-primary data-[state=indeterminate]:w-1/3 data-[state=indeterminate]:animate-pulse"
        {...(share === null ? {} : { style: { width: `${share * 100}%` } })}
      />
    </Progress.Root>
  );
}

/** "1,240 of 5,000", or "1,240" while the total is unknown. */
export function progressText(done: number, total: number | null): string {
  return total === null ? formatCount(done) : `${formatCount(done)} of ${formatCount(total)}`;
}
