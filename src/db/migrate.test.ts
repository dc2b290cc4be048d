import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { IS_ALL } from '#tests/support/breadth.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { migrate } from './migrate.ts';
import { migrationsFolder, readMigrations, SchemaError } from './migration-files.ts';

let folder: string;
let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query('DELETE FROM schema_migrations');
});
afterAll(async () => {
  await client.end();
  await database.drop();
  await rm(folder, { recursive: true });
});

const step = (name: string, text: string) => writeFile(join(folder, name), text);

test('every migration runs once, also when several processes start together', async () => {
  await step('0001_one.sql', 'CREATE TABLE steps (n int); INSERT INTO steps VALUES (1);');
  await step('0002_two.sql', 'INSERT INTO steps VALUES (2);');
  await Promise.all([1, 2, 3].map(() => migrate(database.ownerUrl, folder)));
  expect((await client.query('SELECT n FROM steps ORDER BY n')).rows).toEqual([{ n: 1 }, { n: 2 }]);
});

test('an upgrade that fails in a later migration changes nothing: the former release starts, and a repaired one goes on', async () => {
  await step('0003_three.sql', 'CREATE TABLE more (n int); INSERT INTO steps VALUES (3);');
  await step('0004_four.sql', 'INSERT INTO steps VALUES (4); SELECT 1 / 0;');
  const failure = migrate(database.ownerUrl, folder);
  await expect(failure).rejects.toBeInstanceOf(SchemaError);
  await expect(failure).rejects.toThrow(
    'The upgrade failed in 0004_four.sql (division by zero) and nothing was changed: the former release of Pricewright starts as before.',
  );
  expect((await client.query('SELECT n FROM steps ORDER BY n')).rows).toEqual([{ n: 1 }, { n: 2 }]);
  const former = await mkdtemp(join(tmpdir(), 'former-migrations-'));
  for (const name of ['0001_one.sql', '0002_two.sql']) await copyFile(join(folder, name), join(former, name));
  await migrate(database.ownerUrl, former);
  await rm(former, { recursive: true });

  await rm(join(folder, '0004_four.sql'));
  await step('0003_three.sql', 'INSERT INTO steps VALUES (3);');
  await migrate(database.ownerUrl, folder);
  expect((await client.query('SELECT n FROM steps WHERE n > 2')).rows).toEqual([{ n: 3 }]);
});

test('limits of the server for statements and transactions are not those of an upgrade', async () => {
  const { rows } = await client.query("SELECT name FROM pg_settings WHERE name = 'transaction_timeout'");
  const limits = ['statement_timeout', ...rows.map(({ name }) => name)];
  for (const name of limits) {
    await client.query(
      `DO $$BEGIN EXECUTE format('ALTER DATABASE %I SET ${name} = 60000', current_database()); END$$`,
    );
  }
  await step(
    '0004_four.sql',
    limits.map((name) => `INSERT INTO steps VALUES (1000 + current_setting('${name}')::int);`).join('\n'),
  );
  await migrate(database.ownerUrl, folder);
  const found = await client.query('DELETE FROM steps WHERE n >= 1000 RETURNING n');
  expect(found.rows).toEqual(limits.map(() => ({ n: 1000 })));
  await client.query('DELETE FROM schema_migrations WHERE version = 4');
  await rm(join(folder, '0004_four.sql'));
});

test('what has to be done before an upgrade is done once, before it, and can stop it', async () => {
  const calls: number[] = [];
  const count = async (): Promise<void> => {
    const { rows } = await client.query('SELECT count(*)::int AS n FROM steps');
    calls.push(rows[0]?.n);
  };
  await migrate(database.ownerUrl, folder, count);
  await step('0004_four.sql', 'INSERT INTO steps VALUES (4);');
  const refuse = async (): Promise<void> => {
    throw new Error('no space');
  };
  await expect(migrate(database.ownerUrl, folder, refuse)).rejects.toThrow('no space');
  await Promise.all([1, 2].map(() => migrate(database.ownerUrl, folder, count)));
  expect(calls).toEqual([3]);
  await client.query('DELETE FROM schema_migrations WHERE version = 4');
  await rm(join(folder, '0004_four.sql'));
});

