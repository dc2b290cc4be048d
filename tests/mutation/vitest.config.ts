import { defineConfig } from 'vitest/config';

/** What `npm run proof:mutation` runs: the tests of the domain, without the projects that need a database or a browser. */
export default defineConfig({ test: { env: { TZ: 'UTC' }, include: ['src/domain/**/*.test.ts'] } });
