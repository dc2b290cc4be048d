import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinEmbeddedPostgres } from '#db/embedded/supervisor.ts';
import { migrate } from '#db/migrate.ts';
import { IS_ALL } from '#tests/support/breadth.ts';
import { ask } from '#tests/support/embedded-folder.ts';
import { BROKEN_LEDGERS_TEXT } from '#tests/support/engine-shop.ts';
import { runProgram } from '#tests/support/run-program.ts';
import { newScratchFolder } from '#tests/support/scratch-folder.ts';
import { type TableHash, tableHashes } from '#tests/support/table-hashes.ts';
import { execute } from '#tests/support/test-cluster.ts';
import { fillYearShop, type YearShop } from '#tests/support/year-shop.ts';

/*
 * A store with a year of history is backed up and restored by the commands, from one data folder into another, each with a
 * PostgreSQL of its own that flushes what it commits. `npm run proof:restore` does it with 250,000 listings and says how long
 * that took.
 */

/** How much of it, and where: null is a folder that may be in memory. */
interface Extent extends YearShop {
  readonly folder: string | null;
}

const PROOF = process.env.PRICEWRIGHT_RESTORE_YEAR;
const {
  listings: LISTINGS,
  changes: CHANGES,
  folder: FOLDER,
}: Extent = PROOF === undefined ? { listings: 200, changes: 4, folder: null } : JSON.parse(PROOF);

/** Not in a backup, or written anew by the restored database itself. */
const NOT_RESTORED = [
  'api_tokens',
  'consents',
  'installation',
  'leases',
  'one_time_tokens',
  'provider_logins',
  'schema_migrations',
  'sessions',
  'webhook_attempts',
  'webhook_deliveries',
];
/** What a restored database adds to what it got. That no one has confirmed it is removed before. */
const ADDED: Readonly<Record<string, string>> = { audit_log: `action <> 'engine.restored'` };

let parent: string;
beforeAll(async () => {
  parent =
    FOLDER === null ? await newScratchFolder('year') : await mkdtemp(join(FOLDER, 'pricewright-year-'));
});
afterAll(() => rm(parent, { recursive: true, force: true }));

/** Says how long something took; nothing is held against it. */
async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const result = await work();
  console.log(`${what}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  return result;
}

/** Does something with the server of a data folder. */
async function within<Result>(dataDir: string, work: (ownerUrl: string) => Promise<Result>): Promise<Result> {
  const server = await joinEmbeddedPostgres({ dataDir });
  try {
    return await work(server.ownerUrl);
  } finally {
    await server.leave();
  }
}

async function fill(ownerUrl: string): Promise<void> {
  await migrate(ownerUrl);
  const url = new URL(ownerUrl);
  url.username = 'postgres';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    await fillYearShop(client, { listings: LISTINGS, changes: CHANGES });
  } finally {
    await client.end();
  }
}

const contentOf = (ownerUrl: string): Promise<Map<string, TableHash>> =>
  tableHashes(ownerUrl, (table) => ADDED[table] ?? null);

const sizeOf = async (ownerUrl: string): Promise<string> =>
  inMegabytes(Number(await ask(ownerUrl, 'SELECT pg_database_size(current_database())::float8')));

function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toLocaleString('en-US', { maximumFractionDigits: 0 })} MB`;
}

test.runIf(IS_ALL || PROOF !== undefined)(
  `a store of ${LISTINGS} listings and a year is restored without a lost row`,
  { timeout: PROOF === undefined ? 300_000 : 4 * 60 * 60_000 },
  async () => {
    const [source, target] = [join(parent, 'source'), join(parent, 'target')];
    const file = join(parent, 'year.tar');
    const before = await within(source, async (ownerUrl) => {
      await timed('a year was filled in', () => fill(ownerUrl));
      const content = await timed('its rows were hashed', () => contentOf(ownerUrl));
      console.log(`database: ${await sizeOf(ownerUrl)}`);
      return content;
    });
    expect(before.get('price_history')?.rows).toBe(LISTINGS * (1 + CHANGES));
    const made = await timed('pricewright backup', () =>
      runProgram(['backup', '--to', file], { PRICEWRIGHT_DATA: source }),
    );
    expect(made, made.text).toMatchObject({ code: 0 });
    console.log(`backup: ${inMegabytes((await stat(file)).size)}`);
    await mkdir(target);
    const restored = await timed('pricewright restore', () =>
      runProgram(['restore', file], { PRICEWRIGHT_DATA: target }),
    );
    expect(restored, restored.text).toMatchObject({ code: 0 });

    const after = await within(target, async (ownerUrl) => {
      console.log(`restored database: ${await sizeOf(ownerUrl)}`);
      expect(await ask(ownerUrl, `SELECT array_agg(id) FROM (${BROKEN_LEDGERS_TEXT}) broken`)).toBeNull();
      await execute(ownerUrl, 'UPDATE repricing_state SET unconfirmed_restore_at = NULL');
      return timed('its rows were hashed', () => contentOf(ownerUrl));
    });
    const different = [...before].filter(
      ([table, { rows, hash }]) => after.get(table)?.rows !== rows || after.get(table)?.hash !== hash,
    );
    expect(different.filter(([table]) => !NOT_RESTORED.includes(table))).toEqual([]);
    expect([...after.keys()]).toEqual([...before.keys()]);
    if (PROOF !== undefined) tell(before);
  },
);

/** The largest tables, all of which came back as they were. */
function tell(content: ReadonlyMap<string, TableHash>): void {
  const all = [...content].filter(([table, { rows }]) => rows > 0 && !NOT_RESTORED.includes(table));
  for (const [table, { rows, hash }] of all.toSorted(([, a], [, b]) => b.rows - a.rows))
    console.log(`${table.padEnd(26)} ${rows.toLocaleString('en-US').padStart(13)} rows  ${hash}`);
  const rows = all.reduce((sum, [, table]) => sum + table.rows, 0);
  console.log(`${rows.toLocaleString('en-US')} rows of ${all.length} tables, none lost or changed`);
}
