import { keepPreviousData, type QueryKey, queryOptions, useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { announce } from '#web/lib/announce.ts';
import { errorText } from '#web/lib/api.ts';
import { classNames } from '#web/lib/class-names.ts';
import { countOf } from '#web/lib/format.ts';
import { useDebounced } from '#web/lib/use-debounced.ts';
import { type ComboboxList, OptionList } from './combobox-list.tsx';
import { controlClasses } from './control-classes.ts';
import { Field, type FieldLinks, type FieldTexts } from './field.tsx';

/** What the server found for a text. */
export interface FoundOptions<Option> {
  readonly options: readonly Option[];
  /** The server knows more than it sent. */
  readonly hasMore: boolean;
}

/** Where the options come from. */
export interface ComboboxSource<Option> {
  readonly queryKey: QueryKey;
  /** @param text what was typed, trimmed; "" finds the first ones */
  readonly find: (text: string) => Promise<FoundOptions<Option>>;
}

type ComboboxProps<Option> = FieldTexts & {
  source: ComboboxSource<Option>;
  /** Identifies an option among all. */
  keyOf: (option: Option) => string;
  /** The option in one line, as it stands in the field once it is chosen. */
  textOf: (option: Option) => string;
  /** How it is drawn in the list; its text unless given. */
  drawOption?: (option: Option) => React.ReactNode;
  /** The text of what is chosen; "" while nothing is. */
  value: string;
  onChoose: (option: Option) => void;
  /** "listing", "listings" */
  noun: { readonly one: string; readonly many: string };
  placeholder?: string;
  /** For whoever moves the focus here. */
  inputRef?: React.RefObject<HTMLInputElement | null> | undefined;
};

/** Typing pauses this long before the server is asked. Milliseconds. */
const PAUSE = 250;

/**
 * A field that searches on the server while somebody types: the combobox of WAI-ARIA with a list below it. Nothing is
 * chosen by typing alone; what was typed and not chosen goes again when the focus leaves.
 */
export function Combobox<Option>(props: ComboboxProps<Option>): React.JSX.Element {
  const { label, hideLabel, hint, error } = props;
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error}>
      {(links) => <ComboboxInput {...props} links={links} />}
    </Field>
  );
}

function ComboboxInput<Option>(props: ComboboxProps<Option> & { links: FieldLinks }): React.JSX.Element {
  const { links, label, value, placeholder, inputRef, keyOf, textOf } = props;
  const listId = useId();
  const box = useCombobox(props);
  const { list, active } = box;
  const activeId = list.options[active] === undefined ? undefined : `${listId}-${active}`;
  return (
    <div className="relative">
      <input
        {...links}
        ref={inputRef}
        role="combobox"
        type="text"
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-expanded={box.isOpen && list.options.length > 0}
        aria-controls={listId}
        aria-activedescendant={box.isOpen ? activeId : undefined}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={200}
        placeholder={placeholder}
        value={box.isOpen ? box.typed : value}
        onChange={(event) => box.type(event.target.value)}
        onKeyDown={box.onKeyDown}
        onFocus={(event) => event.target.select()}
        onClick={box.open}
        onBlur={box.close}
        className={classNames(controlClasses, 'truncate pr-9')}
      />
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-fg-muted"
      />
      {box.isOpen && (
        <OptionList
          id={listId}
          label={label}
          list={list}
          active={active}
          keyOf={keyOf}
          draw={props.drawOption ?? textOf}
          onChoose={box.choose}
          onRetry={box.retry}
        />
      )}
    </div>
  );
}

interface ComboboxState<Option> {
  readonly isOpen: boolean;
  /** What was typed since it opened. */
  readonly typed: string;
  readonly list: ComboboxList<Option>;
  /** Position of the option that Enter takes; -1 for none. */
  readonly active: number;
  readonly open: () => void;
  readonly close: () => void;
  readonly type: (text: string) => void;
  readonly choose: (option: Option) => void;
  readonly retry: () => void;
  readonly onKeyDown: (event: React.KeyboardEvent) => void;
}

