import { Link } from '@tanstack/react-router';
import { Ellipsis, ListFilter, MessageCircleQuestion, Undo2 } from 'lucide-react';
import type { HistoryEntry } from '#contract/history.ts';
import { formatMoney } from '#web/lib/format.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Menu, MenuItem } from '#web/ui/menu.tsx';

type RowMenuProps = { entry: HistoryEntry; onRevert: (entry: HistoryEntry) => void };

/** What can be done with one entry. */
export function RowMenu({ entry, onRevert }: RowMenuProps): React.JSX.Element {
  const { listingId, id, sku, oldPrice, currentPrice, isExplained, isListingDeleted } = entry;
  const canRevert = oldPrice !== null && oldPrice !== currentPrice && !isListingDeleted;
  return (
    <Menu
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
      {canRevert && (
        <MenuItem icon={Undo2} onSelect={() => onRevert(entry)}>
          Revert to {formatMoney(oldPrice)}
        </MenuItem>
      )}
    </Menu>
  );
}
