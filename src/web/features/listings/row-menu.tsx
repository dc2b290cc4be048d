import { Link } from '@tanstack/react-router';
import {
  CircleHelp,
  DollarSign,
  Ellipsis,
  Hand,
  History,
  Play,
  SlidersHorizontal,
  Trash2,
  Wallet,
} from 'lucide-react';
import { useRef } from 'react';
import type { ListingRow } from '#contract/listings.ts';
import { Button } from '#web/ui/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx';
import { onlyThis, useListingsScreen } from './listings-screen.ts';
import { usePriceDrafts } from './price-drafts.ts';
import { useResume } from './use-bulk-acts.ts';

/** Everything that can be done with one listing. */
export function RowMenu({ row }: { row: ListingRow }): React.JSX.Element {
  const { openDialog } = useListingsScreen();
  const drafts = usePriceDrafts();
  const resume = useResume();
  const target = onlyThis(row);
  // Opened any sooner the editor would lose the focus to the menu's button, and give up.
  const isEditing = useRef(false);
  const editPrice = (): boolean => {
    if (!isEditing.current) return false;
    isEditing.current = false;
    drafts.open(row.id, row.currentPrice);
    return true;
  };
  return (
    <Menu
      onClosed={editPrice}
      trigger={
        <Button look="quiet" size="icon" aria-label={`Actions for ${row.sku}`} data-row-menu>
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      <MenuItem icon={DollarSign} onSelect={() => (isEditing.current = true)}>
        Update Price
      </MenuItem>
      <MenuItem icon={Wallet} onSelect={() => openDialog({ kind: 'costs', row })}>
        Edit Costs
      </MenuItem>
      <MenuItem icon={SlidersHorizontal} onSelect={() => openDialog({ kind: 'fields', target })}>
        Set limits...
      </MenuItem>
      <MenuSeparator />
      <MenuItem asChild>
        <Link to={`/listings/${row.id}/why`}>
          <CircleHelp aria-hidden />
          Why this price
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/history" search={{ listing: row.id }}>
          <History aria-hidden />
          View History
        </Link>
      </MenuItem>
      <MenuSeparator />
      {row.hold === null ? (
        <MenuItem icon={Hand} onSelect={() => openDialog({ kind: 'hold', target })}>
          Hold price...
        </MenuItem>
      ) : (
        <MenuItem icon={Play} onSelect={() => resume(target)}>
          Resume repricing
        </MenuItem>
      )}
      <MenuItem icon={Trash2} isDanger onSelect={() => openDialog({ kind: 'delete', target })}>
        Delete listing...
      </MenuItem>
    </Menu>
  );
}
