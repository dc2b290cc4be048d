import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** A quoted sentence, long enough not to occur twice by chance; it may contain quotes of another kind. */
const SENTENCE = /(['"`])([A-Z](?:(?!\1)[^\n]){25,300}?[.?!])\1/g;
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

/** Sentences that more than one of these tests contain, with their files. */
function repeated(tests: readonly (readonly [string, string])[], product: string): string[] {
  const places = new Map<string, string[]>();
  for (const [file, text] of tests) {
    for (const sentence of sentencesOf(text)) places.set(sentence, [...(places.get(sentence) ?? []), file]);
  }
  return [...places]
    .filter(([sentence, files]) => files.length > 1 && product.includes(sentence))
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

test('one that is asserted in two is detected, and one that a test makes up is not', () => {
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
  const own = "answer('A sentence that the tests alone know.');";
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
