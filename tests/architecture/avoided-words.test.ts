import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const LIST = join(root, 'tests/architecture/avoided-words.json');

/** The replacement of each word, and how often it may still occur. These numbers are only lowered, also by PRICEWRIGHT_WORDS=write. */
type AvoidedWords = Readonly<Record<string, { readonly instead: string; readonly most: number }>>;

/** Third-party texts, released texts, what is recorded or made from the API, names of files with their times, and the list itself. */
const UNREAD_FILES =
  /^(?:CHANGELOG\.md|package-lock\.json|src\/db\/migrations\/|tests\/architecture\/(?:avoided-words|specification|licenses)|tests\/budgets\.json|docs\/adr\/|examples\/|src\/server\/api-docs\/examples\.json|clients\/typescript\/schema\.ts)/;

const avoided = JSON.parse(readFileSync(LIST, 'utf8')) as AvoidedWords;

/** The page that lists the old names which stay, and the heading from which on it does. */
const GLOSSARY = { page: 'docs/glossary.md', oldNames: '## Old names that stay' };

function textOf(file: string): string {
  const text = readFileSync(join(root, file), 'utf8');
  return file === GLOSSARY.page ? (text.split(GLOSSARY.oldNames)[0] ?? '') : text;
}

/** The text of every file in lower case, with names in code split into words. */
function words(): string {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /\.(?:tsx?|mjs|md|json|css|html|csv|yml)$/.test(file) && !UNREAD_FILES.test(file))
    .filter((file) => existsSync(join(root, file)));
  return (
    files
      .map(textOf)
      .join('\n')
      // A keyword of CSS, and names of Shopify's schema.
      .replaceAll('@font-face', '')
      .replace(/\b(?:dutiesIncluded|originalTotalDutiesSet)\b/g, '')
      .replace(/([a-z0-9])(?=[A-Z])/g, '$1 ')
      .replace(/[_\s]+/g, ' ')
      .toLowerCase()
  );
}

function countIn(text: string): Record<string, number> {
  return Object.fromEntries(
    Object.keys(avoided).map((word) => [
      word,
      [...text.matchAll(new RegExp(`(?<![a-z])${word.replaceAll(' ', '\\s')}(?![a-z])`, 'g'))].length,
    ]),
  );
}

test('avoided words do not increase', () => {
  const found = countIn(words());
  if (process.env.PRICEWRIGHT_WORDS === 'write') {
    const list = Object.entries(avoided).map(([word, { instead, most }]) => [
      word,
      { instead, most: Math.min(most, found[word] ?? 0) },
    ]);
    writeFileSync(LIST, `${JSON.stringify(Object.fromEntries(list), null, 2)}\n`);
  }
  const grown = Object.entries(avoided)
    .filter(([word, { most }]) => (found[word] ?? 0) > most)
    .map(([word, { instead, most }]) => `"${word}": ${found[word]}, at most ${most}. Write: ${instead}`);
  expect(grown).toEqual([]);
});

test('a new one is detected, in a sentence and in a name', () => {
  const text = 'ask somebody; const the_rival = somebodys; by\nitself'.replace(/[_\s]+/g, ' ');
  expect(countIn(text)).toMatchObject({ somebody: 1, rival: 1, 'by itself': 1 });
});
