import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** One forbidden import per layer, and the tool that rejects it. Type-only and dynamic imports count too. */
const FORBIDDEN = [
  {
    file: 'src/domain/probe.ts',
    code: "import { readFileSync } from 'node:fs';\nexport const probe = readFileSync;\n",
  },
  { file: 'src/domain/probe-upwards.ts', code: "export type { Stats } from '#contract/stats.ts';\n" },
  { file: 'src/domain/probe-package.ts', code: "export const probe = import('zod');\n" },
  { file: 'src/domain/probe-parent.ts', code: "export type { Stats } from '../contract/stats.ts';\n" },
  { file: 'src/contract/probe.ts', code: "export type { Db } from '#db/client.ts';\n" },
  { file: 'src/files/probe.ts', code: "export type { Db } from '#db/client.ts';\n" },
  { file: 'src/connectors/probe.ts', code: "export type { Db } from '#db/client.ts';\n" },
  { file: 'src/usecases/probe-veeqo.ts', code: "export * as probe from '#connectors/veeqo/veeqo.ts';\n" },
  { file: 'src/db/probe.ts', code: "export type { Stats } from '#contract/stats.ts';\n" },
  { file: 'src/usecases/probe.ts', code: "export type { FastifyInstance } from 'fastify';\n" },
  { file: 'src/jobs/probe.ts', code: "export type { Stats } from '#contract/stats.ts';\n" },
  { file: 'src/server/probe.ts', code: "export * as probe from '#db/migrate.ts';\n" },
  {
    file: 'tools/sandbox/probe.ts',
    code: "export type { TokenVault } from '#connectors/token-vault.ts';\n",
  },
  { file: 'tools/sandbox/probe-package.ts', code: "export const probe = import('undici');\n" },
  { file: 'src/cli/probe.ts', code: "export type { Db } from '#db/client.ts';\n" },
  { file: 'src/web/lib/probe.ts', code: "export type { Db } from '#db/client.ts';\n" },
  { file: 'src/web/ui/probe.ts', code: "export * as probe from '#web/app/router.tsx';\n" },
  {
    file: 'src/web/features/dashboard/probe.ts',
    code: "export * as probe from '#web/features/auth/auth-page.tsx';\n",
  },
] as const;

/** Code that is rejected in every layer. */
const REFUSED = [
  { file: 'src/domain/probe-clock.ts', code: 'export const probe = process.hrtime();\n', by: 'tsc' },
  { file: 'src/usecases/probe-env.ts', code: 'export const probe = process.env.HOME;\n', by: 'biome' },
  { file: 'src/server/probe-default.ts', code: 'export default 1;\n', by: 'biome' },
  { file: 'src/db/ProbeName.ts', code: 'export const probe = 1;\n', by: 'biome' },
  {
    file: 'src/contract/probe-cycle-a.ts',
    code: "import { b } from './probe-cycle-b.ts';\nexport const a = (): unknown => b;\n",
    by: 'biome',
  },
  {
    file: 'src/contract/probe-cycle-b.ts',
    code: "import { a } from './probe-cycle-a.ts';\nexport const b = (): unknown => a;\n",
    by: 'biome',
  },
] as const;

/** Allowed imports of the same layers, since a check that rejects everything proves nothing. */
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
/** Simulated marketplaces are not part of the product. */
const folderOf = (layer: string): string => (layer === 'sandbox' ? 'tools/sandbox' : `src/${layer}`);
const configOf = (layer: string): string => `${folderOf(layer)}/tsconfig.json`;

/** A stub for the imported file, whose own imports take half a minute to compile. */
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
  const probe = [...FORBIDDEN, ...REFUSED, ...ALLOWED];
  for (const { code } of probe) {
    for (const [, layer, file] of code.matchAll(/'#(\w+)(\/[^']+)'/g))
      put(`${folderOf(layer ?? '')}${file}`, STAND_IN);
  }
  for (const { file, code } of probe) put(file, code);
  // The copy has no git folder for ignore rules, and no tests to compile.
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
  test.each(FORBIDDEN)('$file is rejected', ({ file }) => {
    expect(linter).toMatch(new RegExp(`${literally(file)}:\\d+:\\d+ lint/style/noRestrictedImports`));
  });

  test.each(REFUSED)('$file is rejected by $by', ({ file, by }) => {
    expect(by === 'tsc' ? compiler : linter).toContain(file);
  });

  test.each(ALLOWED)('$file may import that', ({ file }) => {
    expect(linter).not.toContain(file);
    expect(compiler).not.toContain(file);
  });

  // References are transitive, so the compiler would let cli import db: Biome rejects that.
  test.each(['domain', 'contract', 'files', 'connectors', 'db', 'sandbox', 'web/lib'])(
    'the compiler refuses it in %s on its own',
    (layer) => {
      expect(compiler).toMatch(new RegExp(`${folderOf(layer)}/probe\\.ts\\(1,\\d+\\): error TS(6307|2591)`));
    },
  );
});

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
