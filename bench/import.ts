/**
 * How long the product takes to import a listings file, compared with COPY of the same rows into the same empty table with
 * the same constraints, indexes and triggers. The import is timed from its start to its report: reading the stored file,
 * deciding on every row, writing it and what was found. Upload and check come before and are printed apart.
 */
import { createReadStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openDatabase } from '#db/client.ts';
import { findImport, type ImportRow } from '#db/queries/catalog/imports.ts';
import type { JobKind, Queue } from '#db/queue.ts';
import { instant } from '#domain/units.ts';
import { runJob } from '#usecases/background/run-job.ts';
import { importHandler } from '#usecases/catalog/imports/import-handler.ts';
import { checkIdOf } from '#usecases/catalog/imports/import-view.ts';
import { startImport } from '#usecases/catalog/imports/start-import.ts';
import { uploadImport } from '#usecases/catalog/imports/upload-import.ts';
import { type BenchDatabase, benchServer } from './import-database.ts';
import { BENCH_CACHE } from './reprice-program.ts';
import { spreadOf } from './rounds.ts';
import { shopFiles } from './shop-files.ts';
import { printTable, ratioLine } from './table.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    listings: { type: 'string', default: '100000' },
  },
});

const listings = Number(values.listings);
const WHO = { id: 'bench', name: 'Benchmark', isAdmin: true, twoFactor: 'none' } as const;
/** As right after the login page. */
const CLEARED = { isStepUpFresh: true, twoFactor: 'none' } as const;
const now = () => instant(Date.now());

const files = shopFiles({ listings, offers: listings * 3 }, BENCH_CACHE);
const copyFile = writeCopyFile();
const server = await benchServer(BENCH_CACHE);
const figures = {
  copy: [] as number[],
  upload: [] as number[],
  check: [] as number[],
  import: [] as number[],
};
try {
  // Round -1 is not counted: it brings files and code into the caches.
  for (let round = -1; round < Number(values.rounds); round += 1) {
    const copied = await inDatabase(copyRows);
    const imported = await inDatabase(importRows);
    if (copied.rows !== imported.rows) {
      throw new Error(`COPY made ${copied.rows}, the import ${imported.rows}.`);
    }
    if (round < 0) continue;
    figures.copy.push(copied.seconds);
    figures.upload.push(imported.upload);
    figures.check.push(imported.check);
    figures.import.push(imported.seconds);
  }
} finally {
  await server.close();
}
printTable(`Import of ${listings.toLocaleString('en-US')} listings`, [
  ...(['copy', 'upload', 'check', 'import'] as const).map((name) => ({
    name: name === 'copy' ? 'COPY' : name,
    spread: spreadOf(figures[name]),
    unit: 's',
  })),
  ratioLine('import / COPY', figures.import, figures.copy, { atMost: 3 }),
]);

/** The file's rows as COPY needs them: every column that may not be null, the anchor among them. */
function writeCopyFile(): string {
  mkdirSync(BENCH_CACHE, { recursive: true });
  const path = join(BENCH_CACHE, `copy-${listings}.csv`);
  const [, ...lines] = readFileSync(files.listings, 'utf8').trimEnd().split('\n');
  const row = /^(.*),(\d+\.\d\d),([^,]*),([^,]*),([^,]*),([^,]*),([^,]*),([^,]*),([^,]*),([^,]*),([^,]*)$/;
  const rows = lines.map((line) => {
    const cells = row.exec(line);
    if (cells === null) throw new Error(`Not a row of a generated shop: ${line}`);
    const [, head, price, type, item, marketplace, min, max, charge, fulfillment, category, isOn] = cells;
    return [
      head,
      price,
      price,
      type,
      item,
      marketplace,
      min,
      max,
      charge || '0.00',
      fulfillment,
      category,
      isOn,
    ].join(',');
  });
  writeFileSync(path, `${rows.join('\n')}\n`);
  return path;
}

async function inDatabase<Result>(work: (database: BenchDatabase) => Promise<Result>): Promise<Result> {
  const database = await server.create();
  try {
    return await work(database);
  } finally {
    await database.drop();
  }
}

async function copyRows({ superuserUrl }: BenchDatabase): Promise<{ seconds: number; rows: string }> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  const started = performance.now();
  await client.query(
    `COPY listings (sku, title, current_price, anchor_price, fulfillment_type, marketplace_item_id, marketplace,
       min_price, max_price, shipping_charge, fulfillment_cost, fee_category, auto_repricing_enabled)
     FROM '${copyFile.replaceAll("'", "''")}' (FORMAT csv)`,
  );
  const seconds = (performance.now() - started) / 1_000;
  const rows = await sumOf(client);
  await client.end();
  return { seconds, rows };
}

/** What both sides have to agree on. */
async function sumOf(client: pg.Client | pg.Pool): Promise<string> {
  const { rows } = await client.query<{ text: string }>(`
    SELECT concat_ws(' ', count(*), sum(current_price), sum(anchor_price), sum(min_price), sum(max_price),
      sum(shipping_charge), sum(fulfillment_cost), count(fee_category), count(*) FILTER (WHERE auto_repricing_enabled),
      md5(string_agg(sku || title || marketplace || fulfillment_type, ',' ORDER BY sku, marketplace)),
      (SELECT count(*) FROM price_history), (SELECT count(*) FROM due_listings)) AS text FROM listings`);
  return rows[0]?.text ?? '';
}

async function importRows({ url }: BenchDatabase) {
  const { db, pool, close } = openDatabase(url);
  const sent: number[] = [];
  const queue = sendingTo(sent);
  const run = async (): Promise<void> => {
    const jobId = sent.pop() ?? 0;
    const stopping = new AbortController().signal;
    const onUnexpectedError = (error: unknown): never => {
      throw error;
    };
    await runJob({ db, url, now, onUnexpectedError, stopping }, jobId, {
      import: importHandler({ db, now }),
    });
  };
  const timed = async <Result>(work: () => Promise<Result>): Promise<[Result, number]> => {
    const started = performance.now();
    const result = await work();
    return [result, (performance.now() - started) / 1_000];
  };
  const file = { kind: 'listings' as const, fileName: 'listings.csv', by: WHO };
  const [{ id }, upload] = await timed(() =>
    uploadImport({ db, queue, now }, file, createReadStream(files.listings)),
  );
  const [, check] = await timed(run);
  const [, seconds] = await timed(async () => {
    const checkId = checkIdOf({ jobId: (await findImport(db, id))?.jobId ?? null });
    await startImport({ db, queue, now }, id, { checkId, allOrNothing: false }, WHO, CLEARED);
    await run();
  });
  requireDone(await findImport(db, id));
  const rows = await sumOf(pool);
  await close();
  return { upload, check, seconds, rows };
}

/** Jobs are run by hand here, without the wait of a queue between their start and their beginning. */
function sendingTo(sent: number[]): Queue {
  return {
    send: async (_db, _kind: JobKind<object>, data) => {
      sent.push((data as { jobId: number }).jobId);
    },
    cancel: async () => undefined,
    work: async () => undefined,
    schedule: async () => undefined,
    close: async () => undefined,
  };
}

function requireDone(file: ImportRow | null): void {
  const created = file?.findings?.counts.create;
  if (file?.state !== 'done' || created !== listings) {
    throw new Error(`The import ended as ${file?.state}, with ${created} created: ${file?.error}`);
  }
}
