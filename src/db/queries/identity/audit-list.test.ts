import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditActionsIn } from '#domain/audit-actions.ts';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import { asOwner } from '#tests/support/test-database.ts';
import { type AuditFilter, auditKeys, searchAudit } from './audit-filter.ts';

const ROWS = 20_000;
let database: RecycledDatabase;

/** A large log: mostly prices, some of everything else, forty users. */
beforeAll(async () => {
  database = await borrowDatabase();
  await database.open.db.execute(sql`
    INSERT INTO audit_log (at, actor, action, target_kind, target_id, after)
    SELECT timestamptz '2026-01-01' + make_interval(secs => n), 'person ' || n % 40,
      CASE WHEN n % 5000 = 7 THEN 'engine.halted' WHEN n % 50 = 3 THEN 'login.succeeded' ELSE 'price.applied' END,
      'listing', (n % 9000)::text, '{"price": "12.99"}'
    FROM generate_series(1, ${ROWS}::int) n`);
  await asOwner(database.open.db, 'ANALYZE audit_log');
});
afterAll(() => database.giveBack());

const MIDDLE = { at: '2026-01-01T01:00:00.000Z', id: '3600' };
const FILTERS: readonly (readonly [string, AuditFilter])[] = [
  ['everything', {}],
  ['a rare group', { actions: auditActionsIn('engine') }],
  ['a common group', { actions: auditActionsIn('prices') }],
  ['one person', { who: 'person 7' }],
  ['one listing', { kind: 'listing', target: '4711' }],
  ['a search', { q: 'person 1' }],
  ['a day', { from: '2026-01-01T02:00:00.000Z', to: '2026-01-01T03:00:00.000Z' }],
];

test.each(FILTERS)('a page of %s is an index scan, the first one and a later one', async (_, filter) => {
  const { db } = database.open;
  const search = filter.q === undefined ? null : await searchAudit(db, filter.q);
  for (const from of [null, MIDDLE]) {
    const plan = await planOf(auditKeys(filter, search, { from, isBackwards: false, limit: 51 }));
    expect(plan).not.toContain('Seq Scan on audit_log');
    expect(plan).toMatch(/Index (Only )?Scan/);
  }
});

async function planOf(statement: SQL): Promise<string> {
  const { rows } = await database.open.db.execute<{ 'QUERY PLAN': string }>(
    sql`EXPLAIN (ANALYZE) ${statement}`,
  );
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
