import { Link } from '@tanstack/react-router';
import { ListFilter } from 'lucide-react';
import type { ComponentProps } from 'react';
import { LABEL_FIELDS } from '#contract/labels.ts';
import {
  LISTING_PROBLEMS,
  LISTING_STATES,
  type ListingProblem,
  type ListingState,
} from '#contract/listings.ts';
import { MARGIN_FILTERS, type MarginFilter } from '#domain/costs/margin-bands.ts';
import { MARKETPLACE_NAMES, MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { SOLD_FILTERS, type SoldFilter } from '#domain/sold-filter.ts';
import { useAddressedDialog } from '#web/lib/addressed-dialog.ts';
import { countOf } from '#web/lib/format.ts';
import { labelsIn, labelText } from '#web/lib/label-text.ts';
import { problemName } from '#web/lib/listing-problem-text.ts';
import { MOBILE, useMediaQuery } from '#web/lib/use-media-query.ts';
import { Button, buttonClasses } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { FilterPills } from '#web/ui/table/filter-pills.tsx';
import { LabelFilters } from '#web/ui/table/label-filters.tsx';
import { SearchField } from '#web/ui/table/search-field.tsx';
import type { ViewParams } from '#web/ui/table/views/use-saved-views.ts';
import type { ChangeListings, ListingFilterName, ListingsState } from './listing-list.ts';
import { MARGIN_LABELS, SOLD_LABELS, STATE_LABELS } from './listings-text.ts';

type ToolbarProps = { state: ListingsState; change: ChangeListings };

const MARKETPLACE_OPTIONS = [
  { value: '', label: 'All Marketplaces' },
  ...MARKETPLACES.map((value) => ({ value, label: MARKETPLACE_NAMES[value] })),
];
const FULFILLMENT_OPTIONS = [
  { value: '', label: 'All Types' },
  { value: 'FBA/WFS', label: 'FBA/WFS Only' },
  { value: 'FBM', label: 'FBM Only' },
];
const STATE_OPTIONS = [
  { value: '', label: 'Any state' },
  ...LISTING_STATES.map((value) => ({ value, label: STATE_LABELS[value] })),
];
const PROBLEM_OPTIONS = [
  { value: '', label: 'Any or none' },
  ...LISTING_PROBLEMS.map((value) => ({ value, label: problemName(value) })),
];

const MARGIN_OPTIONS = [
  { value: '', label: 'Any margin' },
  ...MARGIN_FILTERS.map((value) => ({ value, label: MARGIN_LABELS[value] })),
];

const SOLD_OPTIONS = [
  { value: '', label: 'Any sales' },
  ...SOLD_FILTERS.map((value) => ({ value, label: SOLD_LABELS[value] })),
];

/** Search and the two main filters; the others, `filters=1` in the address, are behind a button with their count. */
export function ListingsToolbar({
  state,
  change,
  total,
}: ToolbarProps & { total: number }): React.JSX.Element {
  const isMobile = useMediaQuery(MOBILE);
  const panel = useAddressedDialog('filters', (value) => (value === '1' ? true : undefined));
  const isOpen = panel.about !== null;
  const set: SetFilter = (name, value) =>
    change(
      { filters: { ...without(state.filters, name), ...(value === '' ? {} : { [name]: value }) } },
      // Back closes the panel; a choice in it adds no history entry.
      isOpen ? 'replace' : 'push',
    );
  return (
    <>
      <SearchField
        label="Search by SKU or title"
        value={state.q}
        onSearch={(q) => change({ q }, 'replace')}
      />
      {isMobile ? (
        <FilterSheet state={state} set={set} total={total} panel={panel} />
      ) : (
        <>
          <EverydayFilters state={state} set={set} compact />
          <Popover
            label="More filters"
            open={isOpen}
            onOpenChange={(open) => (open ? panel.open() : panel.close())}
            align="start"
            className="flex w-72 flex-col gap-3 p-3"
            trigger={<FiltersButton state={state} names={RARE} />}
          >
            <RareFilters state={state} set={set} />
          </Popover>
        </>
      )}
    </>
  );
}

const IN_TOOLBAR: readonly ListingFilterName[] = ['marketplace', 'fulfillment'];
const RARE: readonly ListingFilterName[] = ['state', 'problem', 'margin', 'sold', 'rule', ...LABEL_FIELDS];

type SetFilter = (name: ListingFilterName, value: string) => void;
type FilterProps = { state: ListingsState; set: SetFilter };

/** On a narrow screen all filters are in a sheet. */
function FilterSheet({
  state,
  set,
  total,
  panel,
}: FilterProps & { total: number; panel: ReturnType<typeof useAddressedDialog<true>> }): React.JSX.Element {
  return (
    <>
      <FiltersButton state={state} names={[...IN_TOOLBAR, ...RARE]} onClick={() => panel.open()} />
      <Dialog
        open={panel.about !== null}
        onClose={panel.close}
        title="Filters"
        footer={<Button onClick={panel.close}>Show {countOf(total, 'result', 'results')}</Button>}
      >
        <div className="flex flex-col gap-4">
          <EverydayFilters state={state} set={set} />
          <RareFilters state={state} set={set} />
        </div>
      </Dialog>
    </>
  );
}

type FiltersButtonProps = Omit<ComponentProps<typeof Button>, 'children'> & {
  state: ListingsState;
  /** The filters behind the button. */
  names: readonly ListingFilterName[];
};

function FiltersButton({ state, names, ...rest }: FiltersButtonProps): React.JSX.Element {
  const count = names.filter((name) => state.filters[name] !== undefined).length;
  return (
    <Button look="outline" size="small" {...rest}>
      <ListFilter aria-hidden />
      {count === 0 ? 'Filters' : `Filters (${count})`}
    </Button>
  );
}

function EverydayFilters({
  state,
  set,
  compact = false,
}: FilterProps & { compact?: boolean }): React.JSX.Element {
  return (
    <>
      <SelectField
        label="Marketplace"
        hideLabel={compact}
        compact={compact}
        options={MARKETPLACE_OPTIONS}
        value={state.filters.marketplace ?? ''}
        onChange={(value) => set('marketplace', value)}
      />
      <SelectField
        label="Fulfillment"
        hideLabel={compact}
        compact={compact}
        options={FULFILLMENT_OPTIONS}
        value={state.filters.fulfillment ?? ''}
        onChange={(value) => set('fulfillment', value)}
      />
    </>
  );
}

function RareFilters({ state, set }: FilterProps): React.JSX.Element {
  return (
    <>
      <SelectField
        label="State"
        options={STATE_OPTIONS}
        value={state.filters.state ?? ''}
        onChange={(value) => set('state', value)}
      />
      <SelectField
        label="Problem"
        hint="Why a listing cannot be repriced."
        options={PROBLEM_OPTIONS}
        value={state.filters.problem ?? ''}
        onChange={(value) => set('problem', value)}
      />
      <SelectField
        label="Margin"
        options={MARGIN_OPTIONS}
        value={state.filters.margin ?? ''}
        onChange={(value) => set('margin', value)}
      />
      <SelectField
        label="Sales"
        options={SOLD_OPTIONS}
        value={state.filters.sold ?? ''}
        onChange={(value) => set('sold', value)}
      />
      <LabelFilters list="listings" filters={state.filters} set={set} />
    </>
  );
}

type PillsProps = ToolbarProps & {
  /** Parameters that the tab of the active view names already. */
  ofView: ViewParams;
};

/** The active filters that neither the tab of the view nor a field of the toolbar shows, each with a remove button; on paper all of them. */
export function ListingPills({ state, change, ofView }: PillsProps): React.JSX.Element {
  const isMobile = useMediaQuery(MOBILE);
  const pills = (Object.keys(PILL_TEXT) as ListingFilterName[]).flatMap((name) => {
    const value = state.filters[name];
    if (value === undefined) return [];
    return [
      {
        name,
        text: PILL_TEXT[name](value),
        isInToolbar: ofView[name] === value || (!isMobile && IN_TOOLBAR.includes(name)),
        onRemove: () => change({ filters: without(state.filters, name) }),
      },
    ];
  });
  return (
    <FilterPills pills={pills} onClear={() => change({ q: '', filters: {} })}>
      {isForRule(state) && (
        <Link
          to="/rules/new"
          search={state.filters as never}
          className={buttonClasses({ look: 'quiet', className: 'text-link print:hidden' })}
        >
          Create rule for these
        </Link>
      )}
    </FilterPills>
  );
}

const RULE_FILTERS: readonly string[] = ['marketplace', 'fulfillment', ...LABEL_FIELDS];

/** Whether a rule can be for exactly these listings: labels, each by name, and the marketplace and fulfillment type. */
function isForRule({ q, filters }: ListingsState): boolean {
  const names = Object.keys(filters);
  const labels = LABEL_FIELDS.flatMap((field) =>
    filters[field] === undefined ? [] : labelsIn(filters[field]),
  );
  return (
    q === '' &&
    labels.length > 0 &&
    !labels.includes('') &&
    names.every((name) => RULE_FILTERS.includes(name))
  );
}

// The address was validated: the value is one of these.
const PILL_TEXT: Record<ListingFilterName, (value: string) => string> = {
  marketplace: (value) => `Marketplace: ${MARKETPLACE_NAMES[value as Marketplace]}`,
  fulfillment: (value) => `Fulfillment: ${value}`,
  state: (value) => `State: ${STATE_LABELS[value as ListingState]}`,
  problem: (value) => `Problem: ${problemName(value as ListingProblem)}`,
  margin: (value) => `Margin: ${MARGIN_LABELS[value as MarginFilter]}`,
  sold: (value) => SOLD_LABELS[value as SoldFilter],
  rule: (value) => `Rule: ${value}`,
  brand: (value) => `Brand: ${labelText('brand', value)}`,
  supplier: (value) => `Supplier: ${labelText('supplier', value)}`,
  tag: (value) => `Tag: ${labelText('tag', value)}`,
};

function without(filters: ListingsState['filters'], name: ListingFilterName): ListingsState['filters'] {
  const { [name]: _, ...others } = filters;
  return others;
}
