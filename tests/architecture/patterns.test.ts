import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from 'recheck';
import { describe, expect, test } from 'vitest';
import { IS_ALL } from '#tests/support/breadth.ts';
import { readSources, type SyntaxNode } from './source-tree.ts';

interface Pattern {
  readonly source: string;
  readonly flags: string;
}

function patternOf({ type, regex }: SyntaxNode): Pattern | null {
  if (type !== 'Literal' || typeof regex !== 'object' || regex === null) return null;
  const { pattern, flags } = regex as { pattern: string; flags: string };
  return { source: pattern, flags };
}

const patterns = new Map<string, Pattern & { readonly file: string }>();
for (const { file, nodes } of readSources('src', 'tools', 'scripts', 'bin')) {
  for (const pattern of nodes.map(patternOf)) {
    if (pattern !== null) patterns.set(`/${pattern.source}/${pattern.flags}`, { ...pattern, file });
  }
}

/**
 * Hashes of patterns that were proved safe, one per line, since proving all takes too long. Patterns not in the list are
 * proved in every run, and all of them with --all. `PRICEWRIGHT_PROVED=write npx vitest run
 * tests/architecture/patterns.test.ts` proves all and rewrites the list.
 */
const LIST = join(import.meta.dirname, 'safe-patterns.txt');
const IS_WRITTEN = process.env.PRICEWRIGHT_PROVED === 'write';
const hashOf = ({ source, flags }: Pattern): string =>
  createHash('sha256').update(`/${source}/${flags}`).digest('base64url').slice(0, 16);

/** Patterns that some text makes take more than linear time. Checked one by one, so that each has its full time limit. */
async function slowOf<Each extends Pattern>(all: readonly Each[]): Promise<Each[]> {
  const slow: Each[] = [];
  for (const pattern of all) {
    const { status } = await check(pattern.source, pattern.flags, { timeout: 300_000 });
    if (status !== 'safe') slow.push(pattern);
  }
  return slow;
}

describe('regular expressions', () => {
  test('are found, and slow ones are distinguished from fast ones', async () => {
    expect(patterns.size).toBeGreaterThan(100);
    const known = ['(a|a)*$', '\\s+$', '^(\\d+)+x', '^\\d{1,9}(\\.\\d{1,2})?$', '^[a-z]+$'];
    const slow = await slowOf(known.map((source) => ({ source, flags: '' })));
    expect(slow.map(({ source }) => source)).toEqual(known.slice(0, 3));
  });

  test('none of ours can be made slow by a text', async () => {
    const proved = new Set(IS_ALL || IS_WRITTEN ? [] : readFileSync(LIST, 'utf8').split('\n'));
    const slow = await slowOf([...patterns.values()].filter((pattern) => !proved.has(hashOf(pattern))));
    if (IS_WRITTEN && slow.length === 0) {
      writeFileSync(LIST, `${[...patterns.values()].map(hashOf).toSorted().join('\n')}\n`);
    }
    expect(slow.map(({ file, source, flags }) => `${file}: /${source}/${flags}`)).toEqual([]);
  }, 1_200_000);
});
