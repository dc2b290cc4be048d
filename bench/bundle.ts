import { basename, join } from 'node:path';
import { build } from 'vite';

/**
 * Bundles a program the way the server is bundled, so that what is timed is what runs in production,
 * and always today's source.
 * @param entry from the top of the project, such as `src/reprice.ts`
 * @returns the path of the bundle
 */
export async function bundle(entry: string): Promise<string> {
  const name = basename(entry, '.ts');
  const outDir = join(import.meta.dirname, '../.cache/bench/bundle', name);
  await build({
    configFile: false,
    root: join(import.meta.dirname, '..'),
    logLevel: 'error',
    build: {
      ssr: true,
      target: 'node20',
      outDir,
      emptyOutDir: true,
      rolldownOptions: {
        input: { [name]: entry },
        output: { entryFileNames: '[name].mjs' },
      },
    },
  });
  return join(outDir, `${name}.mjs`);
}
