import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

// The scripts run before anything is installed, so they are plain JavaScript outside every TypeScript project.
const script = (name: string): string => pathToFileURL(join(import.meta.dirname, '../../scripts', name)).href;
const { chromiumError } = await import(script('chromium-check.mjs'));
const { chromiumPlaces } = await import(script('chromium-places.mjs'));
const { checkNode } = await import(script('ensure.mjs'));
const { withLock } = await import(script('lock.mjs'));
const { findPostgres } = await import(script('postgres.mjs'));
const { chosenStages, inLanes } = await import(script('stages.mjs'));
const { sameInstall, sourceHash } = await import(script('build-hash.mjs'));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scripts-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(name: string, text = ''): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function program(name: string, body = 'true'): string {
  const file = put(name, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}

describe('the machine', () => {
  const good = { version: '20.19.0', platform: 'linux', databaseUrl: undefined };

  test.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0'])('Node %s is new enough', (version) => {
    expect(() => checkNode({ ...good, version })).not.toThrow();
  });

  test.each(['18.20.0', '20.18.3'])('Node %s is rejected with the fix', (version) => {
    expect(() => checkNode({ ...good, version })).toThrow(
      `needs Node 20.19 or newer and this is ${version}: install`,
    );
  });

  test('on Windows WSL or a database is required', () => {
    const windows = { ...good, platform: 'win32' };
    expect(() => checkNode(windows)).toThrow(/WSL, or set DATABASE_URL/);
    expect(() => checkNode({ ...windows, databaseUrl: 'postgresql://db' })).not.toThrow();
  });
});

describe('the stamp of a build', () => {
  beforeEach(() => {
    put('package.json', '{}');
    put('src/domain/fees/fee-schedule.ts', 'one');
  });

  test('changes with a byte, a new file and a configuration', () => {
    const stamps = [sourceHash(folder)];
    put('src/domain/fees/fee-schedule.ts', 'two');
    stamps.push(sourceHash(folder));
    put('src/web/index.html', '');
    stamps.push(sourceHash(folder));
    put('vite.config.ts', '');
    stamps.push(sourceHash(folder));
    expect(new Set(stamps).size).toBe(4);
  });

  test('does not change with a date, a test or a document', () => {
    const before = sourceHash(folder);
    utimesSync(join(folder, 'src/domain/fees/fee-schedule.ts'), 1, 1);
    put('src/domain/fee.test.ts', 'test');
    put('docs/fee.md', 'text');
    expect(sourceHash(folder)).toBe(before);
  });
});

describe('an install made by hand', () => {
  const wanted = {
    packages: {
      '': { version: '1.0.0' },
      'node_modules/pg': { version: '8.0.0' },
      'node_modules/mac-only': { version: '1.0.0', optional: true },
    },
  };

  test.each([
    ['is kept when it has every package', { 'node_modules/pg': { version: '8.0.0' } }, true],
    ['is not kept when a package is missing', {}, false],
    ['is not kept when a version differs', { 'node_modules/pg': { version: '7.0.0' } }, false],
    [
      'is not kept when it has one too many',
      { 'node_modules/pg': { version: '8.0.0' }, 'node_modules/old': { version: '1.0.0' } },
      false,
    ],
  ])('%s', (_what, packages, kept) => {
    expect(sameInstall(wanted, { packages })).toBe(kept);
  });
});

describe('a lock', () => {
  test('of a process that has ended is acquired by the next one', async () => {
    // Above the largest process ID of every system.
    const file = put('lock', '99999999');
    expect(await withLock(file, async () => 'done')).toBe('done');
  });

  test('admits one process at a time', async () => {
    const file = join(folder, 'lock');
    const seen: string[] = [];
    const visit = (name: string): Promise<void> =>
      withLock(file, async () => {
        seen.push(`${name} in`);
        await new Promise(setImmediate);
        seen.push(`${name} out`);
      });
    await Promise.all([visit('a'), visit('b')]);
    expect(seen).toEqual(['a in', 'a out', 'b in', 'b out']);
  });
});

