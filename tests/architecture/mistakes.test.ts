import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { MISTAKES } from '#tests/mistakes/mistakes.ts';

const root = resolve(import.meta.dirname, '../..');

test('the list has forty code errors in all layers', () => {
  expect(MISTAKES.length).toBeGreaterThanOrEqual(40);
  const layers = new Set(MISTAKES.map(({ file }) => file.split('/')[1]));
  expect([...layers].sort()).toEqual([
    'cli',
    'connectors',
    'db',
    'domain',
    'files',
    'server',
    'usecases',
    'web',
  ]);
});

test.each(MISTAKES)('$file still contains the code for "$harm"', ({ file, right, wrong }) => {
  const text = readFileSync(join(root, file), 'utf8');
  expect(text.split(right)).toHaveLength(2);
  expect(wrong).not.toBe(right);
});
