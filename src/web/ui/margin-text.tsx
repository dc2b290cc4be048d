import { classNames } from '#web/lib/class-names.ts';
import { formatPercent } from '#web/lib/format.ts';
import { Missing } from './money-text.tsx';

const LEVELS = [
  { below: 500, bars: 1, word: 'Critical', colour: 'text-danger-text' },
  { below: 1_000, bars: 2, word: 'Thin', colour: 'text-warning-text' },
  { below: 1_500, bars: 3, word: 'Healthy', colour: 'text-success-text' },
  { below: Number.POSITIVE_INFINITY, bars: 4, word: 'Strong', colour: 'text-strong-text' },
] as const;

/** The level of a margin by its exact value: 4.96 shows "5.0%" and is still critical. */
function marginLevel(percent: string): (typeof LEVELS)[number] {
  // In integer hundredths of a percent, to avoid rounding errors.
  const share = Number(percent.replace('.', ''));
  return LEVELS.find(({ below }) => share < below) ?? LEVELS[3];
}

/** "12.4%" in the color of its level, with bars and a word that show the same without color. */
export function MarginText({ percent }: { percent: string | null }): React.JSX.Element {
  if (percent === null) return <Missing />;
  const { bars, word, colour } = marginLevel(percent);
  const isLoss = percent.startsWith('-');
  return (
    <span
      className={classNames(
        'inline-flex flex-wrap items-center justify-end gap-x-1.5 leading-tight font-medium tabular-nums',
        colour,
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
