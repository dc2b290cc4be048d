import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

/** How marketplaces behave is worked out in cases C1 to C40. Each is named by the tests that prove it. */
const CASES = 40;
const root = resolve(import.meta.dirname, '../..');

test('each case of how marketplaces behave is named by a test', () => {
  const files = ['src', 'tests'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.test.ts'))
      .map((path) => join(root, folder, path)),
  );
  const named = new Set(
    files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?:\(|, |'|\/\/ )C(\d{1,2})(?=[),:\n])/g)].map(([, number]) =>
        Number(number),
      ),
    ),
  );
  expect(Array.from({ length: CASES }, (_, at) => at + 1).filter((number) => !named.has(number))).toEqual([]);
});
