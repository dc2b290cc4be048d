import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A bar is in the place of a line of text, 12 px high: a grey slab is no layout. */
test('no skeleton is higher than a line of text', () => {
  const screens = readdirSync('src/web', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.tsx'),
  );
  const slabs = screens.flatMap((name) =>
    [...readFileSync(`src/web/${name}`, 'utf8').matchAll(/<Skeleton\b[^>]*\b(h-[\d.]+)[^>]*>/g)]
      .filter(([, height]) => !['h-2.5', 'h-3'].includes(height ?? ''))
      .map(([bar]) => `${name}: ${bar}`),
  );
  expect(slabs).toEqual([]);
});
