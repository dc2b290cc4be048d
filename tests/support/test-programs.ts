import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder with main.js and reprice.js, the programs, and member.js, see test-process.ts: built once and started many times. */
    testPrograms: string;
  }
}

const ROOT = join(import.meta.dirname, '..', '..');

/** Once per run: builds what tests start as processes, as the product's own build does. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Inside the project, where the programs find its packages and its SQL files.
  const cache = join(ROOT, '.cache');
  await mkdir(cache, { recursive: true });
  const outDir = await mkdtemp(join(cache, 'test-programs-'));
  await build({
    configFile: join(ROOT, 'vite.server.config.ts'),
    root: ROOT,
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: false,
      rolldownOptions: {
        input: { main: 'src/main.ts', reprice: 'src/reprice.ts', member: 'tests/support/test-process.ts' },
      },
    },
  });
  project.provide('testPrograms', outDir);
  return () => rm(outDir, { recursive: true });
}
