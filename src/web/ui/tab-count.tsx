import { classNames } from '#web/lib/class-names.ts';
import { formatCount } from '#web/lib/format.ts';

type TabCountProps = {
  /** Null while it is unknown. */
  of: number | null;
  isExact?: boolean;
  /** Its rows are work to do: the number is red. */
  asksForWork: boolean;
};

/** The number of rows behind a tab. */
export function TabCount({ of, isExact = true, asksForWork }: TabCountProps): React.JSX.Element | null {
  if (of === null) return null;
  return (
    <span
      className={classNames(
        'text-xs tabular-nums',
        asksForWork && of > 0 ? 'text-danger-text' : 'text-fg-muted',
      )}
    >
      {isExact ? '' : 'about '}
      {formatCount(of)}
    </span>
  );
}
