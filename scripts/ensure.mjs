import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileHash, sameInstall, sourceHash } from './build-hash.mjs';
import { withLock } from './lock.mjs';
import { PlainError, root as projectRoot, run, say } from './project.mjs';

const OLDEST_NODE = [20, 19];

/** Refuses a Node or an operating system that Pricewright cannot run on, in one sentence. */
export function checkNode({ version, platform, databaseUrl } = here()) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    throw new PlainError(
      `Pricewright needs Node ${OLDEST_NODE.join('.')} or newer and this is ${version}: install a newer one from https://nodejs.org.`,
    );
  }
  if (platform === 'win32' && !databaseUrl) {
    throw new PlainError(
      'On Windows, run Pricewright inside WSL, or set DATABASE_URL to a PostgreSQL 15 or newer: the database it brings along is for Linux and macOS.',
    );
  }
}

function here() {
  return {
    version: process.versions.node,
    platform: process.platform,
    databaseUrl: process.env.DATABASE_URL,
  };
}

/** Makes node_modules what package-lock.json says: runs `npm ci`, unless that was done already. */
export async function ensureInstalled(root = projectRoot) {
  if (isPackaged(root) || isInstalled(root)) return;
  if (existsSync(inModules(root)) && lstatSync(inModules(root)).isSymbolicLink()) {
    say('node_modules is a link and does not match package-lock.json: run npm ci where it points to.');
    return;
  }
  await withLock(path.join(root, '.cache/install.lock'), async () => {
    if (isInstalled(root)) return;
    say('Installing the packages of package-lock.json: the first time, or since it changed.');
    // The groups are named because NODE_ENV=production or a personal npm setting would leave them out, and
    // the build needs the first as the database needs the second.
    const { code, error } = await npm(['ci', '--include=dev', '--include=optional'], root);
    if (code !== 0)
      throw new PlainError(`npm ci failed (${error ?? `exit code ${code}`}): see its lines above.`);
    writeFileSync(marker(root), fileHash(path.join(root, 'package-lock.json')));
  });
}

/** Whether this is a build without its sources, as in a container: complete as it is. */
function isPackaged(root) {
  return existsSync(path.join(root, 'dist/stamp')) && !existsSync(path.join(root, 'src/main.ts'));
}

const inModules = (root, name = '') => path.join(root, 'node_modules', name);
const marker = (root) => inModules(root, '.pricewright-lockfile');

function isInstalled(root) {
  const lockfile = path.join(root, 'package-lock.json');
  if (existsSync(marker(root))) return readFileSync(marker(root), 'utf8') === fileHash(lockfile);
  // No marker: installed by hand, or cut short. npm writes its own list last, so only a whole install has it.
  const list = inModules(root, '.package-lock.json');
  return existsSync(list) && sameInstall(readJson(lockfile), readJson(list));
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** npm's output goes to standard error: standard output has only the command's result. */
function npm(args, cwd) {
  const options = { cwd, stdio: ['ignore', process.stderr, process.stderr] };
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('npm-cli.js')) return run(process.execPath, [cli, ...args], options);
  return run('npm', args, { ...options, shell: process.platform === 'win32' });
}

/** Makes dist/ what the sources say: builds, unless the last build was made of the same bytes. */
export async function ensureBuilt(root = projectRoot) {
  if (isPackaged(root) || isBuilt(root)) return;
  await withLock(path.join(root, '.cache/build.lock'), async () => {
    if (isBuilt(root)) return;
    say('Building the server and the web pages: the first time, or since the sources changed.');
    // Taken before the build: a file saved while it runs makes the next start build again.
    const stamp = sourceHash(root);
    const fresh = path.join(root, `.cache/build-${process.pid}`);
    try {
      await build(root, fresh);
      writeFileSync(path.join(fresh, 'stamp'), stamp);
      replaceFolder(path.join(root, 'dist'), fresh);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  });
}

function isBuilt(root) {
  const stamp = path.join(root, 'dist/stamp');
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceHash(root);
}

/** Builds both halves next to dist/, so that a failed or interrupted build keeps the last good one. */
async function build(root, out) {
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const halves = [
    ['build', '--outDir', path.join(out, 'web')],
    ['build', '--ssr', '--config', 'vite.server.config.ts', '--outDir', path.join(out, 'server')],
  ];
  for (const half of halves) {
    const args = [vite, ...half, '--emptyOutDir', '--logLevel', 'warn'];
    const { code, error } = await run(process.execPath, args, {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', process.stderr, process.stderr],
    });
    if (code !== 0) {
      throw new PlainError(
        `vite ${half[1] === '--ssr' ? 'build --ssr' : 'build'} failed (${error ?? `exit code ${code}`}): see its lines above.`,
      );
    }
  }
}

function replaceFolder(target, fresh) {
  const old = `${fresh}-old`;
  mkdirSync(path.dirname(target), { recursive: true });
  if (existsSync(target)) renameSync(target, old);
  renameSync(fresh, target);
  rmSync(old, { recursive: true, force: true });
}
