import { ArrowDown, ArrowUp, Columns3, RotateCcw } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { type Density, ROW_HEIGHTS } from './column.ts';
import type { TableLayoutControl } from './use-table-layout.ts';

const DENSITY_NAMES = {
  comfortable: 'Comfortable',
  default: 'Default',
  compact: 'Compact',
} as const satisfies Record<Density, string>;

/** Row height, visible columns and their order. */
export function LayoutMenu<Row>({ layout }: { layout: TableLayoutControl<Row> }): React.JSX.Element {
  return (
    <Popover
      label="Columns and row height"
      className="flex w-80 flex-col p-3"
      trigger={
        <Button
          look="outline"
          size="smallIcon"
          aria-label="Columns"
          title={`Columns and row height: ${countText(layout)}`}
        >
          <Columns3 aria-hidden />
        </Button>
      }
    >
      <DensityChoice layout={layout} />
      <ColumnList layout={layout} />
      <Button look="outline" className="mt-3" onClick={layout.reset} disabled={!layout.isChanged}>
        <RotateCcw aria-hidden />
        Reset columns
      </Button>
    </Popover>
  );
}

/** "9 of 12, 3 empty" */
function countText<Row>({ all }: TableLayoutControl<Row>): string {
  const usual = all.filter(({ column, isVisible }) => column.isOptional !== true || isVisible);
  const shown = usual.filter(({ isVisible }) => isVisible).length;
  const empty = all.filter(({ isEmpty, isVisible }) => isEmpty && !isVisible).length;
  return `${shown} of ${usual.length}${empty === 0 ? '' : `, ${empty} empty`}`;
}

function DensityChoice<Row>({ layout }: { layout: TableLayoutControl<Row> }): React.JSX.Element {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium text-fg-muted">Row height</legend>
      <div className="flex gap-1 rounded-md bg-hover p-1">
        {(Object.keys(ROW_HEIGHTS) as Density[]).map((density) => (
          <label
            key={density}
            className="grid h-11 flex-1 cursor-pointer place-items-center rounded-sm border border-transparent text-sm text-fg-muted has-checked:border-border-control has-checked:bg-surface has-checked:font-semibold has-checked:text-fg has-focus-visible:outline-2 has-focus-visible:outline-ring dense:h-8"
          >
            <input
              type="radio"
              name="density"
              className="sr-only"
              checked={layout.density === density}
              onChange={() => layout.setDensity(density)}
            />
            {DENSITY_NAMES[density]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function ColumnList<Row>({ layout }: { layout: TableLayoutControl<Row> }): React.JSX.Element {
  const movable = layout.all.filter(({ column }) => column.pinned === undefined);
  return (
    <fieldset className="mt-3">
      <legend className="mb-1 text-sm font-medium text-fg-muted">Columns: {countText(layout)}</legend>
      <ul>
        {movable.map(({ column, isVisible, isEmpty }, place) => (
          <li key={column.id} className="flex items-center gap-1">
            <label className="flex min-h-11 flex-1 cursor-pointer items-center gap-2 dense:min-h-8">
              <input
                type="checkbox"
                checked={isVisible}
                onChange={(event) => layout.setVisible(column.id, event.target.checked)}
                className="size-4 accent-primary"
              />
              {column.label}
              {isEmpty && <span className="text-sm text-fg-muted">empty</span>}
            </label>
            <IconButton
              name={`Move ${column.label} left`}
              disabled={place === 0}
              onClick={() => layout.move(column.id, -1)}
            >
              <ArrowUp aria-hidden />
            </IconButton>
            <IconButton
              name={`Move ${column.label} right`}
              disabled={place === movable.length - 1}
              onClick={() => layout.move(column.id, 1)}
            >
              <ArrowDown aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
