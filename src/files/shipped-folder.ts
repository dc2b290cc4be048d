import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileError } from './file-error.ts';

/**
 * A folder of files that the program brings along: next to this module when it runs from source, else in `src/files` of a
 * folder above the built program.
 * @throws FileError when there is none
 */
export function shippedFolder(name: string, module = fileURLToPath(import.meta.url)): string {
  const sibling = join(dirname(module), name);
  if (existsSync(sibling)) return sibling;
  for (let folder = dirname(module); folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'src', 'files', name);
    if (existsSync(candidate)) return candidate;
  }
  throw new FileError(
    `the files of ${name} are missing: found no src/files/${name} above ${module}. ` +
      'Install Pricewright again, or copy that folder next to the build.',
  );
}
