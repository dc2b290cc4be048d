import { expect, test } from 'vitest';
import { migrationsFolder, readMigrations } from '#db/migration-files.ts';

// Two changes that were made next to each other may have taken the same number.
test('migrations have names with numbers, each once and without gaps', async () => {
  const steps = await readMigrations(migrationsFolder());
  expect(steps.map(({ version }) => version)).toEqual(steps.map((_, index) => index + 1));
});

// They run in one transaction, so that a failed upgrade changes nothing.
test('no migration ends or begins a transaction', async () => {
  const steps = await readMigrations(migrationsFolder());
  const found = steps.filter(({ sql }) => /^(BEGIN|COMMIT|ROLLBACK|START)\b.*;/im.test(sql));
  expect(found.map(({ name }) => name)).toEqual([]);
});
