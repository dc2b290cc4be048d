import { CalendarDays, Check, ChevronDown } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { Menu, MenuItem } from '#web/ui/menu.tsx';
import { MONEY_PERIODS, type Money } from './use-money.ts';

/** The days of which the Dashboard shows sales, buy boxes and price changes. */
export function PeriodMenu({ money: { name, choose } }: { money: Money }): React.JSX.Element {
  return (
    <Menu
      trigger={
        <Button look="outline">
          <CalendarDays aria-hidden />
          Last {name} days
          <ChevronDown aria-hidden />
        </Button>
      }
    >
      {MONEY_PERIODS.map((days) => (
        <MenuItem
          key={days}
          role="menuitemradio"
          aria-checked={days === name}
          onSelect={() => choose(days)}
          className="justify-between"
        >
          Last {days} days
          {days === name && <Check aria-hidden />}
        </MenuItem>
      ))}
    </Menu>
  );
}
