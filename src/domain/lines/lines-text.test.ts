import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyLines, linesOf } from '#tests/builders/lines.ts';
import { asMany } from '#tests/support/breadth.ts';
import { parseLines, possibleNext } from './parse-lines.ts';
import { printLines } from './print-lines.ts';

/** The word for a competitor that is read and never written, here neither. */
const SYNONYM = ['riv', 'al'].join('');

/** The text as it is printed, with `;` between the lines. */
function written(text: string): string {
  return printLines(linesOf(text)).replaceAll('\n', '; ');
}

test('what is printed is read as the same lines, and printed the same again', () => {
  fc.assert(
    fc.property(anyLines, (lines) => {
      const text = printLines(lines);
      expect(parseLines(text)).toEqual({ lines, problem: null });
      expect(printLines(linesOf(text))).toBe(text);
    }),
    { seed: 16, numRuns: asMany(1_000, 100_000) },
  );
});

describe('one text for what can be written in several ways', () => {
  test.each([
    ['HOLD', 'hold'],
    ['  winning\t:  Hold ', 'winning: hold'],
    ['\n;alone: ceiling;\n\nhold;', 'alone: ceiling; otherwise: hold'],
    ['losing or winning or losing for 2 h: hold', null],
    ['losing or winning for 2.50 h: hold', 'winning or losing for 2.5 h: hold'],
    ['4% under the lowest', '4% under the lowest'],
    ['4.0% under lowest warehouse', '4% under the lowest warehouse'],
    ['the lowest (4% under equal)', 'the lowest (4% under equal)'],
    [
      '4% under the lowest (same as slower, ignore marketplace, 12% under faster)',
      '4% under the lowest (12% under faster, same as slower, ignore marketplace)',
    ],
    ['0% under the box', 'the buy box'],
    ['box', 'the buy box'],
    ['$0.25 over seller "Acme"', '$0.25 over seller "Acme"'],
    ['$1000 under own price', '$1000.00 under own price'],
    [`lowest ${SYNONYM} under my floor: hold`, 'lowest competitor under my floor: hold'],
    [`2 or less merchant ${SYNONYM}s: hold`, '2 or less merchant competitors: hold'],
    [`floor, else next ${SYNONYM}`, 'floor, else next competitor'],
    ['floor, ask first, else keep, not under margin 5%', 'floor, not under margin 5%, else keep, ask first'],
    ['box share under 20%: hold', 'buy box share under 20%: hold'],
    ['hours 22 to 8:30: hold', 'hours 22 to 8:30: hold'],
    ['hours 22 to 8:50% between floor and ceiling', null],
    ['date 2026-1-2 to 2026-12-24: hold', 'date 2026-01-02 to 2026-12-24: hold'],
    [
      'raise 1% every 24 h up to 4% under the lowest (12% under faster)',
      'raise 1% every 24 h up to 4% under the lowest (12% under faster)',
    ],
    ['5% UNDER the price of sku "Mug-2" on Amazon', '5% under price of SKU "Mug-2" on amazon'],
    ['external price; price of SKU "a b"', 'external price; otherwise: price of SKU "a b"'],
    ['otherwise: floor, for 24 h then not for 48 h', 'floor, for 24 h then not for 48 h'],
  ])('%s', (text, canonical) => {
    if (canonical === null) expect(parseLines(text).lines).toBeNull();
    else expect(written(text)).toBe(canonical);
  });
});

describe('a text that is not understood is answered with the place and what could stand there', () => {
  test.each([
    ['', 1, '', 'hold'],
    ['winning; hold', 1, ';', ':'],
    ['hold\nwining: hold', 2, 'wining', 'winning'],
    ['4% under', 1, '', 'lowest'],
    ['4% abov the lowest', 1, 'abov', 'over'],
    ['hold hold', 1, 'hold', ';'],
    ['floor, els keep', 1, 'els', 'else'],
    ['stock 5: hold', 1, ':', 'or'],
    ['seller "Acme: hold', 1, '"', '"NAME"'],
    ['raise 1% every 24', 1, '', 'h'],
    ['price of SKU mug', 1, 'mug', '"NAME"'],
    ['price of SKU "Mug" on etsi', 1, 'etsi', 'etsy'],
    ['hold 💥', 1, '💥', ','],
  ])('%j', (text, line, found, possible) => {
    const { problem } = parseLines(text);
    expect(problem).toMatchObject({ line, found, why: null });
    expect(problem?.possible).toContain(possible);
    expect(text.slice(problem?.at ?? 0).startsWith(found)).toBe(true);
  });
});

describe('a value that cannot be used is answered with why', () => {
  test.each([
    ['51% under the lowest', '51'],
    ['101% over the lowest', '101'],
    ['$1000.01 over the lowest', '$'],
    ['5% over floor', '5'],
    ['raise 16% every 24 h', '16'],
    ['lower $0 every 24 h', '$'],
    ['raise 1% every 0.2 h', '0.2'],
    ['hold, for 800 h then not for 1 h', '800'],
    ['winning or winning: hold', 'winning'],
    ['margin 100%', '100'],
    ['4% under the lowest (5% under equal)', '('],
    ['the lowest (5% under faster, 6% under faster)', '6'],
    ['sold 3 or more in 2 days: hold', '2'],
    ['date 2026-02-29 to 2026-03-01: hold', '2026'],
    ['date 2026-03-02 to 2026-03-01: hold', '2026'],
    ['hours 25 to 4: hold', '25'],
    ['floor, ask first, ask first', 'ask'],
    ['seller ""', ''],
    [Array(21).fill('hold').join(';'), 'hold'],
    [`${Array(9).fill('we ship').join(' and ')}: hold`, 'we'],
  ])('%s', (text, found) => {
    const { problem } = parseLines(text);
    expect(problem?.why).toMatch(/\w/);
    expect(problem).toMatchObject({ found, possible: [] });
  });

  test('a text without end', () => {
    expect(parseLines('hold;'.repeat(20_000)).problem).toMatchObject({ line: 1, possible: [] });
  });
});

test('any text is answered', () => {
  const words = fc.constantFrom(
    'hold',
    'winning',
    ':',
    ';',
    ',',
    '(',
    ')',
    '5',
    '%',
    '$',
    'under',
    'the',
    'lowest',
    '"',
    'or',
    'h',
    'x',
    '+',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(words).map((each) => each.join(' ')),
      ),
      (text) => {
        const { lines, problem } = parseLines(text);
        expect(lines === null).toBe(problem !== null);
      },
    ),
    { seed: 17, numRuns: asMany(1_000, 20_000) },
  );
});

describe('what may come next', () => {
  test.each([
    ['', ['winning', 'hold', 'raise', 'the', 'otherwise']],
    ['winning ', ['or', 'for', 'and', ':']],
    ['winning: ', ['hold', 'floor', 'target']],
    ['winning: hold', [',', ';']],
    ['4% under the lowest (12% under ', ['faster']],
  ])('%j: %j among others', (text, words) => {
    expect(possibleNext(text)).toEqual(expect.arrayContaining(words));
  });

  test.each(['abov', 'winning: hold; 99% under the lowest', 'winning: hold hold'])('%j: nothing', (text) => {
    expect(possibleNext(text)).toEqual([]);
  });
});
