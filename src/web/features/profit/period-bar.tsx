import { MARKETPLACE_NAMES, MARKETPLACES } from '#domain/marketplaces.ts';
import { localTimeOf } from '#domain/time/local-time.ts';
import { instant } from '#domain/units.ts';
import type { ChangeList } from '#web/lib/list-state.ts';
import { PERIOD_NAMES, type Period, type PeriodName } from '#web/lib/periods.ts';
import { DayRangePicker, dayRangeText } from '#web/ui/day-range.tsx';
import { RangeControl } from '#web/ui/range-control.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { useDayZone } from '#web/ui/shop-days.ts';
import type { PROFIT_LIST, ProfitState } from './queries.ts';

const LABELS: Readonly<Record<PeriodName, string>> = {
  '7': '7 days',
  '30': '30 days',
  '90': '90 days',
  month: 'This month',
  'last-month': 'Last month',
};
const RANGES = PERIOD_NAMES.map((value) => ({ value, label: LABELS[value] }));
const MARKETPLACE_OPTIONS = [
  { value: '', label: 'All Marketplaces' },
  ...MARKETPLACES.map((value) => ({ value, label: MARKETPLACE_NAMES[value] })),
];

type PeriodBarProps = {
  state: ProfitState;
  change: ChangeList<keyof typeof PROFIT_LIST.filters, (typeof PROFIT_LIST.sorts)[number]>;
  period: Period;
  /** Null for chosen days. */
  name: PeriodName | null;
};

/** Which days, of which marketplace. */
export function PeriodBar({ state, change, period, name }: PeriodBarProps): React.JSX.Element {
  const { marketplace: _, period: __, from: ___, to: ____, ...others } = state.filters;
  const chosen = state.filters.marketplace === undefined ? {} : { marketplace: state.filters.marketplace };
  const { period: named, from, to } = state.filters;
  const days = { ...(named && { period: named }), ...(from && { from }), ...(to && { to }) };
  const zone = useDayZone();
  return (
    <div className="flex flex-wrap items-center gap-2 print:hidden">
      <RangeControl
        name="Period"
        ranges={RANGES}
        value={name}
        onChange={(each) => change({ filters: { ...others, ...chosen, period: each } })}
      />
      <DayRangePicker
        range={period}
        onChange={(range) => change({ filters: { ...others, ...chosen, ...range } })}
      />
      <SelectField
        compact
        hideLabel
        label="Marketplace"
        options={MARKETPLACE_OPTIONS}
        value={state.filters.marketplace ?? ''}
        onChange={(value) =>
          change({ filters: { ...others, ...days, ...(value === '' ? {} : { marketplace: value }) } })
        }
      />
      <p className="text-sm text-fg-muted">
        {dayRangeText(period)}
        {zoneText(zone)}
      </p>
    </div>
  );
}

/** " in Asia/Tokyo": where the reader's time is another than that of the shop. */
function zoneText(zone: string): string {
  const now = instant(Date.now());
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [there, own] = [localTimeOf(now, zone), localTimeOf(now, here)];
  return there.minuteOfDay === own.minuteOfDay && there.day === own.day ? '' : ` in ${zone}`;
}
