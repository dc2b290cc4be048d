import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const MAX_PAGES = 14;

const root = resolve(import.meta.dirname, '../..');
const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((page) => existsSync(join(root, page)));

const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');
const withoutCode = (text: string): string =>
  text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** Files of this project that a page names in full; patterns, placeholders and addresses aside. */
function filesNamedIn(page: string): string[] {
  const named = textOf(page).matchAll(
    /(?<![\w/])(?:src|tests|tools|docs|scripts|bench|examples)\/[\w./-]+\.(?:tsx?|mjs|md|csv|sql|json|txt)\b/g,
  );
  return [...named].map(([path]) => path);
}

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');

/** Files that a page names in backticks by the end of their path, such as `sending/read-back.ts`, and that do not exist. */
function unknownFilesIn(page: string): string[] {
  const quoted = textOf(page)
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .matchAll(/`([\w.-]+(?:\/[\w.-]+)*\.(?:tsx?|mjs|sql))`/g);
  const existing = tracked.filter((file) => existsSync(join(root, file)));
  const exists = (name: string): boolean =>
    existing.some((file) => file === name || file.endsWith(`/${name}`));
  const isExample = (name: string): boolean => name.startsWith('./') || /_name\.sql$/.test(name);
  return [...quoted].flatMap(([, name = '']) => (exists(name) || isExample(name) ? [] : [name]));
}

/** GitHub's anchors of the headings of a page. */
function anchorsOf(page: string): Set<string> {
  const headings = textOf(page)
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .matchAll(/^#{1,6} (.+)$/gm);
  return new Set(
    [...headings].map(([, title]) =>
      (title ?? '')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  );
}

/** Broken links and images of a page: no such file, or no such heading in it. */
function brokenLinksOf(page: string): string[] {
  const links = [...withoutCode(textOf(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? '');
  return links
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(root, file))) return true;
      return anchor !== undefined && !anchorsOf(file).has(anchor);
    });
}

/** All sources and file names of the project in one text, to search names in; migrations keep old names. */
const sources = (() => {
  const code = tracked
    .filter((file) => /\.(?:tsx?|mjs|sql|json|csv)$/.test(file) && existsSync(join(root, file)))
    .filter((file) => !file.startsWith('src/db/migrations/') && file !== 'tests/architecture/docs.test.ts');
  return [...tracked, ...code.map(textOf)].join('\n');
})();

/** Names from the settings of other programs. */
const FOREIGN_NAMES = ['entryPoints', 'respondingTimeouts', 'readTimeout', 'pg_upgrade', 'KillMode'];

/** Names in backticks in camelCase or snake_case that no source contains. */
function unknownNamesIn(page: string): string[] {
  const quoted = textOf(page)
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .matchAll(/`([^`\n]+)`/g);
  const names = [...quoted].flatMap(([, code = '']) => code.match(/\w*(?:[a-z][A-Z]|[a-z]_[a-z])\w*/g) ?? []);
  return names.filter((name) => !FOREIGN_NAMES.includes(name) && !sources.includes(name));
}

describe('the pages', () => {
  test('name files, so that there is something to check', () => {
    expect(pages.flatMap(filesNamedIn).length).toBeGreaterThan(30);
  });

  test.each(pages)('%s names only files that exist', (page) => {
    const missing = filesNamedIn(page).filter((path) => !existsSync(join(root, path)));
    expect([...missing, ...(page === 'CHANGELOG.md' ? [] : unknownFilesIn(page))]).toEqual([]);
  });

  test.each(pages)('%s links only to files and headings that exist', (page) => {
    expect(brokenLinksOf(page)).toEqual([]);
  });

  test.each(pages.filter((page) => page !== 'CHANGELOG.md' && !page.startsWith('tests/')))(
    '%s names only tables, columns, fields and functions that exist',
    (page) => {
      expect(unknownNamesIn(page)).toEqual([]);
    },
  );

  test('have tables without padding, whose rows change alone', () => {
    const padded = / {2,}\||\| {2,}|-{4,} *\|/;
    const rows = pages.flatMap((page) =>
      textOf(page)
        .replaceAll(/^```[\s\S]*?^```/gm, '')
        .split('\n')
        .filter((line) => line.startsWith('|') && padded.test(line))
        .map((line) => `${page}: ${line.slice(0, 40)}`),
    );
    expect(rows).toEqual([]);
  });

  test('a link without its heading is detected', () => {
    expect([...anchorsOf('docs/running.md')]).toContain('behind-a-proxy');
    expect([...anchorsOf('docs/running.md')]).not.toContain('behind-no-proxy');
  });

  test(`docs has at most ${String(MAX_PAGES)} pages, decisions aside`, () => {
    const inDocs = pages.filter((page) => page.startsWith('docs/') && !page.startsWith('docs/adr/'));
    expect(inDocs.length).toBeLessThanOrEqual(MAX_PAGES);
  });
});
