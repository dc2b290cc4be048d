import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** Tests of processes and of the server that Pricewright brings: no other server would change their answer. */
const OWN_SERVER = [
  'src/db/embedded/**',
  'tests/db/main.test.ts',
  'tests/db/engine-kill.test.ts',
  'tests/db/keys-kill.test.ts',
  'tests/db/process-secrets.test.ts',
  'tests/db/restore-folder.test.ts',
  'tests/db/restore-year.test.ts',
  'tests/db/restored-dump.test.ts',
  'tests/db/restored-folder.test.ts',
];

/**
 * What a test or a screen makes is thrown away after it: a larger young memory is swept less often, and one thread, not
 * several that wait for each other on two cores that both have a test already, sweeps it with less work.
 */
const SHORT_LIVED = ['--max-semi-space-size=64', '--single-threaded-gc'];

/** The longest test takes half a minute on two quiet cores. */
const LONG = 300_000;

/**
 * Four projects, from the quickest to the slowest:
 * `domain` is pure and runs in milliseconds, `node` needs files and processes,
 * `db` needs a real PostgreSQL, `web` needs a DOM.
 * The files of a project share their workers, which load the program once and not once for each file: nothing that one
 * file leaves behind may reach the next, and tests/support/left-behind.ts looks for it.
 */
export default defineConfig({
  test: {
    env: { TZ: 'UTC' },
    // Two cores are what the whole run is made for.
    maxWorkers: 2,
    // Limits, not waits, for tests that hang: next to other programs a test takes five times as long, and passes.
    expect: { poll: { timeout: LONG, interval: 20 } },
    teardownTimeout: LONG,
    projects: [
      {
        extends: true,
        test: {
          name: 'domain',
          include: ['src/{domain,contract}/**/*.test.ts'],
          isolate: false,
          setupFiles: ['tests/support/file-times.ts'],
          testTimeout: LONG,
          hookTimeout: LONG,
        },
      },
      {
        extends: true,
        test: {
          name: 'node',
          include: [
            'src/{files,cli,connectors}/**/*.test.ts',
            'tools/**/*.test.ts',
            'src/*.test.ts',
            'tests/{architecture,contracts,node}/**/*.test.ts',
          ],
          isolate: false,
          setupFiles: ['tests/support/file-times.ts', 'tests/support/left-behind.ts'],
          testTimeout: LONG,
          hookTimeout: LONG,
        },
      },
      {
        extends: true,
        test: {
          name: 'db',
          include: ['src/{db,usecases,jobs,server}/**/*.test.ts', 'tests/db/**/*.test.ts'],
          exclude: process.env.DATABASE_URL ? OWN_SERVER : [],
          isolate: false,
          setupFiles: ['tests/support/file-times.ts', 'tests/support/left-behind.ts'],
          execArgv: SHORT_LIVED,
          globalSetup: ['tests/support/test-cluster.ts', 'tests/support/test-programs.ts'],
          testTimeout: LONG,
          hookTimeout: LONG,
        },
      },
      {
        extends: true,
        plugins: [react()],
        test: {
          name: 'web',
          include: ['src/web/**/*.test.{ts,tsx}', 'tests/web/**/*.test.ts'],
          environment: 'jsdom',
          setupFiles: ['tests/support/file-times.ts', 'tests/support/web-setup.ts'],
          execArgv: SHORT_LIVED,
          // The screens are loaded once for all files; the set-up file makes the page new after every test.
          isolate: false,
          testTimeout: LONG,
          hookTimeout: LONG,
        },
      },
    ],
  },
});
