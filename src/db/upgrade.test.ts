import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOldDatabase, type OldDatabase } from '#tests/support/old-database.ts';
import { openDatabase } from './client.ts';
import { readSetup } from './queries/catalog/setup.ts';
import { readPastShares, readSince } from './queries/repricing/breaker-past.ts';
import { readEngineSwitches } from './queries/repricing/engine.ts';
import { findOpenRun } from './queries/repricing/runs.ts';

/** The schema of step 64, before its names became those of the documentation. */
const FILLED = `
  UPDATE app_settings SET walmart_client_id = 'x', walmart_client_secret = 'x';
  UPDATE engine_states SET mode = 'armed', changed_by = 'Ann' WHERE marketplace IN ('walmart', 'ebay');
  UPDATE engine_states SET observes_because = 'account' WHERE marketplace = 'amazon';
  UPDATE engine_switch SET looked_plan = 'token', looked_at = '2026-03-01Z', looked_by = 'Ann', release = '0.9.0/64';
  INSERT INTO milestones (name, reached_at) VALUES ('looked', '2026-03-01Z'), ('demo', '2026-03-01Z');
  INSERT INTO repricing_runs (trigger, state, started_at, may_change, on_floor, same_price, plan) VALUES
    ('sweep', 'done', '2026-03-02 08:00Z', 100, 7, 5, '{"changed": 9, "onFloor": 7, "samePrice": 5, "isLookedAt": true}'),
    ('person', 'done', '2026-03-02 08:10Z', 100, 3, 2, '{"changed": 9, "onFloor": 3, "samePrice": 2, "isLookedAt": false}'),
    ('apply', 'done', '2026-03-02 08:20Z', 0, 0, 0, NULL),
    ('due', 'running', '2026-03-02 08:30Z', 0, 1, 0, NULL);`;

let old: OldDatabase;
let client: pg.Client;
let open: ReturnType<typeof openDatabase>;
beforeAll(async () => {
  old = await createOldDatabase(64);
  client = new pg.Client({ connectionString: old.ownerUrl });
  await client.connect();
  await client.query(FILLED);
  await old.upgrade();
  open = openDatabase(old.ownerUrl);
});
afterAll(async () => {
  await client.end();
  await open.close();
  await old.drop();
});

test('modes, the reviewed plan and how prices leave are read as they were before an upgrade', async () => {
  const switches = await readEngineSwitches(open.db);
  expect(switches).toMatchObject({
    live: new Set(['ebay', 'walmart']),
    connected: new Set(['walmart']),
    reviewedPlan: 'token',
    reviewedBy: 'Ann',
    release: '0.9.0/64',
  });
  const { rows } = await client.query(
    `SELECT marketplace FROM marketplace_modes WHERE reset_reason = 'account'`,
  );
  expect(rows).toEqual([{ marketplace: 'amazon' }]);
  expect(await readSetup(open.db)).toMatchObject({ look: true, arm: true, isDemo: true });
});

test('the settings still say how prices leave', async () => {
  await client.query('UPDATE app_settings SET walmart_client_secret = NULL, amazon_lwa_client_secret = $1', [
    'x',
  ]);
  const { connected, unready } = await readEngineSwitches(open.db);
  expect([connected, unready]).toEqual([new Set(), new Set(['amazon'])]);
});

test('runs keep what the circuit breaker compares, and the one that was cut off is found', async () => {
  const since = Date.parse('2026-03-02T07:00Z') as Parameters<typeof readSince>[1];
  // The first had been reviewed: it does not count.
  expect(await readSince(open.db, since, null, 1_000 as Parameters<typeof readSince>[3])).toMatchObject({
    atMarginFloor: 4,
  });
  const past = await readPastShares(open.db, null, 100, 10);
  expect(past.map(({ atMarginFloor, atSamePrice }) => [atMarginFloor, atSamePrice])).toEqual([
    [3, 2],
    [7, 5],
  ]);
  const { rows } = await client.query(`SELECT plan FROM repricing_runs WHERE plan IS NOT NULL ORDER BY id`);
  expect(rows[0]?.plan).toEqual({ changed: 9, atMarginFloor: 7, atSamePrice: 5, isReviewed: true });
  expect(await findOpenRun(open.db)).toMatchObject({ state: 'running', atMarginFloor: 1 });
});
