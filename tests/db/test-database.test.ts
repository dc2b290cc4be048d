import { Client } from 'pg';
import { expect, test } from 'vitest';
import { execute } from '#tests/support/test-cluster.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

test('two test databases never see each other, and are gone once dropped', async () => {
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await execute(one.url, 'CREATE TABLE only_in_one ()');
  await expect(execute(two.url, 'TABLE only_in_one')).rejects.toMatchObject({ code: '42P01' });

  const client = new Client({ connectionString: one.url });
  // Dropping cuts this connection off, which pg reports as an event.
  const cutOff = new Promise((resolve) => client.on('error', resolve));
  await client.connect();
  await Promise.all([one.drop(), two.drop()]);
  expect(await cutOff).toMatchObject({ code: '57P01' });
  await expect(execute(one.url, 'SELECT 1')).rejects.toMatchObject({ code: '3D000' });
});
