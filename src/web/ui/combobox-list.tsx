import { classNames } from '#web/lib/class-names.ts';
import { Button } from './button.tsx';
import { Spinner } from './spinner.tsx';

/** What is shown below the field of a combobox. */
export interface ComboboxList<Option> {
  /** `searching`: the options belong to an older text, or there are none yet. */
  readonly state: 'searching' | 'found' | 'failed';
  readonly options: readonly Option[];
  readonly hasMore: boolean;
  readonly problem: string | null;
}

type OptionListProps<Option> = {
  id: string;
  label: string;
  list: ComboboxList<Option>;
  active: number;
  keyOf: (option: Option) => string;
  draw: (option: Option) => React.ReactNode;
  onChoose: (option: Option) => void;
  onRetry: () => void;
};

/** The list below a combobox. */
export function OptionList<Option>(props: OptionListProps<Option>): React.JSX.Element {
  const { list } = props;
  return (
    <div className="absolute inset-x-0 top-full z-50 mt-1 animate-fade-in overflow-hidden rounded-lg border bg-raised text-fg shadow-floating">
      {list.options.length > 0 && <Options {...props} />}
      <ListNote list={list} onRetry={props.onRetry} />
    </div>
  );
}

function Options<Option>(props: OptionListProps<Option>): React.JSX.Element {
  const { id, label, list, active, keyOf, draw, onChoose } = props;
  const isStale = list.state !== 'found';
  return (
    <div
      id={id}
      role="listbox"
      aria-label={label}
      aria-busy={isStale}
      tabIndex={-1}
      // A press, also on its scroll bar, must not take the focus from the field: the field would close the list.
      onMouseDown={(event) => event.preventDefault()}
      className={classNames('max-h-72 overflow-y-auto p-1', isStale && 'opacity-60')}
    >
      {list.options.map((option, at) => (
        // The keyboard acts on the field, which names the active option.
        <div
          key={keyOf(option)}
          id={`${id}-${at}`}
          ref={at === active ? scrollIntoView : undefined}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          onMouseDown={(event) => {
            if (event.button === 0 && !isStale) onChoose(option);
          }}
          className={classNames(
            'flex min-h-11 cursor-pointer items-center rounded-md px-2 py-1.5 md:min-h-9',
            at === active ? 'bg-selected' : 'hover:bg-hover',
          )}
        >
          {draw(option)}
        </div>
      ))}
    </div>
  );
}

/** Called for each option as it becomes active. */
function scrollIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' });
}

function ListNote({
  list,
  onRetry,
}: {
  list: ComboboxList<unknown>;
  onRetry: () => void;
}): React.JSX.Element | null {
  if (list.state === 'failed') {
    return (
      <div className="flex flex-wrap items-center gap-2 px-3 py-2 text-danger-text">
        <span className="min-w-0 flex-1">{list.problem} Press Enter to try again.</span>
        <Button
          look="outline"
          tabIndex={-1}
          onMouseDown={(event) => {
            event.preventDefault();
            onRetry();
          }}
        >
          Retry
        </Button>
      </div>
    );
  }
  if (list.state === 'searching' && list.options.length === 0) {
    return (
      <p className="flex items-center gap-2 px-3 py-2 text-fg-muted">
        <Spinner /> Searching...
      </p>
    );
  }
  if (list.options.length === 0) return <p className="px-3 py-2 text-fg-muted">No results</p>;
  if (!list.hasMore) return null;
  return (
    <p className="border-t px-3 py-2 text-sm text-fg-muted">
      The first {list.options.length} are shown. Type to narrow.
    </p>
  );
}
