import { Download } from 'lucide-react';
import { useAddressedDialog } from '#web/lib/addressed-dialog.ts';
import { countOf } from '#web/lib/format.ts';
import { filterParams, type ListState, queryText, sortParam } from '#web/lib/list-state.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from './button.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from './menu.tsx';

type ExportMenuProps = {
  /** "/api/skus/export.csv" */
  path: string;
  noun: { readonly one: string; readonly many: string };
  /** Search, filters and order of the current list. */
  state: Pick<ListState, 'q' | 'filters' | 'sort'>;
  /** How many rows match; undefined until the list is loaded. */
  total: number | undefined;
  /** Ids of the rows on this page. */
  shown: readonly string[];
  /** Ids of the rows selected one by one; null when all matching rows are selected. */
  selected: readonly string[] | null;
  /** Ids of the visible columns, if the file may have those; otherwise it has the columns of the import format. */
  columns?: readonly string[];
};

/** Exports a list as CSV: this page, the selected rows, or all that match. In the address as `export=1`. */
export function ExportMenu(props: ExportMenuProps): React.JSX.Element {
  const { path, noun, state, total = 0, shown, selected, columns } = props;
  const menu = useAddressedDialog('export', (value) => {
    if (value === '1' && props.total === undefined) return null;
    return value === '1' && total > 0 ? true : undefined;
  });
  const filter = filterParams(state);
  const order: Record<string, string> = state.sort === null ? {} : { sort: sortParam(state.sort) };
  const ids = (named: readonly string[]): Record<string, string> => ({ ids: named.join(',') });
  const item = (label: string, count: number, params: Readonly<Record<string, string>>) => (
    <ExportItem label={label} count={count} noun={noun} address={`${path}${queryText(params)}`} />
  );
  const items = (more: Readonly<Record<string, string>>): React.JSX.Element => (
    <>
      {item('This page', shown.length, { ...filter, ...order, ...ids(shown), ...more })}
      {/* Without the filter: rows selected one by one may be outside the current filter. */}
      {selected !== null &&
        selected.length > 0 &&
        item('Selected', selected.length, { ...order, ...ids(selected), ...more })}
      {item('All matching', total, { ...filter, ...order, ...more })}
    </>
  );
  return (
    <Menu
      open={menu.about !== null}
      onOpenChange={(isOpen) => (isOpen ? menu.open() : menu.close())}
      trigger={
        <Button look="outline" phone="icon" disabled={total === 0}>
          <Download aria-hidden />
          <span>Export</span>
        </Button>
      }
    >
      {columns !== undefined && (
        <>
          <MenuLabel>Columns as shown</MenuLabel>
          {items({ columns: columns.join(',') })}
          <MenuSeparator />
          <MenuLabel>Columns that import again</MenuLabel>
        </>
      )}
      {items({})}
    </Menu>
  );
}

type ExportItemProps = { label: string; count: number; noun: ExportMenuProps['noun']; address: string };

function ExportItem({ label, count, noun, address }: ExportItemProps): React.JSX.Element {
  return (
    <MenuItem asChild>
      <a
        href={address}
        download
        onClick={() => toast('Export Started', `Exporting ${count} ${noun.one}(s)...`)}
      >
        {label}
        <span className="ml-auto pl-4 text-fg-muted tabular-nums">{countOf(count, noun.one, noun.many)}</span>
      </a>
    </MenuItem>
  );
}
