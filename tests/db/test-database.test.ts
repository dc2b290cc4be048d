import { Client } from 'pg';
import { expect, test } from 'vitest';
import { openDatabase } from '#db/client.ts';
import { readFresh, restore } from '#tests/support/fresh-rows.ts';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import { addListing, addSku } from '#tests/support/seed.ts';
import { execute } from '#tests/support/test-cluster.ts';
import { asOwner, createTestDatabase } from '#tests/support/test-database.ts';

test('two test databases are separate, and no longer exist once dropped', async () => {
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await execute(one.ownerUrl, 'CREATE TABLE only_in_one ()');
  await expect(execute(two.ownerUrl, 'TABLE only_in_one')).rejects.toMatchObject({ code: '42P01' });

  const client = new Client({ connectionString: one.url });
  // Dropping ends this connection, which pg reports as an event.
  const cutOff = new Promise((resolve) => client.on('error', resolve));
  await client.connect();
  await Promise.all([one.drop(), two.drop()]);
  expect(await cutOff).toMatchObject({ code: '57P01' });
  await expect(execute(one.url, 'SELECT 1')).rejects.toMatchObject({ code: '3D000' });
});

test('a used database is reset: its rows, those of the migrations and the sequences', async () => {
  const database = await createTestDatabase();
  const { db, pool, close } = openDatabase(database.ownerUrl);
  const owner = openDatabase(database.ownerUrl, 1);
  const fresh = await readFresh(owner.pool, true);
  await addSku(db, 'A-1');
  const id = await addListing(db, 'A-1');
  await db.execute(`UPDATE app_settings SET check_interval = 7; DELETE FROM fee_bands`);
  expect(await restore(owner.pool, fresh)).toBe(true);
  const { rows } = await pool.query('SELECT check_interval <> 7 AS is_back FROM app_settings');
  expect(rows).toEqual([{ is_back: true }]);
  await addSku(db, 'A-1');
  expect(await addListing(db, 'A-1')).toBe(id);
  // Once more, with the plans of the first time.
  expect(await restore(owner.pool, fresh)).toBe(true);
  await owner.close();
  await close();
  await database.drop();
});

test.each([
  [
    'the owner',
    async (owned: RecycledDatabase) =>
      void (await execute(owned.ownerUrl, 'ALTER TABLE skus ADD COLUMN more text')),
  ],
  ['asOwner()', ({ open }: RecycledDatabase) => asOwner(open.db, 'ALTER TABLE skus ADD COLUMN more text')],
])('a borrowed database whose tables %s changed is not lent again', async (_, change) => {
  const borrowed = await borrowDatabase();
  await change(borrowed);
  await borrowed.giveBack();
  const next = await borrowDatabase();
  expect(next.url).not.toBe(borrowed.url);
  const { rows } = await next.open.pool.query(
    `SELECT FROM pg_attribute WHERE attrelid = 'skus'::regclass AND attname = 'more'`,
  );
  expect(rows).toEqual([]);
  await next.giveBack();
});

test.each([
  ['a column', 'ALTER TABLE skus ADD COLUMN more text'],
  ['a rule of a column', 'ALTER TABLE skus ALTER COLUMN name DROP NOT NULL'],
  ['a constraint', 'ALTER TABLE skus ADD CONSTRAINT named CHECK (name <> $$x$$)'],
  ['a trigger', 'ALTER TABLE price_history DISABLE TRIGGER USER'],
  ['a function', 'CREATE FUNCTION more() RETURNS int LANGUAGE sql AS $$SELECT 1$$'],
  ['a right', 'GRANT SELECT ON skus TO PUBLIC'],
])('a database with another shape is not used again: %s', async (_, statement) => {
  const database = await createTestDatabase();
  const { pool, close } = openDatabase(database.ownerUrl);
  const fresh = await readFresh(pool, false);
  await pool.query(statement);
  expect(await restore(pool, fresh)).toBe(false);
  await close();
  await database.drop();
});
