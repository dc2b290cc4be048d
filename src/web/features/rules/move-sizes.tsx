import { MOVE_SIZES, type MoveSize, type RulePreview } from '#contract/rules.ts';
import { classNames } from '#web/lib/class-names.ts';
import { formatCount } from '#web/lib/format.ts';

/** What is written under the bar of a group. */
const LABELS: Readonly<Record<MoveSize, string>> = {
  fall10: '−10%',
  fall5: '−5%',
  fall2: '−2%',
  fall: '',
  stay: 'stay',
  rise: '',
  rise2: '+2%',
  rise5: '+5%',
  rise10: '+10%',
};
/** Pixels of the highest bar, and of one that would not be seen otherwise. */
const HEIGHT = 44;
const LEAST = 2;

/** How many prices move by how much. The sentence above it has the sums. */
export function MoveSizes({ sizes }: { sizes: RulePreview['moveSizes'] }): React.JSX.Element {
  const most = Math.max(...Object.values(sizes), 1);
  return (
    <div aria-hidden className="mt-2 grid grid-cols-9 gap-x-1.5">
      {MOVE_SIZES.map((size) => {
        const height = sizes[size] === 0 ? 0 : Math.max(LEAST, (sizes[size] / most) * HEIGHT);
        return (
          <div key={size} title={formatCount(sizes[size])}>
            <svg
              aria-hidden="true"
              viewBox={`0 0 10 ${HEIGHT}`}
              preserveAspectRatio="none"
              className={classNames(
                'h-11 w-full border-b fill-current',
                size.startsWith('fall') && 'text-danger-text',
                size === 'stay' && 'text-chart-before',
                size.startsWith('rise') && 'text-success-text',
              )}
            >
              <rect x="0" y={HEIGHT - height} width="10" height={height} />
            </svg>
            <p className="h-4 text-center text-2xs whitespace-nowrap text-fg-muted">{LABELS[size]}</p>
          </div>
        );
      })}
    </div>
  );
}

/** All moves in one direction. */
export function movesIn(sizes: RulePreview['moveSizes'], direction: 'fall' | 'rise'): number {
  return MOVE_SIZES.filter((size) => size.startsWith(direction)).reduce((sum, size) => sum + sizes[size], 0);
}
