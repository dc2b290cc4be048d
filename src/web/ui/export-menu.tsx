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
  /** Search, filters and order of the list on screen. */
  state: Pick<ListState, 'q' | 'filters' | 'sort'>;
  /** How many match; undefined until the list is there. */
  total: number | undefined;
  /** Ids of the rows on this page. */
  shown: readonly string[];
  /** Ids selected by hand; null when everything that matches is selected. */
  selected: readonly string[] | null;
  /** Ids of the columns in view, where the file can have those; without them it has those that import again. */
  columns?: readonly string[];
};

/** A list as a CSV file: this page, the rows that are selected, or all that match. In the address as `export=1`. */
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
      {/* Without the filter: rows that were selected by hand may stand outside the one of now. */}
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
        <Button look="outline" disabled={total === 0}>
          <Download aria-hidden />
          Export
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
