import { Link } from '@tanstack/react-router';
import { Ellipsis, ListFilter, MessageCircleQuestion, Undo2 } from 'lucide-react';
import { useRef } from 'react';
import type { HistoryEntry } from '#contract/history.ts';
import { formatMoney } from '#web/lib/format.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Menu, MenuItem } from '#web/ui/menu.tsx';
import { canRevert } from './revertible.ts';

type RowMenuProps = { entry: HistoryEntry; onRevert: (entry: HistoryEntry) => void };

/** Actions of one entry. */
export function RowMenu({ entry, onRevert }: RowMenuProps): React.JSX.Element {
  const { listingId, id, sku, isExplained } = entry;
  // Opened once the menu has closed and its button has the focus: the dialog returns it there.
  const isReverting = useRef(false);
  const onClosed = (): boolean => {
    if (isReverting.current) onRevert(entry);
    isReverting.current = false;
    return false;
  };
  return (
    <Menu
      onClosed={onClosed}
      trigger={
        <IconButton name={`Actions for ${sku}`} data-row-menu>
          <Ellipsis aria-hidden />
        </IconButton>
      }
    >
      {isExplained && (
        <MenuItem asChild>
          <Link to="/history/$listingId/$id/why" params={{ listingId, id }}>
            <MessageCircleQuestion aria-hidden />
            Why this price
          </Link>
        </MenuItem>
      )}
      <MenuItem asChild>
        <Link to="/history" search={{ listing: listingId }}>
          <ListFilter aria-hidden />
          Only this listing
        </Link>
      </MenuItem>
      {canRevert(entry) && (
        <MenuItem icon={Undo2} onSelect={() => (isReverting.current = true)}>
          Revert to {formatMoney(entry.oldPrice)}
        </MenuItem>
      )}
    </Menu>
  );
}
