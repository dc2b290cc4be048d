import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { classNames } from '#web/lib/class-names.ts';
import { ariaKeys, KEYS } from '#web/lib/keys.ts';
import { useKeyText, useShortcuts } from '#web/lib/shortcuts.ts';
import { IconButton } from '#web/ui/icon-button.tsx';

type SearchFieldProps = {
  /** Label: "Search by SKU or title". */
  label: string;
  /** The search of the shown list. */
  value: string;
  /** Trimmed; leading zeros stay. */
  onSearch: (text: string) => void;
};

/** Milliseconds after the last keystroke before the list is searched. */
const PAUSE = 250;

/** The search of a list: "/" focuses it, Escape clears it. */
export function SearchField({ label, value, onSearch }: SearchFieldProps): React.JSX.Element {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const search = useRef(onSearch);
  useEffect(() => {
    search.current = onSearch;
  });
  // The search changed elsewhere, as by Back: the field follows.
  if (known !== value) {
    setKnown(value);
    if (typed.trim() !== value) setTyped(value);
  }
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === value) return;
    const timer = setTimeout(() => search.current(wanted), PAUSE);
    return () => clearTimeout(timer);
  }, [typed, value]);
  const clear = (): void => {
    setTyped('');
    onSearch('');
  };
  const keyText = useKeyText(KEYS.search);
  const goThere = (): void => {
    input.current?.focus();
    input.current?.select();
  };
  useShortcuts([
    { definition: KEYS.search, run: goThere },
    // Before the selection of the list, which the next Escape clears.
    { definition: KEYS.close, run: typed === '' ? () => false : clear, isFirst: true },
  ]);
  return (
    <div className="relative min-w-40 flex-1 md:w-44 md:flex-none">
      <Search
        aria-hidden
        className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-4 text-fg-muted"
      />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label.replace(' by ', ' ')}
        title={keyText === null ? 'Search' : `Search (${keyText})`}
        aria-keyshortcuts={ariaKeys(KEYS.search)}
        spellCheck={false}
        autoComplete="off"
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onSearch(typed.trim());
          if (event.key !== 'Escape' || typed === '') return;
          event.stopPropagation();
          clear();
        }}
        // Room for the cross only where it is, or the label would be cut.
        className={classNames(
          'search-plain h-11 w-full rounded-md bg-fill pl-8.5 text-fg placeholder:text-fg-muted focus:bg-surface dense:h-7',
          typed === '' ? 'pr-2' : 'pr-11 md:pr-8',
        )}
      />
      {typed !== '' && (
        <IconButton
          name="Clear search"
          isSmall
          className="absolute inset-y-0 right-0"
          onClick={() => {
            clear();
            input.current?.focus();
          }}
        >
          <X aria-hidden />
        </IconButton>
      )}
    </div>
  );
}
