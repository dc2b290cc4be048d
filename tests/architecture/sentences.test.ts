import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** A quoted sentence, long enough not to occur twice by chance; it may contain quotes of another kind. */
const SENTENCE = /(['"`])([A-Z](?:(?!\1)[^\n]){25,300}?[.?!])\1/g;
/** From so many words on, a sentence in two tests is one of the product, which may put it together from parts. */
const MANY_WORDS = 6;
const isLong = (sentence: string): boolean => sentence.split(/\s+/).length >= MANY_WORDS;
/** Test titles are exempt. */
const TITLE = /\b(?:test|describe)(?:\.\w+)*(?:\(.*\))?\($/;

function sentencesOf(text: string): Set<string> {
  const found = new Set<string>();
  for (const { index, 2: sentence = '' } of text.matchAll(SENTENCE)) {
    const before = text.slice(text.lastIndexOf('\n', index) + 1, index).trim();
    if (!TITLE.test(before)) found.add(sentence);
  }
  return found;
}

const isTest = (file: string): boolean => /\.(test|spec)\.tsx?$/.test(file);
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file));
const read = (file: string): string => readFileSync(file, 'utf8');

/** Sentences of the product that more than one of these tests contain, with their files. */
function repeated(tests: readonly (readonly [string, string])[], product: string): string[] {
  const places = new Map<string, string[]>();
  for (const [file, text] of tests) {
    for (const sentence of sentencesOf(text)) places.set(sentence, [...(places.get(sentence) ?? []), file]);
  }
  return [...places]
    .filter(([sentence, files]) => files.length > 1 && (isLong(sentence) || product.includes(sentence)))
    .map(([sentence, files]) => `${sentence} ${files.join(' ')}`);
}

test('a sentence of the product is asserted in one file', () => {
  const sources = filesIn('src');
  const product = sources
    .filter((file) => !isTest(file))
    .map(read)
    .join('\n');
  const tests = [...sources, ...filesIn('tests')].filter(isTest);
  expect(tests.length).toBeGreaterThan(400);
  expect(
    repeated(
      tests.map((file) => [file, read(file)] as const),
      product,
    ),
  ).toEqual([]);
});

test('one that is asserted in two is detected, also where it is put together; a short one that tests make up is not', () => {
  const said = "say('The price is not a price at all.');";
  const owned = '"The shop\'s price is not a price at all."';
  expect(
    repeated(
      [
        ['a', owned],
        ['b', owned],
      ],
      owned,
    ),
  ).toHaveLength(1);
  const asserted = "expect(text).toBe('The price is not a price at all.');";
  const own = "answer('Only tests know this sentence.');";
  const titled = "test('The price is not a price at all.', () => {});";
  expect(
    repeated(
      [
        ['a', asserted],
        ['b', asserted + own],
        ['c', own],
      ],
      said,
    ),
  ).toEqual(['The price is not a price at all. a b']);
  const composed = "expect(text).toBe('The price of A-1 is 5.00 dollars.');";
  expect(
    repeated(
      [
        ['a', composed],
        ['b', composed],
      ],
      "say('The price of ' + sku + ' is ' + price + ' dollars.');",
    ),
  ).toHaveLength(1);
  expect(
    repeated(
      [
        ['a', asserted],
        ['b', titled],
      ],
      said,
    ),
  ).toEqual([]);
});
