import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { backupCommand } from '#cli/backup.ts';
import { doctorCommand } from '#cli/doctor.ts';
import { keysCommand } from '#cli/keys.ts';
import { restoreCommand } from '#cli/restore.ts';
import { sandboxCommand } from '#cli/sandbox.ts';
import { type ListedUser, usersCommand } from '#cli/users.ts';
import { runCommand } from '#tests/support/memory-io.ts';
import type { MadeBackup } from '#usecases/backup/make-backup.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((page) => page !== 'CHANGELOG.md' && existsSync(join(root, page)));
const { chosenStages } = await import(join(root, 'scripts/stages.mjs'));
const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));

/** The one of `js` is run by src/connectors/webhook-receivers/signature.test.ts, that of `ts` by src/server/docs-curl.test.ts. */
const LANGUAGES = ['sh', 'sql', 'nginx', 'yaml', 'ini', 'text', 'js', 'ts'];

/**
 * Where each script of package.json runs: a test, a stage of `npm test`, or why only by hand. A script that a page
 * names and this table does not contain fails the test below.
 */
const RUN_BY: Record<string, { readonly in: string } | { readonly byHand: string }> = {
  start: { in: 'tests/node/start.test.ts' },
  check: { in: 'scripts/stages.mjs' },
  unit: { in: 'scripts/stages.mjs' },
  bench: { in: 'tests/node/bench.test.ts' },
  'bench:market': { byHand: 'it takes minutes; tests/node/market-simulator.test.ts runs its parts' },
  'bench:web': { byHand: 'it measures, and takes minutes' },
  contracts: { in: 'tests/contracts/contracts.test.ts' },
  sbom: { in: 'tests/architecture/packages.test.ts' },
  licenses: { in: 'tests/architecture/packages.test.ts' },
  advisories: { byHand: 'it needs the network' },
  'api:client': { in: 'src/server/api-docs/api-docs.test.ts' },
  'api:examples': { byHand: 'it rewrites the examples' },
  screenshots: { byHand: 'its pictures are for people' },
  hooks: { byHand: 'it changes the repository of who runs it' },
  'proof:kill': { in: 'tests/db/engine-kill.test.ts' },
  'proof:send': { in: 'tests/db/send-kill.test.ts' },
  'proof:markets': { in: 'tests/db/market-month.test.ts' },
  'proof:quarter': { in: 'tests/db/fee-quarter.test.ts' },
  'proof:stop': { in: 'tests/db/main.test.ts' },
  'proof:restore': { in: 'tests/db/restore-year.test.ts' },
  'proof:fuzz': { in: 'tests/db/fuzz.test.ts' },
  'proof:mistakes': { in: 'tests/architecture/mistakes.test.ts' },
  'proof:mutation': { byHand: 'it runs the tests of the domain once per change' },
  'proof:container': {
    byHand: 'it needs root, podman and debootstrap; tests/node/deploy-files.test.ts checks its files',
  },
  'proof:auth': { byHand: 'it measures by the clock' },
  'proof:fees': { byHand: 'it measures, and takes a minute' },
  'proof:allowed': {
    byHand:
      'it takes minutes; src/domain/lines/lines.property.test.ts holds the same law for fewer decisions',
  },
};

/** Programs of others that pages may use. */
const FOREIGN = [/^git clone <this repository> pricewright$/, /^cd pricewright$/, /^openssl rand -hex 32$/];

type Block = { readonly page: string; readonly language: string; readonly text: string };

