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

/** The server's results for a text. */
export interface FoundOptions<Option> {
  readonly options: readonly Option[];
  /** There are more results than sent. */
  readonly hasMore: boolean;
}

/** The source of the options. */
export interface ComboboxSource<Option> {
  readonly queryKey: QueryKey;
  /** @param text as typed, trimmed; "" finds the first ones */
  readonly find: (text: string) => Promise<FoundOptions<Option>>;
}

type ComboboxProps<Option> = FieldTexts & {
  source: ComboboxSource<Option>;
  /** Identifies an option among all. */
  keyOf: (option: Option) => string;
  /** The option in one line, as shown in the field once it is chosen. */
  textOf: (option: Option) => string;
  /** Its rendering in the list; default: its text. */
  drawOption?: (option: Option) => React.ReactNode;
  /** The text of the chosen option; "" if there is none. */
  value: string;
  onChoose: (option: Option) => void;
  /** "listing", "listings" */
  noun: { readonly one: string; readonly many: string };
  placeholder?: string;
  /** For a caller that moves the focus here. */
  inputRef?: React.RefObject<HTMLInputElement | null> | undefined;
};

/** Milliseconds after the last keystroke before the search is sent. */
const PAUSE = 250;

/**
 * A field that searches on the server while typing: the combobox of WAI-ARIA with a list below it. Typing alone
 * chooses nothing; typed text without a choice is discarded when the focus leaves.
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
  /** Text typed after it opened. */
  readonly typed: string;
  readonly list: ComboboxList<Option>;
  /** Index of the option that Enter chooses; -1 for none. */
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
  // When the field opens, it shows the chosen option, not a search text.
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
    // Rows of an older text must not be mistaken for those of the current one.
    else if (list.state === 'found' && option !== undefined) choose(option);
  };
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (!actOnKey(event, { isOpen, move, open, close, take: takeActive })) return;
    event.preventDefault();
    // Escape closes the list, not the dialog around it.
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

/** Handles a key as in the ARIA pattern. @returns whether it was handled */
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

/** Sends the search once typing pauses. */
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
      // Not cached: another user may have added the option.
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

/** Announces the number of options: the list itself does not have the focus. */
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