describe('Chromium', () => {
  const host = (env: Record<string, string> = {}, platform = 'linux'): object => ({
    env: { PATH: `${join(folder, 'bin')}:${join(folder, 'local')}`, ...env },
    platform,
    home: join(folder, 'home'),
    root: join(folder, 'project'),
  });

  test('is searched on the machine, then in our folder, then among downloads, newest first', () => {
    const expected = [
      program('local/chromium'),
      program('bin/google-chrome'),
      program('home/.cache/pricewright/chromium/run'),
      program('home/.cache/ms-playwright/chromium-1200/chrome-linux64/chrome'),
      program('home/.cache/ms-playwright/chromium_headless_shell-999/chrome-linux/headless_shell'),
    ];
    put('bin/chromium', 'not a program');
    program('home/.cache/ms-playwright/firefox-2000/firefox/chrome');
    expect(chromiumPlaces(host())).toEqual(expected);
  });

  test('is the configured one and no other', () => {
    program('bin/chromium');
    expect(chromiumPlaces(host({ PRICEWRIGHT_CHROMIUM: '/my/own' }))).toEqual(['/my/own']);
  });

  test('is found in PLAYWRIGHT_BROWSERS_PATH, where 0 means next to the package', () => {
    const elsewhere = program('elsewhere/chromium-1/chrome-linux/chrome');
    const neighbor = program(
      'project/node_modules/playwright-core/.local-browsers/chromium-1/chrome-linux/chrome',
    );
    expect(chromiumPlaces(host({ PLAYWRIGHT_BROWSERS_PATH: join(folder, 'elsewhere') }))).toEqual([
      elsewhere,
    ]);
    expect(chromiumPlaces(host({ PLAYWRIGHT_BROWSERS_PATH: '0' }))).toEqual([neighbor]);
  });

  test('is found among the applications of a Mac', () => {
    const app = program('home/Applications/Chromium.app/Contents/MacOS/Chromium');
    expect(chromiumPlaces(host({}, 'darwin'))).toContain(app);
    expect(chromiumPlaces(host())).not.toContain(app);
  });

  const version = 'case "$*" in *--version*) echo Chromium 150.0.1.2; exit;; esac';
  test.each([
    ['passes when it shows a page', `${version}; echo "<html></html>"`, null],
    ['fails when it names a version and shows nothing', version, 'shows no page'],
    ['fails when it is a placeholder', 'echo install the snap; exit 1', 'install the snap'],
    [
      'fails with the library it lacks',
      'echo "chrome: error while loading shared libraries: libnss3.so" >&2; echo bye; exit 127',
      'chrome: error while loading shared libraries: libnss3.so',
    ],
  ])('%s', async (_what, body, error) => {
    expect(await chromiumError(program('chrome', body))).toBe(error);
  });
});

describe("the machine's PostgreSQL", () => {
  const install = (name: string, version: string): string => {
    for (const other of ['initdb', 'pg_ctl']) program(`${name}/${other}`);
    return dirname(program(`${name}/postgres`, `echo "postgres (PostgreSQL) ${version}"`));
  };

  test('is the newest complete one', () => {
    install('pg/9/bin', '9.6');
    install('pg/15/bin', '15.4');
    const bin = install('pg/16/bin', '16.3 (Debian 16.3-1)');
    program('pg/17/bin/postgres');
    expect(findPostgres([join(folder, 'pg')], '')).toEqual({ bin, version: '16.3' });
  });

  test('may be in PATH only, and is ignored if it is older than 15', () => {
    const old = install('old', '14.9');
    expect(findPostgres([], old)).toBeNull();
    const bin = install('new', '15.4');
    expect(findPostgres([], `${old}:${bin}`)).toEqual({ bin, version: '15.4' });
  });
});

describe('the stages', () => {
  const names = (args: string[]): string[] => chosenStages(args).stages.map(({ name }: Stage) => name);

  test('are all but the second PostgreSQL, or the names and groups given, those with a database last', () => {
    expect(names([])).toHaveLength(9);
    expect(names(['--only', 'postgres'])).toEqual(['postgres']);
    expect(names(['--only', 'e2e,unit'])).toEqual(['e2e', 'web', 'node', 'domain', 'db']);
  });

  test('run all their variants on request', () => {
    expect(chosenStages(['--only', 'db']).isAll).toBe(false);
    expect(chosenStages(['--all', '--only', 'db'])).toMatchObject({ isAll: true, stages: [{ name: 'db' }] });
    expect(names(['--all']).filter((name) => name !== 'postgres')).toEqual(names([]));
    expect(names(['--all'])).toHaveLength(10);
  });

  test.each([
    [['unit']],
    [['--only']],
    [['--only', 'unti']],
    [['--only', 'unit', 'e2e']],
    [['--al']],
    [['--only', 'db', '--all']],
  ])('refuses %j: a typing slip must not look like a full run', (args) => {
    expect(() => chosenStages(args)).toThrow(/^Usage: npm test/);
  });

  type Stage = { name: string; after?: string };

  /** Runs them until each is released. @returns starts and ends in order */
  async function journalOf(stages: Stage[], ends: string[]): Promise<string[]> {
    const journal: string[] = [];
    const under = new Map<string, () => void>();
    const all = inLanes(stages, 2, ({ name }: Stage, _: object, isLast: boolean) => {
      journal.push(`${name} begins${isLast ? ' as the last' : ''}`);
      return new Promise<void>((resolve) => under.set(name, resolve));
    });
    for (const name of ends) {
      journal.push(`${name} ends`);
      under.get(name)?.();
      await new Promise(setImmediate);
    }
    expect(Object.keys(await all).toSorted()).toEqual(stages.map(({ name }) => name).toSorted());
    return journal;
  }

  test('run two at a time, and one that waits for another lets others run first', async () => {
    const stages = [{ name: 'a' }, { name: 'b', after: 'd' }, { name: 'c' }, { name: 'd' }, { name: 'e' }];
    expect(await journalOf(stages, ['a', 'c', 'd', 'e', 'b'])).toEqual([
      ...['a begins', 'c begins', 'a ends', 'd begins', 'c ends', 'e begins'],
      ...['d ends', 'b begins as the last', 'e ends', 'b ends'],
    ]);
  });

  test('do not wait for a stage that is not selected', async () => {
    expect(await journalOf([{ name: 'b', after: 'd' }], ['b'])).toEqual(['b begins as the last', 'b ends']);
  });
});
