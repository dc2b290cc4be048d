import { ANALYTICS_RANGES, type AnalyticsRange } from '#contract/listing-analytics.ts';
import { RangeControl } from '#web/ui/range-control.tsx';

type RangeButtonsProps = { range: AnalyticsRange; onRange: (range: AnalyticsRange) => void };

const RANGES = ANALYTICS_RANGES.map((value) => ({ value, label: `${value}d` }));

/** 7d, 30d or 90d. */
export function RangeButtons({ range, onRange }: RangeButtonsProps): React.JSX.Element {
  return <RangeControl name="Range" ranges={RANGES} value={range} onChange={onRange} />;
}
