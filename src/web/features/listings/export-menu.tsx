import { Download } from 'lucide-react';
import { countOf } from '#web/lib/format.ts';
import { filterParams, queryText, sortParam } from '#web/lib/list-state.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { Menu, MenuItem } from '#web/ui/menu.tsx';
import type { ListingsState } from './listing-list.ts';

type ExportMenuProps = {
  state: ListingsState;
  total: number;
  /** Ids of the rows on this page. */
  shown: readonly string[];
  /** Ids selected by hand; null when everything that matches is selected. */
  selected: readonly string[] | null;
};

/** The listings as a CSV file: this page, those selected, or all that match. */
export function ExportMenu({ state, total, shown, selected }: ExportMenuProps): React.JSX.Element {
  return (
    <Menu
      trigger={
        <Button look="outline" disabled={total === 0}>
          <Download aria-hidden />
          Export
        </Button>
      }
    >
      <ExportItem state={state} count={shown.length} ids={shown} label="This page" />
      {selected !== null && selected.length > 0 && (
        <ExportItem state={state} count={selected.length} ids={selected} label="Selected" isAnyFilter />
      )}
      <ExportItem state={state} count={total} label="All matching" />
    </Menu>
  );
}

type ExportItemProps = {
  state: ListingsState;
  label: string;
  count: number;
  ids?: readonly string[];
  /** Rows selected by hand may stand outside the filter of now. */
  isAnyFilter?: boolean;
};

function ExportItem({ state, label, count, ids, isAnyFilter = false }: ExportItemProps): React.JSX.Element {
  const params = {
    ...(isAnyFilter ? {} : filterParams(state)),
    ...(state.sort === null ? {} : { sort: sortParam(state.sort) }),
    ...(ids === undefined ? {} : { ids: ids.join(',') }),
  };
  return (
    <MenuItem asChild>
      <a
        href={`/api/listings/export.csv${queryText(params)}`}
        download
        onClick={() => toast('Export Started', `Exporting ${count} listing(s)...`)}
      >
        {label}
        <span className="ml-auto pl-4 text-fg-muted tabular-nums">
          {countOf(count, 'listing', 'listings')}
        </span>
      </a>
    </MenuItem>
  );
}
