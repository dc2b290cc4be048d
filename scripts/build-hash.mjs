import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** What the build reads besides these folders. */
const BUILD_FILES = [
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'vite.config.ts',
  'vite.server.config.ts',
];

/** SHA-256 of one file, in hex. */
export function fileHash(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/**
 * One hash over everything the production build is made of. By content, not by time: a fresh checkout or a
 * branch switched to and back changes every date and no byte. Tests are excluded, they are never built.
 */
export function sourceHash(root) {
  const hash = createHash('sha256');
  const files = [...BUILD_FILES.filter((name) => existsSync(path.join(root, name))), ...sources(root)];
  for (const name of files) {
    hash.update(`${name}\0${statSync(path.join(root, name)).size}\0`);
    hash.update(readFileSync(path.join(root, name)));
  }
  return hash.digest('hex');
}

const FOLDERS = ['src', 'tools/sandbox'];

function sources(root) {
  return FOLDERS.filter((folder) => existsSync(path.join(root, folder)))
    .flatMap((folder) => readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !/\.(test|typetest)\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}

/**
 * Whether an installation made by hand is the one the lockfile asks for. `wanted` is package-lock.json,
 * `installed` is the list npm leaves in node_modules at the end of an install; both parsed. Packages that are
 * optional there may be missing: most of them belong to another operating system.
 */
export function sameInstall(wanted, installed) {
  const here = installed.packages;
  const missing = Object.entries(wanted.packages).some(
    ([name, entry]) => name !== '' && !entry.optional && here[name] === undefined,
  );
  const different = Object.entries(here).some(
    ([name, entry]) => wanted.packages[name]?.version !== entry.version,
  );
  return !missing && !different;
}
