import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useDeferredValue, useId, useState } from 'react';
import { LabelCounts, type LabelField } from '#contract/labels.ts';
import { call } from '#web/lib/api.ts';
import { classNames } from '#web/lib/class-names.ts';
import { formatCount } from '#web/lib/format.ts';
import { queryText } from '#web/lib/list-state.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { controlClasses } from '#web/ui/control-classes.ts';
import { TextField } from '#web/ui/text-field.tsx';

type LabelChoicesProps = {
  /** The rows whose labels are counted. */
  list: 'listings' | 'skus';
  /** SKUs have no categories. */
  field: LabelField | 'category';
  /** "Brand" */
  name: string;
  /** The choice of rows without any, "" among the chosen; null: not offered. */
  none: string | null;
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
};

type LabelPickerProps = LabelChoicesProps & {
  /** The choice in one line. */
  text: string;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  error?: string | undefined;
};

/** A field that opens the existing labels with their number of rows; any number of them can be chosen. */
export function LabelPicker({ text, isOpen, onOpen, error, ...choices }: LabelPickerProps) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span id={`${id}-name`} className="font-medium">
        {choices.name}
      </span>
      <button
        type="button"
        aria-labelledby={`${id}-name ${id}-value`}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        aria-expanded={isOpen}
        onClick={() => onOpen(!isOpen)}
        className={classNames(controlClasses, 'flex items-center justify-between gap-2 text-left')}
      >
        <span id={`${id}-value`} className="truncate">
          {text}
        </span>
        <ChevronDown aria-hidden className="size-4 shrink-0 text-fg-muted" />
      </button>
      {error !== undefined && (
        <p id={`${id}-error`} className="text-sm text-danger-text">
          {error}
        </p>
      )}
      {isOpen && <LabelChoices {...choices} />}
    </div>
  );
}

/** The list has a search field above this number of labels. */
const FEW = 8;

function LabelChoices({ list, field, name, none, chosen, onChange }: LabelChoicesProps): React.JSX.Element {
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
    onChange(others.length < chosen.length ? others : [...chosen, label]);
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
        {q === '' && none !== null && (
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
