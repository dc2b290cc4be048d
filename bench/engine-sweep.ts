import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { BATCH_SIZE } from '#usecases/repricing/engine/engine-deps.ts';
import type { EngineShop } from './engine-database.ts';

/** One figure per round. */
export interface SweepFigures {
  readonly engine: number[];
  readonly stream: number[];
  readonly loopP99: number[];
  readonly loopMax: number[];
}

const STREAM = join(import.meta.dirname, 'stream-and-write.mjs');

/**
 * Sweeps of the engine, each followed by `stream-and-write.mjs` on a copy of the database as it was before: it reads
 * the same columns and writes the rows that the engine has come to.
 * @throws Error when both do not end with the same prices, figures and history
 */
export async function sweepAgainstStream(shop: EngineShop, rounds: number): Promise<SweepFigures> {
  const figures: SweepFigures = { engine: [], stream: [], loopP99: [], loopMax: [] };
  const file = join(import.meta.dirname, '../.cache/bench/engine-rows.json');
  for (let round = 0; round < rounds; round++) {
    await shop.changeOffers(shop.listings / 20);
    await shop.waitForSweep();
    await shop.withTwin(async (twin) => {
      const { seconds, loop, lastRun } = await shop.work();
      writeFileSync(file, JSON.stringify(await writtenBy(shop.url, lastRun)));
      const stream = spawnSync(process.execPath, [STREAM, twin, file, String(BATCH_SIZE)], {
        encoding: 'utf8',
      });
      if (stream.status !== 0) throw new Error(stream.stderr);
      const [ours, theirs] = [await sumOf(shop.url), await sumOf(twin)];
      if (ours !== theirs) throw new Error(`Not the same work: ${ours} and ${theirs}`);
      figures.engine.push(seconds);
      figures.stream.push(Number(stream.stdout));
      figures.loopP99.push(loop.p99);
      figures.loopMax.push(loop.max);
    });
  }
  return figures;
}

/** The rows of every table that a run has written, by table. */
async function writtenBy(url: string, run: number): Promise<Record<string, unknown[]>> {
  return requested(url, async (client) => {
    const rowsOf = async (statement: string): Promise<unknown[]> =>
      (await client.query(statement, [run])).rows;
    return {
      run: await rowsOf('SELECT * FROM repricing_runs WHERE id = $1'),
      moves: await rowsOf('SELECT * FROM price_history WHERE run_id = $1 ORDER BY listing_id'),
      metrics: await rowsOf(
        `SELECT * FROM listing_metrics m WHERE decided_at >= (SELECT started_at FROM repricing_runs WHERE id = $1)
         ORDER BY listing_id`,
      ),
      words: await rowsOf(
        `SELECT id AS listing_id, recommended_price, recommended_price_reason, competitor_price, awaiting_upload_since
         FROM listings WHERE id IN (SELECT listing_id FROM listing_metrics
           WHERE decided_at >= (SELECT started_at FROM repricing_runs WHERE id = $1)) ORDER BY id`,
      ),
      items: await rowsOf('SELECT * FROM run_items WHERE run_id = $1 ORDER BY listing_id'),
    };
  });
}

/** What both have to end with. */
function sumOf(url: string): Promise<string> {
  return requested(url, async (client) => {
    const { rows } = await client.query<{ text: string }>(`
      SELECT concat_ws(' ', count(*), sum(current_price), sum(recommended_price), sum(competitor_price),
        count(awaiting_upload_since), md5(string_agg(recommended_price_reason, ',' ORDER BY id)),
        (SELECT concat_ws(' ', count(*), sum(margin), sum(decided_price)) FROM listing_metrics),
        (SELECT concat_ws(' ', count(*), sum(price), sum(length(facts::text))) FROM run_items),
        (SELECT concat_ws(' ', count(*), sum(new_price), sum(length(facts::text))) FROM price_history)) AS text
      FROM listings`);
    return rows[0]?.text ?? '';
  });
}

async function requested<Answer>(url: string, ask: (client: pg.Client) => Promise<Answer>): Promise<Answer> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return ask(client).finally(() => client.end());
}
