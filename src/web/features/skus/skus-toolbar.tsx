import { ListFilter } from 'lucide-react';
import { LABEL_FIELDS, type LabelField } from '#contract/labels.ts';
import { useAddressedDialog } from '#web/lib/addressed-dialog.ts';
import { LABEL_NAMES, labelText } from '#web/lib/label-text.ts';
import { Button } from '#web/ui/button.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { FilterPills } from '#web/ui/table/filter-pills.tsx';
import { LabelFilters } from '#web/ui/table/label-filters.tsx';
import { SearchField } from '#web/ui/table/search-field.tsx';
import type { ChangeSkus, SkusState } from './sku-list.ts';

type ToolbarProps = { state: SkusState; change: ChangeSkus };

/** The search of SKUs, and the filters behind a button with their count. Open as `filters=1` in the address. */
export function SkusToolbar({ state, change }: ToolbarProps): React.JSX.Element {
  const panel = useAddressedDialog('filters', (value) => (value === '1' ? true : undefined));
  const count = Object.keys(state.filters).length;
  return (
    <>
      <SearchField label="Search by SKU or name" value={state.q} onSearch={(q) => change({ q }, 'replace')} />
      <Popover
        label="Filters"
        open={panel.about !== null}
        onOpenChange={(isOpen) => (isOpen ? panel.open() : panel.close())}
        align="start"
        className="flex w-72 flex-col gap-3 p-3"
        trigger={
          <Button look="outline" size="small">
            <ListFilter aria-hidden />
            {count === 0 ? 'Filters' : `Filters (${count})`}
          </Button>
        }
      >
        <LabelFilters
          list="skus"
          filters={state.filters}
          set={(field, filter) =>
            change(
              {
                filters: { ...without(state.filters, field), ...(filter === '' ? {} : { [field]: filter }) },
              },
              // Back closes the panel; a choice in it adds no history entry.
              'replace',
            )
          }
        />
      </Popover>
    </>
  );
}

/** The active filters, each with a remove button. */
export function SkuPills({ state, change }: ToolbarProps): React.JSX.Element {
  const pills = LABEL_FIELDS.flatMap((field) => {
    const filter = state.filters[field];
    if (filter === undefined) return [];
    const text = `${LABEL_NAMES[field].name}: ${labelText(field, filter)}`;
    return [{ name: field, text, onRemove: () => change({ filters: without(state.filters, field) }) }];
  });
  return <FilterPills pills={pills} onClear={() => change({ q: '', filters: {} })} />;
}

function without(filters: SkusState['filters'], field: LabelField): SkusState['filters'] {
  const { [field]: _, ...others } = filters;
  return others;
}
