import { CalendarRange } from 'lucide-react';
import { useState } from 'react';
import { formatDay } from '#web/lib/moments.ts';
import { Button } from './button.tsx';
import { Popover } from './popover.tsx';
import { TextField } from './text-field.tsx';

/** The first and the last day shown, as "2026-11-21"; an open end is undefined. */
export interface DayRange {
  readonly from?: string;
  readonly to?: string;
}

type DayRangePickerProps = { range: DayRange; onChange: (range: DayRange) => void };

/** One day or several, chosen in a panel, so that a half-typed day does not change the list. */
export function DayRangePicker({ range, onChange }: DayRangePickerProps): React.JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const close = (chosen: DayRange): void => {
    setOpen(false);
    onChange(chosen);
  };
  return (
    <Popover
      label="Choose days"
      align="start"
      className="w-72 p-3"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button look="outline" size="small">
          <CalendarRange aria-hidden />
          Choose days
        </Button>
      }
    >
      <DaysForm range={range} onChoose={close} />
    </Popover>
  );
}

function DaysForm({ range, onChoose }: { range: DayRange; onChoose: (range: DayRange) => void }) {
  const [from, setFrom] = useState(range.from ?? '');
  const [to, setTo] = useState(range.to ?? '');
  const [isWrong, setWrong] = useState(false);
  const isBackwards = from !== '' && to !== '' && to < from;
  const choose = (): void => {
    setWrong(isBackwards);
    if (isBackwards) return;
    onChoose({ ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) });
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        choose();
      }}
    >
      <TextField
        label="First day"
        type="date"
        {...CENTURY}
        value={from}
        onChange={(event) => setFrom(event.target.value)}
      />
      <TextField
        label="Last day"
        type="date"
        {...CENTURY}
        value={to}
        error={isWrong && isBackwards ? `Choose ${formatDay(from)} or later.` : undefined}
        onChange={(event) => setTo(event.target.value)}
      />
      <div className="flex justify-end gap-2">
        <Button look="quiet" onClick={() => onChoose({})}>
          Show all days
        </Button>
        <Button type="submit">Show days</Button>
      </div>
    </form>
  );
}

/** The days for which the server has data. */
const CENTURY = { min: '2000-01-01', max: '2099-12-31' };

/** "Nov 20", "Nov 20 to Nov 21", "From Nov 20", "Until Nov 21"; null for every day. */
export function dayRangeText({ from, to }: DayRange): string | null {
  if (from !== undefined && to !== undefined) {
    return from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`;
  }
  if (from !== undefined) return `From ${formatDay(from)}`;
  return to === undefined ? null : `Until ${formatDay(to)}`;
}
