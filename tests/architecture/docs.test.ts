import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n');

/** Files of this project that a page names in full; patterns, placeholders and addresses aside. */
function filesNamedIn(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const named = text.matchAll(
    /(?<![\w/])(?:src|tests|docs|scripts|bench|examples)\/[\w./-]+\.(?:tsx?|mjs|md|csv|sql)\b/g,
  );
  return [...named].map(([path]) => path);
}

describe('the pages', () => {
  test('name files, so that there is something to check', () => {
    expect(pages.flatMap(filesNamedIn).length).toBeGreaterThan(30);
  });

  test.each(pages)('%s names only files that exist', (page) => {
    expect(filesNamedIn(page).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
