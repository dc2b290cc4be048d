/** Alignment patterns, and codewords of data in each block, of the versions 7 to 10 with correction level M. */
const VERSIONS: Readonly<Record<number, { readonly centres: number[]; readonly blocks: number[] }>> = {
  7: { centres: [6, 22, 38], blocks: [31, 31, 31, 31] },
  8: { centres: [6, 24, 42], blocks: [38, 38, 39, 39] },
  9: { centres: [6, 26, 46], blocks: [36, 36, 36, 37, 37] },
  10: { centres: [6, 28, 50], blocks: [43, 43, 43, 43, 44] },
};
const QUIET = 4;
const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';

type IsTrue = (row: number, column: number) => boolean;

const MASKS: readonly IsTrue[] = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/**
 * Reads a QR code off its picture as a camera would after it found the fields: by ISO/IEC 18004, of our own, so that no
 * mistake of the library that drew it is repeated. There is no error to correct in a picture that was drawn.
 * @param svg rows of horizontal strokes, with four quiet fields around
 * @throws Error for any other picture
 */
export function readQr(svg: string): string {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]) - 2 * QUIET;
  const number = (size - 17) / 4;
  const version = VERSIONS[number];
  if (version === undefined) throw new Error(`A picture of ${size} fields.`);
  const isDark = fieldsOf(svg);
  const mask = MASKS[maskOf(isDark)] ?? (() => false);
  const isPattern = patternsOf(size, version.centres);
  const bits: boolean[] = [];
  for (const [row, column] of pathOf(size)) {
    if (!isPattern(row, column)) bits.push(isDark(row, column) !== mask(row, column));
  }
  return textOf(dataOf(bits, version.blocks), number >= 10);
}

function fieldsOf(svg: string): IsTrue {
  const strokes = /stroke="#000000" d="([^"]+)"/.exec(svg)?.[1] ?? '';
  const dark = new Set<string>();
  let [x, y] = [0, 0];
  for (const [, command, first = '', second = ''] of strokes.matchAll(/([Mmh])(-?[\d.]+)(?: (-?[\d.]+))?/g)) {
    if (command === 'M') [x, y] = [Number(first), Number(second)];
    else if (command === 'm') [x, y] = [x + Number(first), y + Number(second)];
    else for (const end = x + Number(first); x < end; x += 1) dark.add(`${y - 0.5 - QUIET} ${x - QUIET}`);
  }
  return (row, column) => dark.has(`${row} ${column}`);
}

/** The number of the mask, from the fields next to the upper left corner; also checks that the level is M. */
function maskOf(isDark: IsTrue): number {
  const along = [0, 1, 2, 3, 4, 5, 7, 8].map((column) => isDark(8, column));
  const up = [7, 5, 4, 3, 2, 1, 0].map((row) => isDark(row, 8));
  const format = numberOf([...along, ...up]) ^ 0x5412;
  if (format >> 13 !== 0) throw new Error('Another correction level than M.');
  return (format >> 10) & 7;
}

/** What carries no data: corners, dotted lines, alignment, format and version. */
function patternsOf(size: number, centres: readonly number[]): IsTrue {
  const last = size - 7;
  const isCorner = (r: number, c: number) => (r < 9 && (c < 9 || c > size - 9)) || (r > size - 9 && c < 9);
  const inCorner = (r: number, c: number) => (r === 6 && (c === 6 || c === last)) || (r === last && c === 6);
  const isAlignment: IsTrue = (r, c) =>
    centres.some((cr) =>
      centres.some((cc) => !inCorner(cr, cc) && Math.abs(r - cr) <= 2 && Math.abs(c - cc) <= 2),
    );
  const isVersion: IsTrue = (r, c) => (r < 6 && c >= size - 11) || (c < 6 && r >= size - 11);
  return (r, c) => isCorner(r, c) || r === 6 || c === 6 || isAlignment(r, c) || isVersion(r, c);
}

/** Two columns at a time from the right, up and down in turn, over the dotted line. */
function* pathOf(size: number): Generator<readonly [number, number]> {
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right -= 1;
    for (let step = 0; step < size; step += 1) {
      const row = isUp ? size - 1 - step : step;
      yield [row, right];
      yield [row, right - 1];
    }
    isUp = !isUp;
  }
}

/** The blocks take turns; a shorter one sits the last turn out. */
function dataOf(bits: readonly boolean[], blocks: readonly number[]): boolean[] {
  const parts = blocks.map((): boolean[] => []);
  let at = 0;
  for (let turn = 0; turn < Math.max(...blocks); turn += 1) {
    for (const [index, length] of blocks.entries()) {
      if (turn >= length) continue;
      parts[index]?.push(...bits.slice(at, at + 8));
      at += 8;
    }
  }
  return parts.flat();
}

function textOf(bits: boolean[], isLarge: boolean): string {
  let text = '';
  const take = (count: number): number => numberOf(bits.splice(0, count));
  for (;;) {
    const mode = bits.length < 4 ? 0 : take(4);
    if (mode === 0) return text;
    if (mode === 4) {
      const bytes = Array.from({ length: take(isLarge ? 16 : 8) }, () => take(8));
      text += Buffer.from(bytes).toString('utf8');
    } else if (mode === 2) {
      for (let left = take(isLarge ? 11 : 9); left > 0; left -= 2) {
        const pair = take(left > 1 ? 11 : 6);
        text +=
          left > 1
            ? (ALPHANUMERIC[Math.floor(pair / 45)] ?? '') + ALPHANUMERIC[pair % 45]
            : ALPHANUMERIC[pair];
      }
    } else if (mode === 1) {
      for (let left = take(isLarge ? 12 : 10); left > 0; left -= 3) {
        const digits = Math.min(left, 3);
        text += String(take(digits * 3 + 1)).padStart(digits, '0');
      }
    } else throw new Error(`Mode ${mode}.`);
  }
}

function numberOf(bits: readonly boolean[]): number {
  return bits.reduce((sum, bit) => sum * 2 + Number(bit), 0);
}
