import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './project.mjs';

/** Every package of the lockfile, by name and version. `isDev`: no installation without development tools has it. */
export function lockedPackages() {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([place]) => place !== '')
    .map(([place, entry]) => ({
      name: place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: entry.version,
      license: entry.license ?? null,
      integrity: entry.integrity ?? null,
      isDev: entry.dev === true,
      isOptional: entry.optional === true,
      hasInstallScript: entry.hasInstallScript === true,
    }));
}
