import { join } from 'node:path';
import type { DataLocation } from './data-location.ts';
import { EmbeddedPostgresError, OR_DATABASE_URL } from './embedded-postgres-error.ts';
import type { Machine } from './machine.ts';
import { type OsUser, run } from './os-user.ts';
import { completeInPlace, copyToLocation, readPackage } from './package-files.ts';

/** The programs of one PostgreSQL, checked to run under the server's account. */
export interface Binaries {
  /** Folder of initdb and postgres. */
  readonly folder: string;
  readonly major: number;
  readonly fromPackage: boolean;
}

/** The oldest PostgreSQL version that Pricewright's SQL runs on. */
const OLDEST = 15;

/**
 * The npm package's PostgreSQL, else the newest installed on this machine.
 * @param wanted major version of an existing cluster, which no other version can open; null when there is none
 * @throws EmbeddedPostgresError `unsupported_platform`, `no_binaries`, `wrong_version`
 */
export async function findBinaries(
  machine: Machine,
  home: DataLocation,
  wanted: number | null,
): Promise<Binaries> {
  const packaged = machine.musl ? null : await fromPackage(machine, home);
  if (packaged !== null && (wanted === null || packaged.major === wanted)) return packaged;
  const installed = await onThisMachine(machine, home.account);
  const found = installed.find((binaries) => wanted === null || binaries.major === wanted);
  if (found !== undefined) return found;
  const present = packaged === null ? installed : [packaged, ...installed];
  if (wanted !== null && present.length > 0) throw wrongVersion(home, wanted, present);
  throw nothingFound(machine);
}

async function fromPackage(machine: Machine, home: DataLocation): Promise<Binaries | null> {
  const files = machine.packageFolder === null ? null : await readPackage(machine.packageFolder);
  if (files === null) return null;
  if (await completeInPlace(machine, files.folder)) {
    const inPlace = await proved(home.account, join(files.folder, 'native', 'bin'), true);
    if (inPlace !== null) return inPlace;
  }
  return proved(home.account, join(await copyToLocation(home, files), 'native', 'bin'), true);
}

async function onThisMachine(machine: Machine, account: OsUser): Promise<Binaries[]> {
  const found: Binaries[] = [];
  for (const folder of await machine.installedFolders()) {
    const binaries = await proved(account, folder, false);
    if (binaries !== null && binaries.major >= OLDEST) found.push(binaries);
  }
  return found.sort((a, b) => b.major - a.major);
}

/** Runs both programs with --version under the account: checks access, run bits and libraries at once. */
async function proved(account: OsUser, folder: string, fromPackage: boolean): Promise<Binaries | null> {
  const postgres = await run(account, join(folder, 'postgres'), ['--version']);
  const initdb = await run(account, join(folder, 'initdb'), ['--version']);
  const major = /\(PostgreSQL\) (\d+)/.exec(postgres.output)?.[1];
  return postgres.ok && initdb.ok && major !== undefined
    ? { folder, major: Number(major), fromPackage }
    : null;
}

function wrongVersion(
  home: DataLocation,
  wanted: number,
  present: readonly Binaries[],
): EmbeddedPostgresError {
  const versions = present.map(({ major }) => major).join(' and ');
  return new EmbeddedPostgresError(
    'wrong_version',
    `The database in ${home.cluster} was created by PostgreSQL ${wanted}, but only PostgreSQL ${versions} is installed: install PostgreSQL ${wanted}, or back up with the Pricewright version that created it and restore into an empty data folder, ${OR_DATABASE_URL}.`,
  );
}

function nothingFound(machine: Machine): EmbeddedPostgresError {
  const name = `@embedded-postgres/${machine.platform}-${machine.arch}`;
  if (machine.musl) {
    return new EmbeddedPostgresError(
      'unsupported_platform',
      `The bundled PostgreSQL needs glibc, and this Linux uses musl (as Alpine does): install the system's PostgreSQL ${OLDEST} or later, ${OR_DATABASE_URL}.`,
    );
  }
  return new EmbeddedPostgresError(
    'no_binaries',
    `No PostgreSQL found: the npm package ${name} is missing or does not run, and neither PATH nor the usual folders contain PostgreSQL ${OLDEST} or later: run "npm ci" with optional packages, install PostgreSQL, ${OR_DATABASE_URL}.`,
  );
}
