import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PlainError } from './project.mjs';

const OLDEST = 15;

/** Where distributions and Homebrew put PostgreSQL, one folder per version. */
const HOMES = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt'];

/** Folders that may hold PostgreSQL's programs: those of the known homes, then those in PATH. */
function postgresFolders(homes, searchPath) {
  const versions = homes
    .filter((home) => existsSync(home))
    .flatMap((home) => readdirSync(home).map((name) => ({ name, home })))
    .filter(({ name }) => /^(postgresql@)?\d+$/.test(name))
    .sort(
      (a, b) =>
        Number.parseInt(b.name.replace(/\D/g, ''), 10) - Number.parseInt(a.name.replace(/\D/g, ''), 10),
    )
    .map(({ home, name }) => path.join(home, name, 'bin'));
  const inPath = searchPath.split(path.delimiter).filter((folder) => folder !== '');
  return [...versions, ...inPath].filter((folder) =>
    ['initdb', 'pg_ctl', 'postgres'].every((program) => existsSync(path.join(folder, program))),
  );
}

/** The machine's own PostgreSQL, the newest from 15 on: { bin, version }, or null when there is none. */
export function findPostgres(homes = HOMES, searchPath = process.env.PATH ?? '') {
  for (const bin of postgresFolders(homes, searchPath)) {
    const { stdout } = spawnSync(path.join(bin, 'postgres'), ['--version'], { encoding: 'utf8' });
    const version = /(\d+)(\.\d+)?/.exec(stdout ?? '');
    if (version && Number(version[1]) >= OLDEST) return { bin, version: version[0] };
  }
  return null;
}

/**
 * Starts an empty throw-away cluster on a Unix socket in a folder that only its owner can enter. `stop` may be
 * called twice. It runs without fsync: it is deleted before that could matter.
 */
export function startCluster(bin) {
  // /tmp, since a socket's path may have about 100 characters and some systems have a long TMPDIR.
  const folder = mkdtempSync(path.join(existsSync('/tmp') ? '/tmp' : tmpdir(), 'pricewright-pg-'));
  const account = process.getuid() === 0 ? otherAccount() : {};
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid);
  const data = path.join(folder, 'data');
  // Text sorts by code point, as in the database that Pricewright brings along.
  const locale = process.platform === 'darwin' ? 'C' : 'C.UTF-8';
  const call = (program, args) => {
    const options = { ...account, cwd: folder, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] };
    const { status, stderr, error } = spawnSync(path.join(bin, program), args, options);
    if (status !== 0) throw new PlainError(`${program} failed: ${error?.message ?? stderr.trim()}`);
  };
  const stop = () => {
    const args = ['stop', '-D', data, '-m', 'immediate'];
    if (existsSync(path.join(data, 'postmaster.pid'))) call('pg_ctl', args);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    call('initdb', [
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      `--locale=${locale}`,
      '--no-sync',
    ]);
    const settings = `-k ${folder} -c listen_addresses= -c fsync=off -c full_page_writes=off`;
    call('pg_ctl', ['start', '-D', data, '-w', '-l', path.join(folder, 'log'), '-o', settings]);
  } catch (error) {
    stop();
    throw error;
  }
  return { url: `postgresql://postgres@localhost/postgres?host=${folder}`, stop };
}

/** PostgreSQL refuses to run as root. */
function otherAccount() {
  for (const name of ['postgres', 'nobody']) {
    try {
      const number = (flag) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
      return { uid: number('-u'), gid: number('-g') };
    } catch (error) {
      // `id` ends with 1 for a name it does not know; anything else is not ours to judge.
      if (error.status !== 1) throw error;
    }
  }
  throw new PlainError(
    'PostgreSQL does not run as root and there is no user "postgres" or "nobody" to run it.',
  );
}