const blocks: Block[] = pages.flatMap((page) =>
  [...read(page).matchAll(/^```(\S*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    page,
    language,
    text,
  })),
);

/** The commands of a page, each on one line: continued lines joined, comments and `&&` taken apart. */
const commands = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(({ page, text }) =>
    text
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .flatMap((line) => line.split(' && '))
      .filter((command) => command !== '')
      .map((command) => ({ page, command })),
  );

const wordsOf = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');

/** Runs a command or finds the test that covers it. @returns the problem, or null */
async function problemWith(command: string): Promise<string | null> {
  if (FOREIGN.some((pattern) => pattern.test(command))) return null;
  const words = wordsOf(command);
  while (/^[A-Z][A-Z0-9_]*=/.test(words[0] ?? '')) {
    const [name = ''] = (words.shift() ?? '').split('=');
    if (!isKnownVariable(name)) return `no program reads ${name}`;
  }
  const [program, ...args] = words;
  if (program === 'npm') return problemWithNpm(args);
  if (program === 'podman') return problemWithPodman(args);
  if (program === 'npx') return problemWithNpx(args);
  if (program === 'curl') return problemWithCurl(args);
  if (program === 'pricewright') return problemWithOurs(args);
  if (program === 'node' && args[0] === 'bin/pricewright.mjs') return problemWithOurs(args.slice(1));
  if (program === 'node') return problemWithFiles(args);
  return 'nothing runs this';
}

/** Those with a token are run by src/server/docs-curl.test.ts. */
function problemWithCurl(args: readonly string[]): string | null {
  const isRun = args.some((arg) => arg === 'Authorization: Bearer $PRICEWRIGHT_TOKEN');
  return isRun || args.some((arg) => arg.endsWith('/api/login')) ? null : 'no such call';
}

const isKnownVariable = (name: string): boolean => {
  const found = execFileSync('git', ['grep', '-l', name, '--', '*.ts', '*.mjs'], {
    cwd: root,
    encoding: 'utf8',
  });
  return found !== '';
};

function problemWithNpm(args: readonly string[]): string | null {
  const [verb = '', ...rest] = args[0] === 'run' ? args.slice(1) : args;
  const flags = rest[0] === '--' ? rest.slice(1) : rest;
  if (verb === 'test') return chosenStages(flags).stages.length > 0 ? null : 'runs no stage';
  const script = scripts[verb];
  const run = RUN_BY[verb];
  if (script === undefined || run === undefined) return 'no test, stage or reason runs this script';
  if ('in' in run && !existsSync(join(root, run.in))) return `${run.in} does not exist`;
  return problemWithFlags(script, flags);
}

/** Flags and names that no file of the script contains; numbers and upper-case placeholders aside. */
function problemWithFlags(script: string, flags: readonly string[]): string | null {
  const files = [...script.matchAll(/[\w/:.-]+\.(?:mjs|ts|json)/g)].map(([file]) => file);
  const sources = [...files, 'vitest.config.ts', 'src/main.ts'].filter((file) =>
    existsSync(join(root, file)),
  );
  const known = sources.map(read).join('\n');
  const unknown = flags.filter(
    (flag) => !/^(\d+|[A-Z]+)$/.test(flag) && !new RegExp(`\\b${flag.replace(/^--/, '')}\\b`).test(known),
  );
  return unknown.length === 0 ? null : `unknown to ${sources.join(', ')}: ${unknown.join(' ')}`;
}

/** `podman compose -f FILE up ...`; what is executed in a service of ours is a command, too. */
async function problemWithPodman([what, f, file = '', verb, service = '', ...rest]: readonly string[]) {
  if (what !== 'compose' || f !== '-f' || !existsSync(join(root, file))) return 'not a compose file of ours';
  if (verb === 'up') return null;
  if (!Object.keys(parse(read(file)).services).includes(service)) return `no service ${service}`;
  if (verb === 'logs') return null;
  return verb === 'exec' ? problemWith(rest.join(' ')) : 'nothing runs this';
}

function problemWithNpx([tool = '', ...args]: readonly string[]): string | null {
  if (!['vitest', 'playwright'].includes(tool)) return 'nothing runs this tool';
  return problemWithFiles(args);
}

/** Named files that do not exist. */
function problemWithFiles(args: readonly string[]): string | null {
  const missing = args.filter((arg) => arg.includes('/') && !existsSync(join(root, arg)));
  return missing.length === 0 ? null : `no such file: ${missing.join(' ')}`;
}

const ANN: ListedUser = {
  email: 'you@example.com',
  fullName: 'Ann',
  role: 'admin',
  approved: true,
  emailVerified: true,
};

const BACKUP: Pick<MadeBackup, 'manifest' | 'tables'> = {
  manifest: {
    format: 1,
    program: '1.3.0',
    schema: { version: 1, name: '', checksum: '' },
    takenAt: '2026-11-28T14:05:02.000Z',
    timeZone: null,
    masterKeys: [],
    tables: [],
    sequences: [],
  },
  tables: [],
};

/** Runs a command of ours in this process, on files of the project and without a database. */
async function problemWithOurs(args: readonly string[]): Promise<string | null> {
  const [command, ...rest] = args;
  const errors: string[] = [];
  const io = { out: () => undefined, err: (line: string) => errors.push(line) };
  const code = await (async () => {
    if (command === 'users') {
      const one = async () => ANN;
      return usersCommand(rest, io, {
        approve: one,
        disableTwoFactor: one,
        unlock: one,
        unlink: one,
        turnProviderOff: async () => true,
        list: async () => [ANN],
      });
    }
    if (command === 'keys') {
      const none = async () => ({ records: [], dataKeys: [], missing: [] });
      return keysCommand(rest, io, {
        rotate: async () => ({ resealed: 0, unreadable: 0 }),
        findLost: none,
        forgetLost: none,
      });
    }
    if (command === 'backup')
      return backupCommand(rest, io, async () => ({ ...BACKUP, file: 'x', bytes: 1, deleted: [] }));
    if (command === 'restore') {
      return restoreCommand(rest, io, {
        check: async () => ({ ...BACKUP, missingKeys: [] }),
        restore: async () => ({ former: null }),
      });
    }
    if (command === 'doctor') return doctorCommand(rest, io, async () => []);
    if (command === 'sandbox') {
      const start = async () => ({ url: 'http://127.0.0.1:1', services: [], close: async () => undefined });
      return sandboxCommand(rest, io, { start, stopped: async () => undefined });
    }
    const paths = args.filter((arg) => arg.startsWith('examples/'));
    const files = Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path))]));
    const result = await runCommand(args, { files });
    if (paths.length > 0) expect(result.out).toBe(read('examples/price-changes.csv'));
    return result.code;
  })();
  return code === 0 ? null : `exit code ${String(code)} ${errors.join(' ')}`;
}

describe('the commands in the pages', () => {
  test('are in blocks with a language, so that all of them are checked', () => {
    const strange = blocks.filter(({ language }) => !LANGUAGES.includes(language));
    expect(strange).toEqual([]);
    expect(blocks.filter(({ language }) => language === 'js').map(({ page }) => page)).toEqual([
      'docs/running.md',
    ]);
    const typed = blocks.filter(({ language }) => language === 'ts');
    expect(typed.map(({ page, text }) => [page, text])).toEqual([
      ['docs/running.md', read('clients/typescript/example.ts')],
    ]);
    const indented = pages.filter((page) =>
      /^ {4,}(?:npm|npx|node|pricewright|curl) /m.test(read(page).replaceAll(/^```[\s\S]*?^```/gm, '')),
    );
    expect(indented).toEqual([]);
  });

  test('are there, and price the example of the README', () => {
    expect(commands.length).toBeGreaterThan(30);
    expect(commands.filter(({ command }) => command.includes('--listings examples/'))).toHaveLength(1);
  });

  test('that no test covers is detected', async () => {
    const wrong = [
      'npm run nothing',
      'npm run bench -- nonsense',
      'pricewright users nothing',
      `${'NOT'}_READ=1 npm start`,
    ];
    for (const command of wrong) expect(await problemWith(command).catch(String), command).not.toBeNull();
    expect(() => chosenStages(['--only', 'nothing'])).toThrow(Error);
  });

  test.each(commands)('$page: $command', async ({ command }) => {
    expect(await problemWith(command)).toBeNull();
  });

  test('in running text name scripts that exist', () => {
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name ?? ''),
    );
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});
