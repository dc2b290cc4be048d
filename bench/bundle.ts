import { join } from 'node:path';
import { build } from 'vite';

/**
 * Bundles a benchmark the way the server is bundled, so that what is timed is what runs in production.
 * @returns the path of the bundle
 */
export async function bundle(name: string): Promise<string> {
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
        input: { [name]: `bench/${name}.ts` },
        output: { entryFileNames: '[name].mjs' },
      },
    },
  });
  return join(outDir, `${name}.mjs`);
}
