import { ANALYTICS_RANGES, type AnalyticsRange } from '#contract/listing-analytics.ts';
import { classNames } from '#web/lib/class-names.ts';

type RangeButtonsProps = { range: AnalyticsRange; onRange: (range: AnalyticsRange) => void };

/** 7d, 30d or 90d. */
export function RangeButtons({ range, onRange }: RangeButtonsProps): React.JSX.Element {
  return (
    <fieldset className="flex gap-1 print:hidden">
      <legend className="sr-only">Range</legend>
      {ANALYTICS_RANGES.map((days) => (
        <button
          key={days}
          type="button"
          aria-pressed={days === range}
          onClick={() => onRange(days)}
          className={classNames(
            'h-11 rounded-md border px-3 text-sm md:h-8',
            days === range ? 'border-primary bg-selected font-semibold' : 'text-fg-muted hover:bg-hover',
          )}
        >
          {days}d
        </button>
      ))}
    </fieldset>
  );
}
