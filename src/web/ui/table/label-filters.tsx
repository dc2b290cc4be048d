import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useDeferredValue, useId, useState } from 'react';
import { LABEL_FIELDS, LabelCounts, type LabelField } from '#contract/labels.ts';
import { call } from '#web/lib/api.ts';
import { classNames } from '#web/lib/class-names.ts';
import { formatCount } from '#web/lib/format.ts';
import { LABEL_NAMES, labelFilter, labelsIn, labelText } from '#web/lib/label-text.ts';
import { queryText } from '#web/lib/list-state.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { controlClasses } from '#web/ui/control-classes.ts';
import { TextField } from '#web/ui/text-field.tsx';

type LabelFiltersProps = {
  /** The rows whose labels are counted. */
  list: 'listings' | 'skus';
  filters: Readonly<Partial<Record<LabelField, string>>>;
  /** "" for no filter. */
  set: (field: LabelField, filter: string) => void;
};

/** Filters by brand, supplier and tag: each opens the existing labels with their number of rows. */
export function LabelFilters({ list, filters, set }: LabelFiltersProps): React.JSX.Element {
  const [open, setOpen] = useState<LabelField | null>(null);
  return (
    <>
      {LABEL_FIELDS.map((field) => (
        <LabelFilter
          key={field}
          list={list}
          field={field}
          filter={filters[field]}
          isOpen={open === field}
          onOpen={(isOpen) => setOpen(isOpen ? field : null)}
          onChange={(filter) => set(field, filter)}
        />
      ))}
    </>
  );
}

type LabelFilterProps = {
  list: LabelFiltersProps['list'];
  field: LabelField;
  filter: string | undefined;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  onChange: (filter: string) => void;
};

function LabelFilter(props: LabelFilterProps): React.JSX.Element {
  const { list, field, filter, isOpen, onOpen, onChange } = props;
  const id = useId();
  const { name } = LABEL_NAMES[field];
  return (
    <div className="flex flex-col gap-1">
      <span id={`${id}-name`} className="font-medium">
        {name}
      </span>
      <button
        type="button"
        aria-labelledby={`${id}-name ${id}-value`}
        aria-expanded={isOpen}
        onClick={() => onOpen(!isOpen)}
        className={classNames(controlClasses, 'flex items-center justify-between gap-2 text-left')}
      >
        <span id={`${id}-value`} className="truncate">
          {filter === undefined ? `Any ${name.toLowerCase()}` : labelText(field, filter)}
        </span>
        <ChevronDown aria-hidden className="size-4 shrink-0 text-fg-muted" />
      </button>
      {isOpen && <LabelChoices list={list} field={field} filter={filter} onChange={onChange} />}
    </div>
  );
}

/** The list has a search field above this number of labels. */
const FEW = 8;

function LabelChoices(props: Pick<LabelFilterProps, 'list' | 'field' | 'filter' | 'onChange'>) {
  const { list, field, filter, onChange } = props;
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const counts = useQuery({
    queryKey: ['labels', list, field, q] as const,
    queryFn: () =>
      call(LabelCounts, 'GET', `/api/${list}/labels${queryText({ of: field, q: q === '' ? undefined : q })}`),
    placeholderData: keepPreviousData,
    // Reloaded each time: imports and other users change them.
    gcTime: 0,
  });
  const { name, none } = LABEL_NAMES[field];
  const chosen = labelsIn(filter);
  const found = counts.data;
  if (counts.isError) {
    return (
      <p role="alert" className="text-sm text-danger-text">
        Failed to load this list. Close it and open it again.
      </p>
    );
  }
  if (found === undefined) return <p className="text-sm text-fg-muted">Loading...</p>;
  const isChosen = (label: string): boolean => chosen.some((each) => isSame(each, label));
  const toggle = (label: string): void => {
    const others = chosen.filter((each) => !isSame(each, label));
    onChange(labelFilter(others.length < chosen.length ? others : [...chosen, label]));
  };
  // A selected label stays visible, even without rows or outside the search.
  const missing = chosen
    .filter((label) => label !== '' && !found.labels.some((each) => isSame(each.label, label)))
    .map((label) => ({ label, count: null }));
  return (
    <div className="flex flex-col">
      {(found.labels.length > FEW || typed !== '') && (
        <TextField
          label={`Search ${name.toLowerCase()}`}
          hideLabel
          placeholder="Search"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <ul aria-label={`${name} to show`} className="max-h-52 overflow-y-auto">
        {[...missing, ...found.labels].map(({ label, count }) => (
          <LabelRow
            key={label}
            label={label}
            count={count}
            checked={isChosen(label)}
            onToggle={() => toggle(label)}
          />
        ))}
        {q === '' && (
          <LabelRow label={none} count={found.none} checked={isChosen('')} onToggle={() => toggle('')} />
        )}
      </ul>
      {found.labels.length === 0 && q !== '' && <p className="py-1 text-sm text-fg-muted">No match.</p>}
      {found.isCut && <p className="py-1 text-sm text-fg-muted">There are more: search for them.</p>}
    </div>
  );
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

type LabelRowProps = { label: string; count: number | null; checked: boolean; onToggle: () => void };

function LabelRow({ label, count, checked, onToggle }: LabelRowProps): React.JSX.Element {
  return (
    <li className="flex items-center justify-between gap-2">
      <Checkbox label={label} checked={checked} onChange={onToggle} className="min-w-0 wrap-anywhere" />
      <span className="shrink-0 text-sm text-fg-muted tabular-nums">
        {count === null ? '' : formatCount(count)}
      </span>
    </li>
  );
}
