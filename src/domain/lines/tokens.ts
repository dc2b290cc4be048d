/** A word, number, name in quotes or mark of the text of a rule. */
export interface Token {
  readonly kind: 'word' | 'number' | 'name' | 'mark' | 'end';
  /** Words in small letters; a name without its quotes. */
  readonly text: string;
  /** Where it begins, from 0. */
  readonly at: number;
  /** The line that it is on, from 1; `;` and line breaks end lines. */
  readonly line: number;
}

/** Another word for a competitor, which sellers and other programs use; it is never written. */
const SYNONYM = /^riva(l|ls)$/;
const BLANK = /[ \t\r\u00a0]/;
const LETTER = /[a-z]/i;
const DIGIT = /[0-9]/;

/**
 * Splits the text of a rule. A line break is a `;`. Never fails: anything else is a mark of its own, and so is the quote of
 * a name without an end.
 */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let line = 1;
  const add = (kind: Token['kind'], length: number, content = text.slice(at, at + length)): void => {
    tokens.push({ kind, text: content, at, line });
    at += length;
  };
  while (at < text.length) {
    const character = text.charAt(at);
    if (BLANK.test(character)) at += 1;
    else if (LETTER.test(character)) {
      const length = run(text, at, LETTER);
      add('word', length, wordOf(text.slice(at, at + length).toLowerCase()));
    } else if (DIGIT.test(character)) add('number', numberLength(text, at));
    else if (character === '"') {
      const length = nameLength(text, at);
      if (length === 0) add('mark', 1);
      else add('name', length, text.slice(at + 1, at + length - 1));
    } else if (character === ';' || character === '\n') {
      add('mark', 1, ';');
      line += 1;
    } else {
      const whole = String.fromCodePoint(text.codePointAt(at) ?? 0);
      add('mark', whole.length, whole);
    }
  }
  tokens.push({ kind: 'end', text: '', at: text.length, line });
  return tokens;
}

function wordOf(word: string): string {
  const synonym = SYNONYM.exec(word);
  return synonym === null ? word : synonym[1] === 'l' ? 'competitor' : 'competitors';
}

function run(text: string, from: number, allowed: RegExp): number {
  let to = from;
  while (to < text.length && allowed.test(text.charAt(to))) to += 1;
  return to - from;
}

/** Digits, with one point among them. */
function numberLength(text: string, from: number): number {
  const whole = run(text, from, DIGIT);
  if (text.charAt(from + whole) !== '.') return whole;
  const rest = run(text, from + whole + 1, DIGIT);
  return rest === 0 ? whole : whole + 1 + rest;
}

/** With both quotes; 0 for a name that does not end on its line. */
function nameLength(text: string, from: number): number {
  const end = text.indexOf('"', from + 1);
  return end < 0 || text.slice(from, end).includes('\n') ? 0 : end + 1 - from;
}