test('a migration that was edited after it ran stops the start', async () => {
  await step('0002_two.sql', 'INSERT INTO steps VALUES (22);');
  const refusal = migrate(database.ownerUrl, folder);
  await expect(refusal).rejects.toThrow('0002_two.sql differs from it');
  await expect(refusal).rejects.toBeInstanceOf(SchemaError);
  await step('0002_two.sql', 'INSERT INTO steps VALUES (2);');
});

test('a newer database stops an older program', async () => {
  await rm(join(folder, '0003_three.sql'));
  await expect(migrate(database.ownerUrl, folder)).rejects.toThrow(
    'This database has schema 3 (0003_three.sql), but this program only knows up to 2.',
  );
});

test('migrations are numbered without gaps', async () => {
  await step('0004_four.sql', 'SELECT 1;');
  await expect(readMigrations(folder)).rejects.toThrow('should be 0003_<name>.sql');
});

test('the SQL files are found from source and from a bundle in dist', () => {
  const source = migrationsFolder();
  const root = join(source, '..', '..', '..');
  expect(migrationsFolder(join(root, 'dist', 'server', 'assets', 'chunk.js'))).toBe(source);
  expect(() => migrationsFolder('/nowhere/main.js')).toThrow("The database's SQL files are missing");
});

// Migrations that were released never change.
describe.runIf(IS_ALL)('a filled database of an earlier schema', () => {
  let old: TestDatabase;
  let rows: (text: string) => Promise<unknown[]>;
  let close: () => Promise<void>;
  beforeEach(async () => {
    old = await createTestDatabase();
    const owner = new pg.Client({ connectionString: old.ownerUrl });
    await owner.connect();
    rows = async (text) => (await owner.query(text)).rows;
    await rows('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    close = () => owner.end();
  });
  afterEach(async () => {
    await close();
    await old.drop();
  });

  /** Only the migrations up to a version, as in the release that ended with it. */
  async function migrateUpTo(version: number): Promise<void> {
    const steps = await mkdtemp(join(tmpdir(), 'earlier-migrations-'));
    const names = (await readdir(migrationsFolder())).sort().slice(0, version);
    await Promise.all(names.map((name) => copyFile(join(migrationsFolder(), name), join(steps, name))));
    await migrate(old.ownerUrl, steps);
    await rm(steps, { recursive: true });
  }

  test('of 64: alerts, syncs, webhooks, refusals, leases and sessions read as before', async () => {
    await migrateUpTo(64);
    await rows(`
      INSERT INTO users (id, username, password, full_name, email, phone_number, two_factor_begun_at)
        VALUES ('ann', 'ann', 'x', 'Ann', 'ann@example.com', '1', '2026-01-02Z');
      INSERT INTO sessions (token_hash, user_id, created_at, last_seen_at, expires_at, proved_at)
        VALUES ('t', 'ann', '2026-01-01Z', '2026-01-01Z', '2026-02-01Z', '2026-01-03Z');
      INSERT INTO login_attempts (door, subject, window_started_at) VALUES ('login', 'address:::1', '2026-01-01Z');
      INSERT INTO notices (kind, subject, message, link, began_at, mailed_at)
        VALUES ('refused', 'walmart', 'Walmart refused a price.', '/history', '2026-01-04Z', '2026-01-05Z');
      INSERT INTO notice_looks VALUES ('ann', '2026-01-06Z');
      INSERT INTO inflows (marketplace, since, address) VALUES ('ebay', '2026-01-07Z', 'https://example.com/api/incoming/ebay');
      INSERT INTO incoming_events VALUES ('ebay', 'abc', '2026-01-08Z');
      INSERT INTO read_wishes VALUES ('ebay', 'sales', '2026-01-09Z');
      INSERT INTO marketplace_reads (marketplace, what, began_at) VALUES ('ebay', 'offers', '2026-01-10Z');
      INSERT INTO leases VALUES ('send:ebay', 'me', 7, '2026-01-11Z');
      INSERT INTO imports (kind, file_name, state, begun_at, fault, created_by, created_at)
        VALUES ('skus', 'skus.csv', 'failed', '2026-01-12Z', 'No header.', 'Ann', '2026-01-12Z');
      INSERT INTO import_lines SELECT id, 'update', 1, 2, 'A-1', '{}' FROM imports;
      UPDATE integrations SET read_asked_at = '2026-01-13Z', term = 4 WHERE marketplace = 'walmart';
      INSERT INTO listings (sku, title, fulfillment_type, current_price, anchor_price, gone_since)
        VALUES ('A-1', 'Mug', 'FBM', 5, 5, '2026-01-14Z');
      INSERT INTO marketplace_listings (listing_id, keys, is_active, not_repriced, seen_at, price_read_term, missing_since)
        SELECT id, '{}', true, 'On promotion', '2026-01-15Z', 4, '2026-01-14Z' FROM listings;
      INSERT INTO price_intents (listing_id, marketplace, sequence, state, price, from_price, lowest_legal_price, reason,
          source, idempotency_key, created_at, expires_at, settled_at, answer, refusal_stands)
        SELECT id, 'walmart', 1, 'rejected', 6, 5, 4, 'Because', 'rule', 'k', '2026-01-16Z', '2026-01-16Z', '2026-01-16Z',
          'Too high', true FROM listings`);
    await migrate(old.ownerUrl);
    expect(
      await rows(`SELECT
        (SELECT two_factor_started_at FROM users), (SELECT step_up_at FROM sessions),
        (SELECT kind || ' ' || subject FROM login_attempts) AS attempt,
        (SELECT started_at FROM alerts) AS alert, (SELECT emailed_at FROM alerts), (SELECT viewed_at FROM alert_views),
        (SELECT address FROM event_subscriptions), (SELECT received_at FROM webhook_events),
        (SELECT kind || ' ' || date(requested_at) FROM sync_requests) AS request,
        (SELECT kind || ' ' || date(started_at) FROM marketplace_syncs) AS sync,
        (SELECT name || ' ' || fence FROM leases) AS lease,
        (SELECT error || ' ' || date(started_at) FROM imports) AS import, (SELECT status || ' ' || label FROM import_lines) AS line`),
    ).toEqual([
      {
        two_factor_started_at: new Date('2026-01-02Z'),
        step_up_at: new Date('2026-01-03Z'),
        attempt: 'login address:::1',
        alert: new Date('2026-01-04Z'),
        emailed_at: new Date('2026-01-05Z'),
        viewed_at: new Date('2026-01-06Z'),
        address: 'https://example.com/api/incoming/ebay',
        received_at: new Date('2026-01-08Z'),
        request: 'sales 2026-01-09',
        sync: 'offers 2026-01-10',
        lease: 'send:ebay 7',
        import: 'No header. 2026-01-12',
        line: 'update A-1',
      },
    ]);
    const listing = `SELECT l.missing_since, unseen_since, not_repriceable_reason AS reason, price_verified_generation AS verified,
        i.generation, i.sync_requested_at, p.marketplace_message AS message, p.is_refusal_active AS refused
      FROM listings l JOIN marketplace_listings m ON m.listing_id = l.id JOIN integrations i USING (marketplace)
      JOIN price_intents p ON p.listing_id = l.id`;
    const before = {
      missing_since: new Date('2026-01-14Z'),
      unseen_since: new Date('2026-01-14Z'),
      reason: 'On promotion',
      verified: 4,
      generation: 4,
      sync_requested_at: new Date('2026-01-13Z'),
      message: 'Too high',
      refused: true,
    };
    expect(await rows(listing)).toEqual([before]);

    const due = async (change: string) => {
      await rows(`DELETE FROM due_listings; ${change}`);
      return (await rows('SELECT FROM due_listings')).length;
    };
    expect(await due('UPDATE listings SET missing_since = NULL')).toBe(1);
    expect(await due('UPDATE marketplace_listings SET not_repriceable_reason = NULL')).toBe(1);
    const found = { ...before, missing_since: null, reason: null, refused: false };
    expect(await rows(listing)).toEqual([found]);
  });

  test('of 64: a connection made later starts a generation and clears refusals', async () => {
    await migrateUpTo(64);
    await rows(`INSERT INTO listings (sku, title, fulfillment_type, current_price, anchor_price)
        VALUES ('A-1', 'Mug', 'FBM', 5, 5);
      INSERT INTO price_intents (listing_id, marketplace, sequence, state, price, from_price, lowest_legal_price, reason,
          source, idempotency_key, created_at, expires_at, settled_at, refusal_stands)
        SELECT id, 'walmart', 1, 'rejected', 6, 5, 4, 'Because', 'rule', 'k', now(), now(), now(), true FROM listings`);
    await migrate(old.ownerUrl);
    await rows(
      `UPDATE app_settings SET walmart_enabled = true, walmart_client_id = 'id', walmart_client_secret = 'secret'`,
    );
    expect(
      await rows(
        `SELECT generation, is_refusal_active AS refused FROM price_intents p JOIN integrations i USING (marketplace)`,
      ),
    ).toEqual([{ generation: 1, refused: false }]);
  });

  test.each([
    ['rest', 'downtime', 'pg_current_xact_id()::xid::text', true],
    ['restore', 'restored_backup', "'1'", false],
  ])('of 73: after a %s the heartbeat row counts as before', async (stored, kind, writtenBy, isAsWritten) => {
    await migrateUpTo(73);
    await rows(`INSERT INTO installation (name, number, beat_at, written_by, setback, setback_at, known_until)
        VALUES ('n', 1, '2026-01-02Z', ${writtenBy}, '${stored}', '2026-01-02Z', '2026-01-01Z');
      INSERT INTO alerts (kind, subject, message, link, started_at)
        VALUES ('mode_reset', '${stored}', 'Walmart was switched to recommend only.', '/settings', '2026-01-02Z')`);
    await migrate(old.ownerUrl);
    expect(
      await rows(`SELECT rollback_kind AS kind, xmin::text = written_by AS "isAsWritten",
        (SELECT subject FROM alerts) FROM installation`),
    ).toEqual([{ kind, isAsWritten, subject: kind }]);
  });

  test('of 117: a sales tax of 8% stays entered only where the audit log has that it was', async () => {
    await migrateUpTo(117);
    const saved = (at: string, marketplace: string, before: number, after: number) =>
      `('${at}', 'fees.terms_saved', 'marketplace', '${marketplace}', '{"salesTax": ${before}}', '{"salesTax": ${after}}')`;
    await rows(`
      INSERT INTO listings (marketplace, sku, title, fulfillment_type, current_price, anchor_price)
        SELECT marketplace, 'A-1', 'Mug', 'FBM', 5, 5 FROM fee_terms;
      INSERT INTO sales_history (listing_id, sale_date, quantity_sold, unit_price, total_revenue)
        SELECT id, '2026-01-01Z', 1, 5, 5 FROM listings;
      UPDATE fee_terms SET learned_sales_tax = 9.5 WHERE marketplace IN ('ebay', 'etsy', 'shopify');
      DELETE FROM sales_due;
      INSERT INTO audit_log (at, action, target_kind, target_id, before, after) VALUES
        ${[
          saved('2026-01-01Z', 'ebay', 700, 800),
          // Saved later for another term.
          saved('2026-01-02Z', 'ebay', 800, 800),
          saved('2026-01-01Z', 'etsy', 800, 800),
        ].join(', ')}`);
    await migrate(old.ownerUrl);
    expect(
      await rows(`SELECT marketplace, sales_tax AS entered, (SELECT count(*)::int FROM sales_due s
        JOIN listings l ON l.id = s.listing_id WHERE l.marketplace = t.marketplace) AS due
        FROM fee_terms t WHERE sales_tax IS NOT NULL OR learned_sales_tax IS NOT NULL ORDER BY marketplace`),
    ).toEqual([
      { marketplace: 'ebay', entered: '8.00', due: 1 },
      { marketplace: 'etsy', entered: null, due: 0 },
      { marketplace: 'shopify', entered: null, due: 0 },
    ]);
  });
});
