import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** Per layer one import it must never make, and by whom it is caught. Type-only and dynamic imports count too. */
const FORBIDDEN = [
  {
    file: 'src/domain/planted.ts',
    code: "import { readFileSync } from 'node:fs';\nexport const planted = readFileSync;\n",
  },
  { file: 'src/domain/planted-upwards.ts', code: "export type { Stats } from '#contract/stats.ts';\n" },
  { file: 'src/domain/planted-package.ts', code: "export const planted = import('zod');\n" },
  { file: 'src/domain/planted-parent.ts', code: "export type { Stats } from '../contract/stats.ts';\n" },
  { file: 'src/contract/planted.ts', code: "export type { Db } from '#db/client.ts';\n" },
  { file: 'src/files/planted.ts', code: "export type { Db } from '#db/client.ts';\n" },
  { file: 'src/connectors/planted.ts', code: "export type { Db } from '#db/client.ts';\n" },
  { file: 'src/usecases/planted-veeqo.ts', code: "export * as planted from '#connectors/veeqo/veeqo.ts';\n" },
  { file: 'src/db/planted.ts', code: "export type { Stats } from '#contract/stats.ts';\n" },
  { file: 'src/usecases/planted.ts', code: "export type { FastifyInstance } from 'fastify';\n" },
  { file: 'src/jobs/planted.ts', code: "export type { Stats } from '#contract/stats.ts';\n" },
  { file: 'src/server/planted.ts', code: "export * as planted from '#db/migrate.ts';\n" },
  {
    file: 'tools/sandbox/planted.ts',
    code: "export type { TokenVault } from '#connectors/token-vault.ts';\n",
  },
  { file: 'tools/sandbox/planted-package.ts', code: "export const planted = import('undici');\n" },
  { file: 'src/cli/planted.ts', code: "export type { Db } from '#db/client.ts';\n" },
  { file: 'src/web/lib/planted.ts', code: "export type { Db } from '#db/client.ts';\n" },
  { file: 'src/web/ui/planted.ts', code: "export * as planted from '#web/app/router.tsx';\n" },
  {
    file: 'src/web/features/dashboard/planted.ts',
    code: "export * as planted from '#web/features/auth/auth-page.tsx';\n",
  },
] as const;

/** Habits that are refused wherever they stand. */
const REFUSED = [
  { file: 'src/domain/planted-clock.ts', code: 'export const planted = process.hrtime();\n', by: 'tsc' },
  { file: 'src/usecases/planted-env.ts', code: 'export const planted = process.env.HOME;\n', by: 'biome' },
  { file: 'src/server/planted-default.ts', code: 'export default 1;\n', by: 'biome' },
  { file: 'src/db/PlantedName.ts', code: 'export const planted = 1;\n', by: 'biome' },
  {
    file: 'src/contract/planted-cycle-a.ts',
    code: "import { b } from './planted-cycle-b.ts';\nexport const a = (): unknown => b;\n",
    by: 'biome',
  },
  {
    file: 'src/contract/planted-cycle-b.ts',
    code: "import { a } from './planted-cycle-a.ts';\nexport const b = (): unknown => a;\n",
    by: 'biome',
  },
] as const;

/** The same layers importing what they may: a guard that refuses everything guards nothing. */
const ALLOWED = [
  { file: 'src/contract/allowed.ts', code: "export type { Cents } from '#domain/units.ts';\n" },
  { file: 'src/db/allowed.ts', code: "export type { Cents } from '#domain/units.ts';\n" },
  { file: 'src/usecases/allowed.ts', code: "export type { Db } from '#db/client.ts';\n" },
  {
    file: 'src/usecases/allowed-connector.ts',
    code: "export type { InventorySource } from '#connectors/inventory-source.ts';\n",
  },
  { file: 'src/connectors/allowed.ts', code: "export type { Cents } from '#domain/units.ts';\n" },
  { file: 'src/server/allowed.ts', code: "export type { Stats } from '#contract/stats.ts';\n" },
  { file: 'tools/sandbox/allowed.ts', code: "export type { Cents } from '#domain/units.ts';\n" },
  { file: 'tools/sandbox/allowed-package.ts', code: "export type { FastifyInstance } from 'fastify';\n" },
  { file: 'src/web/lib/allowed.ts', code: "export type { Stats } from '#contract/stats.ts';\n" },
] as const;

const LAYERS = [
  'domain',
  'contract',
  'files',
  'connectors',
  'db',
  'usecases',
  'jobs',
  'server',
  'sandbox',
  'cli',
  'web',
];
/** Simulated marketplaces are no part of the product. */
const folderOf = (layer: string): string => (layer === 'sandbox' ? 'tools/sandbox' : `src/${layer}`);
const configOf = (layer: string): string => `${folderOf(layer)}/tsconfig.json`;

/** What is imported, in place of the real file, whose own imports would take half a minute to be compiled. */
const STAND_IN = ['Stats', 'Db', 'Cents', 'TokenVault', 'InventorySource']
  .map((name) => `export interface ${name} {\n  readonly is: '${name}';\n}\n`)
  .join('');

const root = resolve(import.meta.dirname, '../..');
let copy = '';
let compiler = '';
let linter = '';

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'pricewright-layers-'));
  for (const file of ['package.json', 'biome.json', 'tsconfig.base.json', ...LAYERS.map(configOf)]) {
    put(file, readFileSync(join(root, file), 'utf8'));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const planted = [...FORBIDDEN, ...REFUSED, ...ALLOWED];
  for (const { code } of planted) {
    for (const [, layer, file] of code.matchAll(/'#(\w+)(\/[^']+)'/g))
      put(`${folderOf(layer ?? '')}${file}`, STAND_IN);
  }
  for (const { file, code } of planted) put(file, code);
  // The copy has no git folder to read ignores from, and no tests to compile.
  writeFileSync(join(copy, '.gitignore'), 'node_modules\n.cache/\n');
  const config = ['--config-path=.', '--max-diagnostics=none', '--vcs-enabled=false'];
  linter = run('node_modules/@biomejs/biome/bin/biome', ['lint', ...config, 'src', 'tools']);
  compiler = run('node_modules/typescript/bin/tsc', ['-b', ...LAYERS.map(folderOf), '--pretty', 'false']);
}, 300_000);

afterAll(() => rmSync(copy, { recursive: true, force: true }));

function put(file: string, text: string): void {
  mkdirSync(dirname(join(copy, file)), { recursive: true });
  writeFileSync(join(copy, file), text);
}

function run(program: string, args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: copy, encoding: 'utf8' });
  return stdout + stderr;
}

describe('the layers hold', () => {
  test.each(FORBIDDEN)('$file is refused', ({ file }) => {
    expect(linter).toMatch(new RegExp(`${literally(file)}:\\d+:\\d+ lint/style/noRestrictedImports`));
  });

  test.each(REFUSED)('$file is refused by $by', ({ file, by }) => {
    expect(by === 'tsc' ? compiler : linter).toContain(file);
  });

  test.each(ALLOWED)('$file may import that', ({ file }) => {
    expect(linter).not.toContain(file);
    expect(compiler).not.toContain(file);
  });

  // A layer sees what its references reference, so cli could reach db for all the compiler knows: Biome holds that.
  test.each(['domain', 'contract', 'files', 'connectors', 'db', 'sandbox', 'web/lib'])(
    'the compiler refuses it in %s on its own',
    (layer) => {
      expect(compiler).toMatch(
        new RegExp(`${folderOf(layer)}/planted\\.ts\\(1,\\d+\\): error TS(6307|2591)`),
      );
    },
  );
});

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
