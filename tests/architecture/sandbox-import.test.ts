import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const src = resolve(import.meta.dirname, '../../src');
const sandbox = resolve(import.meta.dirname, '../../tools/sandbox');

/** All lines of the product that import the sandbox, as "file: line". */
function mentions(): string[] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\./.test(file))
    .flatMap((file) =>
      readFileSync(join(src, file), 'utf8')
        .split('\n')
        .filter((line) => line.includes("'#sandbox/"))
        .map((line) => `${file}: ${line.trim()}`),
    );
}

test('no program loads the simulated marketplaces unless they are requested', () => {
  const lines = mentions();
  expect(lines.length).toBeGreaterThan(0);
  const loadedAnyway = lines.filter((line) => !/await import\('#sandbox\/|: import type /.test(line));
  expect(loadedAnyway).toEqual([]);
  expect(lines.filter((line) => !/^(main|bootstrap\/[\w-]+)\.ts: /.test(line))).toEqual([]);
});

test('the sandbox computes fees without the fee tables of the product', () => {
  const imports = readdirSync(sandbox, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => readFileSync(join(sandbox, file), 'utf8').match(/'#domain\/[^']+'/g) ?? []);
  const allowed = ['connections/credentials', 'marketplaces', 'units'].map((name) => `'#domain/${name}.ts'`);
  expect(new Set(imports)).toEqual(new Set(allowed));
});
