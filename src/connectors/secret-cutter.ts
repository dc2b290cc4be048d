import { decodedText, hasEscapes, plainText, type ReadText, withoutBlanks } from './unescaped-text.ts';

/** Replaces a secret, as in the log. */
const REMOVED = '[removed]';
/** Shorter texts are not secrets of any service, and would match ordinary words. */
const SHORTEST = 6;
/** Fragments of a long secret shorter than this are kept, all others are cut. */
const LONGEST_PIECE = 16;
const SHORTEST_PIECE = 8;
/** How many levels of escaping are decoded. */
const DEEPEST = 4;
/** Length of the grams for a first check: a text with none of them contains no fragment of a secret. */
const GRAM = 4;

const BASE64_RUN = /[A-Za-z0-9+/=_-]/;

/** Redacts secrets in texts from services. */
export type Cut = (text: string) => string;

/** Fragments of one length. */
interface Pieces {
  readonly length: number;
  readonly of: Set<string>;
  /** Found in a run of characters that encodes bytes: the whole run is cut. */
  readonly isCode: boolean;
  /** Case-insensitive. */
  readonly isFolded: boolean;
}

/**
 * Redacts secrets in texts: as they are, as base64 (alone or inside of more, such as "Basic" of id:secret) and
 * base64url, as hex, escaped for URLs, JSON or HTML, also several times, split by blanks and lines. Fragments of a
 * secret are redacted too if they are long enough to be useful: 16 characters, or half of a secret, but never less
 * than 8 (a secret of 6 or 7 is only redacted as a whole). A text without any of that is unchanged.
 * @param secrets those with less than 6 characters are ignored
 */
export function secretCutter(secrets: Iterable<string>): Cut {
  const all = piecesOf([...new Set(secrets)]);
  if (all.length === 0) return (text) => text;
  const shortest = Math.min(...all.map(({ length }) => length));
  const grams = gramsOf(all);
  return (text) => {
    if (!hasEscapes(text) && !mayHold(withoutBlanks(text), grams, shortest)) return text;
    const spans: Span[] = [];
    let read = plainText(text);
    for (let depth = 0; depth < DEEPEST; depth++) {
      if (mayHold(read.text, grams, shortest)) spans.push(...spansIn(read, all, text));
      const deeper = decodedText(read);
      if (deeper === null) break;
      read = deeper;
    }
    return without(text, spans);
  };
}

/** From the first character of the text to the end of its last. */
type Span = readonly [from: number, to: number];

function piecesOf(secrets: readonly string[]): readonly Pieces[] {
  const groups = new Map<string, Pieces>();
  const add = (whole: string, length: number, isCode: boolean, isFolded: boolean): void => {
    const { text } = plainText(isFolded ? folded(whole) : whole);
    const size = Math.min(length, text.length);
    const name = `${size} ${isCode} ${isFolded}`;
    const group = groups.get(name) ?? { length: size, of: new Set(), isCode, isFolded };
    groups.set(name, group);
    for (let at = 0; at + size <= text.length; at++) group.of.add(text.slice(at, at + size));
  };
  for (const secret of secrets) {
    const { text } = plainText(secret);
    if (text.length < SHORTEST) continue;
    // One that looks escaped is found in a text whose escapes were decoded.
    for (const each of resolvedIn(secret)) add(each, pieceOf(each.length), false, true);
    for (const written of writtenIn(secret)) {
      // In its written form too: a short one that looks escaped is too short to be found once decoded.
      add(written, pieceOf(written.length), false, true);
      const bytes = Buffer.from(written);
      const piece = pieceOf(bytes.length);
      add(bytes.toString('hex'), piece * 2, true, true);
      for (const shift of [0, 1, 2]) {
        const inner = base64Inside(bytes, shift);
        // The number of characters that depend on such a fragment alone, wherever it starts.
        const length = Math.floor((piece * 8 - 8) / 6);
        add(inner, length, true, false);
        add(inner.replaceAll('+', '-').replaceAll('/', '_'), length, true, false);
      }
    }
  }
  return [...groups.values()];
}

/** Minimum length of a useful fragment of a secret of that length. */
function pieceOf(length: number): number {
  const half = Math.ceil(length / 2);
  return Math.min(length, Math.max(SHORTEST_PIECE, Math.min(LONGEST_PIECE, half)));
}

/** A secret, and its form after decoding escapes. */
function resolvedIn(secret: string): string[] {
  const found: string[] = [];
  for (let read: ReadText | null = plainText(secret); read !== null; read = decodedText(read)) {
    if (read.text.length >= SHORTEST && found.length <= DEEPEST) found.push(read.text);
  }
  return found;
}

/** A secret as it appears in a request, before that is encoded as a whole. */
function writtenIn(secret: string): ReadonlySet<string> {
  return new Set([
    secret,
    encodeURIComponent(Buffer.from(secret).toString()),
    new URLSearchParams({ '': secret }).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
  ]);
}

/** The base64 characters that depend on these bytes alone, `shift` bytes after the start of a group of three. */
function base64Inside(bytes: Buffer, shift: number): string {
  const whole = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
  const from = Math.ceil((shift * 8) / 6);
  const to = Math.floor(((shift + bytes.length) * 8) / 6);
  return whole.slice(from, to);
}

function gramsOf(all: readonly Pieces[]): ReadonlySet<string> {
  const grams = new Set<string>();
  for (const { of } of all) {
    for (const piece of of) {
      const text = folded(piece);
      for (let at = 0; at + GRAM <= text.length; at++) grams.add(text.slice(at, at + GRAM));
    }
  }
  return grams;
}

/** Checks every few characters: a fragment of that length has at least one of the grams there. */
function mayHold(text: string, grams: ReadonlySet<string>, shortest: number): boolean {
  const step = Math.max(1, shortest - GRAM + 1);
  const searched = folded(text);
  for (let at = 0; at + GRAM <= searched.length; at += step) {
    if (grams.has(searched.slice(at, at + GRAM))) return true;
  }
  return false;
}

function spansIn({ text, from, to }: ReadText, all: readonly Pieces[], whole: string): Span[] {
  const spans: Span[] = [];
  const inFold = folded(text);
  for (const { length, of, isCode, isFolded } of all) {
    const searched = isFolded ? inFold : text;
    for (let at = 0; at + length <= searched.length; at++) {
      if (!of.has(searched.slice(at, at + length))) continue;
      const span: Span = [from[at] ?? 0, to[at + length - 1] ?? whole.length];
      spans.push(isCode ? wholeRun(span, whole) : span);
    }
  }
  return spans;
}

/** What surrounds a secret in the same run of characters is part of the same request. */
function wholeRun([from, to]: Span, text: string): Span {
  let [first, last] = [from, to];
  while (first > 0 && BASE64_RUN.test(text.charAt(first - 1))) first--;
  while (last < text.length && BASE64_RUN.test(text.charAt(last))) last++;
  return [first, last];
}

function without(text: string, spans: readonly Span[]): string {
  let rest = '';
  let done = 0;
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    const between = text.slice(done, from);
    // Two fragments of one secret are separated by blanks at most.
    const isSame = done > 0 && withoutBlanks(between) === '';
    if (!isSame) rest += `${between}${REMOVED}`;
    done = Math.max(done, to);
  }
  return rest + text.slice(done);
}

/** Lower case, with the same length. */
function folded(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}
