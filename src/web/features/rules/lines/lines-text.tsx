import { useId, useRef, useState } from 'react';
import { parseLines, possibleNext } from '#domain/lines/parse-lines.ts';
import { linesProblemMessage } from '#domain/lines/problem-text.ts';
import { classNames } from '#web/lib/class-names.ts';
import { TextAreaField } from '#web/ui/text-area-field.tsx';

type LinesTextProps = { text: string; error: string | undefined; onChange: (text: string) => void };

/** Words that can be inserted; others describe what is typed, such as "a percentage". */
const WORD = /^[a-z]+$/;
const LETTER = /[a-z]/i;

/** The words that can stand at the caret, by what is typed of one. */
function wordsAt(text: string, caret: number): { readonly start: number; readonly words: readonly string[] } {
  const before = text.slice(0, caret);
  let start = before.length;
  while (start > 0 && LETTER.test(before.charAt(start - 1))) start -= 1;
  const partial = before.slice(start).toLowerCase();
  const words = possibleNext(before.slice(0, start)).filter(
    (word) => WORD.test(word) && word.startsWith(partial) && word !== partial,
  );
  return { start, words };
}

/**
 * The lines as text, with the words that are possible at the caret. Down and Up choose one while the list is shown, Enter
 * inserts the chosen one, Escape hides the list; without a choice every key does what it does in any text.
 */
export function LinesText({ text, error, onChange }: LinesTextProps): React.JSX.Element {
  const listId = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState<number | null>(null);
  const [active, setActive] = useState(-1);
  const { start, words } = caret === null ? { start: 0, words: [] } : wordsAt(text, caret);
  const { problem } = text.trim() === '' ? { problem: null } : parseLines(text);
  const isOpen = words.length > 0;
  const follow = (): void => {
    setCaret(area.current?.selectionEnd ?? null);
    setActive(-1);
  };
  const insert = (word: string): void => {
    if (caret === null) return;
    const next = `${text.slice(0, start)}${word} ${text.slice(caret).replace(/^ /, '')}`;
    onChange(next);
    const at = start + word.length + 1;
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(at, at);
      setCaret(at);
    });
    setActive(-1);
  };
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (!isOpen || event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      // Without a choice the arrows move the caret; Ctrl starts one.
      if (active < 0 && !event.ctrlKey) return;
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((active + step + words.length) % words.length);
    } else if (event.key === 'Enter' && active >= 0) insert(words[active] as string);
    else if (event.key === 'Escape') setCaret(null);
    else return;
    event.preventDefault();
  };
  return (
    <div className="flex flex-col gap-2">
      <TextAreaField
        ref={area}
        label="Lines as text"
        hint='One case per line, such as "winning: hold". The first line that applies sets the price. Ctrl+Down selects a suggestion.'
        rows={8}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        className="font-mono text-sm"
        aria-autocomplete="list"
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={active >= 0 ? `${listId}-${active}` : undefined}
        error={problem === null ? error : linesProblemMessage(problem, text)}
        value={text}
        onChange={(event) => {
          onChange(event.target.value);
          follow();
        }}
        onSelect={() => {
          if (area.current?.selectionEnd !== caret) follow();
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setCaret(null)}
      />
      {isOpen && (
        <div id={listId} role="listbox" aria-label="Possible here" className="flex flex-wrap gap-1">
          {words.map((word, index) => (
            <div
              key={word}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === active}
              tabIndex={-1}
              // Before the text loses the focus.
              onPointerDown={(event) => {
                event.preventDefault();
                insert(word);
              }}
              className={classNames(
                'flex h-11 cursor-pointer items-center rounded-md border px-2 font-mono text-sm dense:h-7',
                index === active ? 'border-primary bg-selected' : 'bg-canvas hover:bg-hover',
              )}
            >
              {word}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
