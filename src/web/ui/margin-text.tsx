import { MARGIN_BANDS } from '#domain/costs/margin-bands.ts';
import { classNames } from '#web/lib/class-names.ts';
import { formatPercent } from '#web/lib/format.ts';
import { Missing } from './money-text.tsx';

/** How each range of margins looks; a loss looks like the range above it, with a word before it. */
const LEVELS = {
  loss: { bars: 1, word: 'Critical', color: 'text-danger-text' },
  below_5: { bars: 1, word: 'Critical', color: 'text-danger-text' },
  below_10: { bars: 2, word: 'Thin', color: 'text-warning-text' },
  below_15: { bars: 3, word: 'Healthy', color: 'text-success-text' },
  from_15: { bars: 4, word: 'Strong', color: 'text-strong-text' },
} as const satisfies Record<(typeof MARGIN_BANDS)[number]['name'], unknown>;

/** By its exact value: 4.96 shows "5.0%" and is still critical. */
function marginLevel(percent: string): (typeof LEVELS)[keyof typeof LEVELS] {
  // In integer hundredths of a percent, to avoid rounding errors.
  const share = Number(percent.replace('.', ''));
  const band = MARGIN_BANDS.find(({ below }) => below === null || share < below);
  return LEVELS[band?.name ?? 'from_15'];
}

/** "12.4%" in the color of its level, with bars and a word that show the same without color. */
export function MarginText({ percent }: { percent: string | null }): React.JSX.Element {
  if (percent === null) return <Missing />;
  const { bars, word, color } = marginLevel(percent);
  const isLoss = percent.startsWith('-');
  return (
    <span
      className={classNames(
        'inline-flex flex-wrap items-center justify-end gap-x-1.5 leading-tight font-medium tabular-nums',
        color,
      )}
    >
      {isLoss && <span className="text-xs leading-none">Loss</span>}
      {/* Kept together: in a narrow column the word is above them. */}
      <span className="inline-flex items-center gap-1.5">
        {formatPercent(percent)}
        <Bars filled={bars} />
      </span>
      <span className="sr-only">{word}</span>
    </span>
  );
}

function Bars({ filled }: { filled: number }): React.JSX.Element {
  return (
    <svg viewBox="0 0 14 12" aria-hidden="true" className="h-3 w-3.5 shrink-0 fill-current">
      {[1, 2, 3, 4].map((bar) => (
        <rect
          key={bar}
          x={(bar - 1) * 3.6}
          y={12 - bar * 3}
          width="2.4"
          height={bar * 3}
          rx="0.6"
          opacity={bar <= filled ? 1 : 0.25}
        />
      ))}
    </svg>
  );
}
