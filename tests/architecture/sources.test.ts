import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** One line of members that is spread, only so that the formatter keeps them on one line. */
const NEEDLESS_SPREAD = /^\s*\.\.\.\{ .* \},?$/m;

/** All source files that git tracks or would add, except tests and generated SQL. */
const sources = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'src', 'tools'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !/\.(test|typetest)\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

/** The folders below src whose files a source file imports, by `#` or by a relative path. */
function importedFolders({ file, text }: (typeof sources)[number]): string[] {
  return [...text.matchAll(/ from '(#|\.{1,2}\/)([^']+)'/g)].map(([, lead = '', path = '']) =>
    dirname(lead === '#' ? `src/${path}` : join(dirname(file), lead, path)),
  );
}

/** Pairs of folders below a folder that import each other, in the order of their names. */
function mutualFolders(below: string): string[] {
  const imports = new Set(
    sources
      .filter(({ file }) => file.startsWith(below))
      .flatMap((source) => importedFolders(source).map((folder) => `${dirname(source.file)} ${folder}`)),
  );
  return [...imports].flatMap((edge) => {
    const [from = '', to = ''] = edge.split(' ');
    return from < to && imports.has(`${to} ${from}`)
      ? [`${from.slice(below.length)} ${to.slice(below.length)}`]
      : [];
  });
}

describe('the sources', () => {
  test('are there to be checked', () => {
    expect(sources.length).toBeGreaterThan(20);
  });

  test('of the domain use no clock and no random numbers', () => {
    const domain = sources.filter(({ file }) => file.startsWith('src/domain/'));
    expect(domain.length).toBeGreaterThan(10);
    const impure = domain.filter(({ text }) => /\bMath\.random\b|\bDate\b|\bperformance\b/.test(text));
    expect(impure.map(({ file }) => file)).toEqual([]);
  });

  test('offer Undo in one place, so that Ctrl+Z and "Recent actions" know every one', () => {
    const offering = sources.filter(
      ({ file, text }) => file.startsWith('src/web/') && /label: *['"`]Undo['"`]/.test(text),
    );
    expect(offering.map(({ file }) => file)).toEqual(['src/web/lib/recent-actions-store.ts']);
  });

  test('of the pages store in the browser only what the list of allowed keys contains', () => {
    const storage = /\b(localStorage|sessionStorage|indexedDB|CacheStorage|serviceWorker)\b|\bcaches\./;
    const pages = sources.filter(({ file }) => file.startsWith('src/web/'));
    const storing = pages.filter(({ text }) => storage.test(text));
    expect(storing.map(({ file }) => file)).toEqual(['src/web/lib/storage.ts']);
    const cookies = pages.filter(({ text }) => /\.cookie\b/.test(text));
    expect(cookies.map(({ file }) => file)).toEqual(['src/web/lib/cookies.ts']);
    const writing = pages.filter(({ text }) => /\bwriteCookie\(/.test(text)).map(({ file }) => file);
    expect(writing).toEqual(['src/web/app/sidebar-state.ts', 'src/web/lib/cookies.ts']);
  });

  test('of the pages keep mutable state in stores, which a test can reset', () => {
    const held =
      /^(export )?let |^(export )?const \w+(: [^=\n]+)? = (createStore\b|new (Map|WeakMap)(<.*>)?\(\))/m;
    const pages = sources.filter(({ file }) => file.startsWith('src/web/'));
    expect(pages.filter(({ text }) => held.test(text)).map(({ file }) => file)).toEqual([]);
  });

  test('and tests name the members of an object in the object itself', () => {
    const all = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs'], { cwd: root, encoding: 'utf8' });
    const files = all.split('\n').filter((file) => file !== '' && existsSync(join(root, file)));
    expect(NEEDLESS_SPREAD.test('  ...{ one, two },')).toBe(true);
    const spreading = files.filter((file) => NEEDLESS_SPREAD.test(readFileSync(join(root, file), 'utf8')));
    expect(spreading).toEqual([]);
  });

  test('of the use cases import each other in one direction, folder by folder', () => {
    // A second factor is part of a login, and checking one counts as an attempt of it.
    expect(mutualFolders('src/usecases/')).toEqual(['identity/accounts identity/two-factor']);
  });

  test('contain no disabled check', () => {
    const marks = /\bbiome-ignore\b|@ts-ignore|@ts-nocheck|\bas any\b|\bTODO\b|\bFIXME\b/;
    expect(sources.filter(({ text }) => marks.test(text)).map(({ file }) => file)).toEqual([]);
  });

  test('start other programs without our environment, which contains secrets', () => {
    const starting = sources.filter(({ text }) => text.includes('node:child_process'));
    expect(starting.map(({ file }) => file)).toContain('src/db/embedded/launch-server.ts');
    const calls = starting.flatMap(({ file, text }) =>
      [...text.matchAll(/\b(spawn|execFile|exec|fork)\)?\(([^;]*);/g)].map(([call]) => ({ file, call })),
    );
    expect(calls.length).toBeGreaterThanOrEqual(starting.length);
    const handing = calls.filter(({ call }) => !/\benv: \{|\bunder\(|\.\.\.options\b/.test(call));
    expect(handing).toEqual([]);
  });

  test('use no broken hash: SHA-1 only in one-time codes and the signatures of eBay, MD5 only in the simulated queue and the checksums of S3', () => {
    const weak = /['"`](md5|sha-?1|rc4|des(-ede3)?)\b|\bmd5\(/i;
    const files = sources.filter(({ text }) => weak.test(text)).map(({ file }) => file);
    expect(
      files.filter(
        (file) =>
          !/\btotp\.ts$|\bebay\/account-deletion\.ts$|\bsandbox\/queue-service\.ts$|\bs3\/open-s3-store\.ts$/.test(
            file,
          ),
      ),
    ).toEqual([]);
  });

  test('check every certificate', () => {
    const off = /rejectUnauthorized: false|NODE_TLS_REJECT_UNAUTHORIZED\s*=|checkServerIdentity/;
    expect(sources.filter(({ text }) => off.test(text)).map(({ file }) => file)).toEqual([]);
  });
});
