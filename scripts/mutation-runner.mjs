import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest } from 'vitest/node';

/**
 * The child of mutation.mjs: one Vitest that stays up. Is told which file changed and which tests to
 * run, answers whether one of them failed. A mutant that never ends is ended by killing this process.
 */
const root = process.argv[2];

// Leaves behind which mutant the tests really ran: a stale module would be a false witness.
writeFileSync(
  join(root, 'witness.ts'),
  `import { writeFileSync } from 'node:fs';
import { afterAll } from 'vitest';
afterAll(() => writeFileSync(${JSON.stringify(join(root, 'ran'))}, String(globalThis.mutant)));
`,
);

const vitest = await createVitest(
  'test',
  {
    root,
    config: false,
    watch: true,
    include: ['src/domain/**/*.test.ts'],
    setupFiles: [join(root, 'witness.ts')],
    pool: 'threads',
    maxWorkers: 1,
    fileParallelism: false,
    isolate: false,
    bail: 1,
    silent: true,
    reporters: [{}],
    env: { TZ: 'UTC' },
  },
  // Nobody but the parent says when a file has changed.
  { server: { watch: null } },
);
await vitest.standalone();
const specifications = await vitest.globTestSpecifications();

process.on('message', async ({ changed, tests }) => {
  if (changed !== null) vitest.invalidateFile(changed);
  const wanted = new Set(tests);
  const chosen = specifications.filter(({ moduleId }) => wanted.has(moduleId));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(chosen);
  // Vitest also tells how tests of earlier runs ended: a mutant is not noticed by what did not run.
  const ran = testModules.filter(({ moduleId }) => wanted.has(moduleId));
  process.send({
    ran: ran.length,
    failed: ran.some((module) => !module.ok()) || unhandledErrors.length > 0,
  });
});
process.on('disconnect', () => process.exit());
process.send('ready');
