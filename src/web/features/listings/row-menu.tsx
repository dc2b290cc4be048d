import { Link } from '@tanstack/react-router';
import {
  ChartLine,
  CircleHelp,
  DollarSign,
  Ellipsis,
  Hand,
  History,
  Play,
  SlidersHorizontal,
  SquareCheck,
  Trash2,
  Wallet,
} from 'lucide-react';
import { useRef } from 'react';
import type { ListingRow } from '#contract/listings.ts';
import { Button } from '#web/ui/button.tsx';
import { Menu, MenuItem, MenuKey, MenuSeparator } from '#web/ui/menu.tsx';
import { onlyThis, useListingsScreen } from './listings-screen.ts';
import { useResume } from './use-bulk-actions.ts';

type RowMenuProps = {
  row: ListingRow;
  /** The row has no checkbox before another one is selected. */
  startsSelection?: boolean;
};

/** All actions of one listing. The first four have an address of their own. */
export function RowMenu({ row, startsSelection = false }: RowMenuProps): React.JSX.Element {
  const { openDialog, openPanel, editPrice, select } = useListingsScreen();
  const resume = useResume();
  const target = onlyThis(row);
  // Opened any sooner, panel and editor would lose the focus to the menu's button, and the editor would cancel.
  const afterwards = useRef<'panel' | 'price' | null>(null);
  const onClosed = (): boolean => {
    const wanted = afterwards.current;
    afterwards.current = null;
    if (wanted === 'panel') openPanel(row.id);
    if (wanted === 'price') editPrice(row.id);
    return wanted === 'price';
  };
  return (
    <Menu
      onClosed={onClosed}
      trigger={
        <Button look="quiet" size="icon" aria-label={`Actions for ${row.sku}`} data-row-menu>
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      {startsSelection && (
        <MenuItem icon={SquareCheck} onSelect={() => select(row.id)}>
          Select
        </MenuItem>
      )}
      <MenuItem icon={ChartLine} shortcut="O" onSelect={() => (afterwards.current = 'panel')}>
        View Analytics
      </MenuItem>
      <MenuItem icon={Wallet} onSelect={() => openDialog({ kind: 'costs', listingId: row.id })}>
        Edit Costs
      </MenuItem>
      <MenuItem asChild>
        <Link to="/history" search={{ listing: row.id }}>
          <History aria-hidden />
          View History
        </Link>
      </MenuItem>
      <MenuItem icon={DollarSign} shortcut="E" onSelect={() => (afterwards.current = 'price')}>
        Update Price
      </MenuItem>
      <MenuSeparator />
      <MenuItem asChild>
        <Link to={`/listings/${row.id}/why`}>
          <CircleHelp aria-hidden />
          Why this price
          <MenuKey>Enter</MenuKey>
        </Link>
      </MenuItem>
      <MenuItem icon={SlidersHorizontal} onSelect={() => openDialog({ kind: 'fields', target })}>
        Set limits...
      </MenuItem>
      {row.hold === null ? (
        <MenuItem icon={Hand} onSelect={() => openDialog({ kind: 'hold', target })}>
          Put on hold...
        </MenuItem>
      ) : (
        <MenuItem icon={Play} onSelect={() => resume(target)}>
          Resume repricing
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem icon={Trash2} isDanger onSelect={() => openDialog({ kind: 'delete', target })}>
        Delete listing...
      </MenuItem>
    </Menu>
  );
}