function useCombobox<Option>(props: ComboboxProps<Option>): ComboboxState<Option> {
  const { value, noun, onChoose } = props;
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  // What stands in the field when it opens is what was chosen, not a search.
  const isSearch = typed !== value;
  const { list, retry } = useOptions(props, isOpen, isSearch ? typed.trim() : '');
  useCount(isOpen && list.state === 'found' ? list : null, noun);
  const open = (): void => {
    if (isOpen) return;
    setTyped(value);
    setActive(0);
    setOpen(true);
  };
  const close = (): void => setOpen(false);
  const choose = (option: Option): void => {
    close();
    onChoose(option);
  };
  const { length } = list.options;
  const move = (step: number): void => {
    if (!isOpen) open();
    else if (length > 0) setActive((active + step + length) % length);
  };
  const takeActive = (): void => {
    const option = list.options[active];
    if (list.state === 'failed') retry();
    // Rows of an older text must not be taken for those of the text that is typed now.
    else if (list.state === 'found' && option !== undefined) choose(option);
  };
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (!actOnKey(event, { isOpen, move, open, close, take: takeActive })) return;
    event.preventDefault();
    // Escape closes the list, not a dialog around it.
    if (event.key === 'Escape') event.stopPropagation();
  };
  const type = (text: string): void => {
    setTyped(text);
    setActive(0);
    setOpen(true);
  };
  return {
    isOpen,
    typed,
    list,
    active: Math.min(active, length - 1),
    open,
    close,
    type,
    choose,
    retry,
    onKeyDown,
  };
}

/** What a key does, as the pattern has it. @returns whether it was taken */
function actOnKey(
  { key, altKey }: Pick<React.KeyboardEvent, 'key' | 'altKey'>,
  box: {
    readonly isOpen: boolean;
    readonly move: (step: number) => void;
    readonly open: () => void;
    readonly close: () => void;
    readonly take: () => void;
  },
): boolean {
  if (key === 'ArrowDown') altKey ? box.open() : box.move(1);
  else if (key === 'ArrowUp') altKey ? box.close() : box.move(-1);
  else if (!box.isOpen) return false;
  else if (key === 'Enter') box.take();
  else if (key === 'Escape') box.close();
  else return false;
  return true;
}

/** Asks the server for the text once typing pauses. */
function useOptions<Option>(
  { source }: Pick<ComboboxProps<Option>, 'source'>,
  isOpen: boolean,
  text: string,
): { list: ComboboxList<Option>; retry: () => void } {
  const settled = useDebounced(text, PAUSE);
  const query = useQuery(
    queryOptions({
      queryKey: [...source.queryKey, settled],
      queryFn: () => source.find(settled),
      enabled: isOpen,
      placeholderData: keepPreviousData,
      // Somebody may have added what was not there a moment ago.
      staleTime: 10_000,
    }),
  );
  const retry = (): void => void query.refetch();
  const { options = [], hasMore = false } = query.data ?? {};
  if (query.error !== null) {
    return { list: { state: 'failed', options: [], hasMore: false, problem: errorText(query.error) }, retry };
  }
  const isCurrent = settled === text && query.data !== undefined && !query.isPlaceholderData;
  return { list: { state: isCurrent ? 'found' : 'searching', options, hasMore, problem: null }, retry };
}

/** Says how many there are: the list itself is not where the focus is. */
function useCount(
  list: ComboboxList<unknown> | null,
  noun: { readonly one: string; readonly many: string },
): void {
  const said = useRef('');
  const text =
    list === null
      ? ''
      : `${countOf(list.options.length, noun.one, noun.many)}${list.hasMore ? ', and more. Type to narrow' : ''}`;
  useEffect(() => {
    if (text !== '' && text !== said.current) announce(text);
    said.current = text;
  }, [text]);
}
