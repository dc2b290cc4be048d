import { type Bps, type Cents, hours, type Millis } from '#domain/units.ts';
import { LINE_HOURS } from './line.ts';
import { type Token, tokensOf } from './tokens.ts';

/** Why the text of a rule is refused: where, what is there, and what could be. */
export interface LinesProblem {
  /** From 1. */
  readonly line: number;
  /** The place in the whole text, from 0. */
  readonly at: number;
  /** What is there; empty at the end. */
  readonly found: string;
  /** What could stand there instead; empty where `why` is set. */
  readonly possible: readonly string[];
  /** A sentence without its end for a value that is read and cannot be used; null where the text is not understood. */
  readonly why: string | null;
}

/** A value that is read and cannot be used. */
export class LinesError extends Error {
  readonly problem: LinesProblem;

  constructor(problem: LinesProblem) {
    super(problem.why ?? problem.found);
    this.problem = problem;
  }
}

const DIGITS = /^\d{1,9}$/;
const TWO_DECIMALS = /^\d{1,9}(?:\.\d{1,2})?$/;

/**
 * Reads the words of a rule one after the other. Every method that finds something else stays where it is, returns null or
 * false, and remembers what it looked for, so that a text that is not understood can be answered with what could stand there.
 */
export class TextReader {
  readonly #tokens: readonly Token[];
  #place = 0;
  #furthest = 0;
  #possible = new Set<string>();

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  /** Reads words one after the other: all of them or none. */
  words(phrase: string): boolean {
    const from = this.#place;
    for (const word of phrase.split(' ')) {
      if (!this.#take('word', word, word)) {
        this.#place = from;
        return false;
      }
    }
    return true;
  }

  /** The first of these phrases that is here. */
  oneOf<Phrase extends string>(phrases: readonly Phrase[]): Phrase | null {
    return phrases.find((phrase) => this.words(phrase)) ?? null;
  }

  mark(mark: string): boolean {
    return this.#take('mark', mark, mark);
  }

  /** The end of a line; several of them are one. */
  lineEnd(): boolean {
    if (!this.mark(';')) return false;
    while (this.#token.text === ';' && this.#token.kind === 'mark') this.#place += 1;
    return true;
  }

  /** Goes over the ends of empty lines. */
  skipEmptyLines(): void {
    while (this.#token.kind === 'mark' && this.#token.text === ';') this.#place += 1;
  }

  isAtEnd(): boolean {
    if (this.#token.kind === 'end') return true;
    this.#miss('the end');
    return false;
  }

  /** A name in quotes. */
  name(): string | null {
    const { kind, text } = this.#token;
    if (kind !== 'name') return this.#miss('"NAME"');
    this.#place += 1;
    return text.trim();
  }

  /** A whole number. */
  count(): number | null {
    const { kind, text } = this.#token;
    if (kind !== 'number' || !DIGITS.test(text)) return this.#miss('a whole number');
    this.#place += 1;
    return Number(text);
  }

  /** "12.5%" */
  percent(): Bps | null {
    return this.#attempt(() => {
      const hundredths = this.#hundredths('a percentage');
      return hundredths !== null && this.mark('%') ? (hundredths as Bps) : null;
    });
  }

  /** "$4.99" */
  amount(): Cents | null {
    return this.#attempt(() => (this.mark('$') ? (this.#hundredths('an amount') as Cents | null) : null));
  }

  /** "48 h" */
  duration(): Millis | null {
    const at = this.here();
    return this.#attempt(() => {
      const hundredths = this.#hundredths('a number of hours');
      if (hundredths === null || !this.words('h')) return null;
      const length = Math.round(hours(hundredths / 100)) as Millis;
      this.expect(length >= LINE_HOURS.min && length <= LINE_HOURS.max, at, 'is not from 0.25 to 720 hours');
      return length;
    });
  }

  /** Reads as long as nothing is missing: where `read` returns null, nothing was read. */
  attempt<Found>(read: () => Found | null): Found | null {
    return this.#attempt(read);
  }

  /** Whether the next token follows the last one without a blank. */
  isJoined(): boolean {
    const before = this.#tokens[this.#place - 1];
    return before !== undefined && before.at + before.text.length === this.#token.at;
  }

  /** The place of the next word, for {@link expect}. */
  here(): Token {
    return this.#token;
  }

  /** @throws LinesError unless a value can be used. @param why a sentence without its end */
  expect(isUsable: boolean, { text, at, line }: Token, why: string): void {
    if (!isUsable) throw new LinesError({ line, at, found: text, possible: [], why });
  }

  /** Where reading failed, with all that could stand there. */
  problem(): LinesProblem {
    const { line, at, text } = this.#tokens[this.#furthest] as Token;
    return { line, at, found: text, possible: [...this.#possible], why: null };
  }

  get #token(): Token {
    return this.#tokens[this.#place] as Token;
  }

  #hundredths(what: string): number | null {
    const { kind, text } = this.#token;
    if (kind !== 'number' || !TWO_DECIMALS.test(text)) return this.#miss(what);
    this.#place += 1;
    return Math.round(Number(text) * 100);
  }

  #attempt<Found>(read: () => Found | null): Found | null {
    const from = this.#place;
    const found = read();
    if (found === null) this.#place = from;
    return found;
  }

  #take(kind: Token['kind'], text: string, name: string): boolean {
    if (this.#token.kind === kind && this.#token.text === text) {
      this.#place += 1;
      return true;
    }
    this.#miss(name);
    return false;
  }

  #miss(name: string): null {
    if (this.#place > this.#furthest) {
      this.#furthest = this.#place;
      this.#possible = new Set();
    }
    if (this.#place === this.#furthest) this.#possible.add(name);
    return null;
  }
}
