/** A text without its blanks or escapes, with the original position of each character. */
export interface ReadText {
  readonly text: string;
  /** By character: where it started in the original text, and where it ended. */
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** Blanks, control and zero-width characters; "+", which means a blank in forms. */
const BLANKS = /[\s\p{Cc}\p{Cf}+]+/gu;
const ESCAPES =
  /(?:%[0-9a-f]{2})+|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[nrtbfv]|\\[^a-z0-9]|&(?:amp|lt|gt|quot|apos|#\d{1,6}|#x[0-9a-f]{1,5});/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export function withoutBlanks(text: string): string {
  return text.replaceAll(BLANKS, '');
}

/** Whether a text may contain escapes. */
export function hasEscapes(text: string): boolean {
  return /[%\\&]/.test(text);
}

function found(pattern: RegExp, text: string): RegExpExecArray[] {
  const all: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let one = pattern.exec(text); one !== null; one = pattern.exec(text)) all.push(one);
  return all;
}

/** A text without its blanks, so that what was broken over lines is joined. */
export function plainText(text: string): ReadText {
  const read = new Reading();
  let done = 0;
  for (const { 0: blanks, index } of found(BLANKS, text)) {
    read.takeOver(text, done, index);
    done = index + blanks.length;
  }
  read.takeOver(text, done, text.length);
  return read;
}

/** A text with its escapes (of URLs, JSON and HTML) decoded once; null when it has none. */
export function decodedText({ text, from, to }: ReadText): ReadText | null {
  const read = new Reading();
  let done = 0;
  for (const { 0: written, index } of found(ESCAPES, text)) {
    const places = { from, to };
    read.takeOver(text, done, index, places);
    done = index + written.length;
    for (const { letters, at, length } of resolved(written)) {
      const start = from[index + at] ?? 0;
      const end = to[index + at + length - 1] ?? start;
      read.add(withoutBlanks(letters), start, end);
    }
  }
  if (done === 0) return null;
  read.takeOver(text, done, text.length, { from, to });
  return read;
}

class Reading implements ReadText {
  text = '';
  readonly from: number[] = [];
  readonly to: number[] = [];

  takeOver(text: string, first: number, behind: number, places?: Pick<ReadText, 'from' | 'to'>): void {
    this.text += text.slice(first, behind);
    for (let at = first; at < behind; at++) {
      this.from.push(places?.from[at] ?? at);
      this.to.push(places?.to[at] ?? at + 1);
    }
  }

  add(letters: string, from: number, to: number): void {
    this.text += letters;
    for (let at = 0; at < letters.length; at++) {
      this.from.push(from);
      this.to.push(to);
    }
  }
}

interface Resolved {
  readonly letters: string;
  /** Its position in the original text, and its length there. */
  readonly at: number;
  readonly length: number;
}

function resolved(written: string): Resolved[] {
  if (written.startsWith('%')) return percents(written);
  return [
    {
      letters: written.startsWith('&') ? entity(written) : backslash(written),
      at: 0,
      length: written.length,
    },
  ];
}

/** Bytes of UTF-8; a byte that starts no character is skipped. */
function percents(written: string): Resolved[] {
  const bytes = Buffer.from(written.replaceAll('%', ''), 'hex');
  const letters: Resolved[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] ?? 0;
    const size = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    const letter = bytes.toString('utf8', at, at + size);
    letters.push({ letters: letter, at: at * 3, length: Math.min(size, bytes.length - at) * 3 });
    at += size;
  }
  return letters;
}

function entity(written: string): string {
  const name = written.slice(1, -1).toLowerCase();
  if (!name.startsWith('#')) return NAMED[name] ?? '';
  return letterOf(name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
}

function backslash(written: string): string {
  const kind = written.charAt(1);
  if (/[ux]/i.test(kind)) return letterOf(Number.parseInt(written.slice(2), 16));
  // Line feeds and tabs are blanks.
  return /[a-z]/i.test(kind) ? '' : kind;
}

function letterOf(code: number): string {
  return code > 0x10_ffff ? '' : code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code);
}
