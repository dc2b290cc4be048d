import { Download } from 'lucide-react';
import { countOf } from '#web/lib/format.ts';
import { filterParams, queryText, sortParam } from '#web/lib/list-state.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { Menu, MenuItem } from '#web/ui/menu.tsx';
import type { SkusState } from './sku-list.ts';

type ExportMenuProps = {
  state: SkusState;
  total: number;
  /** Ids of the rows on this page. */
  shown: readonly string[];
  /** Ids selected by hand; null when everything that matches is selected. */
  selected: readonly string[] | null;
};

/** The SKUs as a CSV file that imports again: this page, those selected, or all that match. */
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
        <ExportItem state={state} count={selected.length} ids={selected} label="Selected" />
      )}
      <ExportItem state={state} count={total} label="All matching" />
    </Menu>
  );
}

type ExportItemProps = { state: SkusState; label: string; count: number; ids?: readonly string[] };

function ExportItem({ state, label, count, ids }: ExportItemProps): React.JSX.Element {
  const params = {
    ...filterParams(state),
    ...(state.sort === null ? {} : { sort: sortParam(state.sort) }),
    ...(ids === undefined ? {} : { ids: ids.join(',') }),
  };
  return (
    <MenuItem asChild>
      <a
        href={`/api/skus/export.csv${queryText(params)}`}
        download
        onClick={() => toast('Export Started', `Exporting ${count} SKU(s)...`)}
      >
        {label}
        <span className="ml-auto pl-4 text-fg-muted tabular-nums">{countOf(count, 'SKU', 'SKUs')}</span>
      </a>
    </MenuItem>
  );
}
