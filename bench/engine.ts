/**
 * The engine on a database: what is due, sweeps of everything, and how long it keeps others of its process waiting.
 *
 *   node --import tsx bench/engine.ts                                   due and sweep, 100,000 listings
 *   node --import tsx bench/engine.ts due --listings 1000000            1,000 changed offers in a large catalog
 *   node --import tsx bench/engine.ts sweep --listings 1000000          20 minutes, 10 GB of disk
 *   node --import tsx bench/engine.ts --keep                            leaves the databases for the next run
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { type EngineBench, openEngineBench } from './engine-database.ts';
import { sweepAgainstStream } from './engine-sweep.ts';
import { spreadOf } from './rounds.ts';
import { printTable, ratioLine } from './table.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    listings: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    keep: { type: 'boolean', default: false },
  },
});
const listings = Number(values.listings);
const rounds = Number(values.rounds);
const wants = (kind: string): boolean => positionals.length === 0 || positionals.includes(kind);
/** The catalog that a large one is compared with. */
const SMALL = Math.min(10_000, listings / 10);
/** A tenth of it, so that nine rounds can change others every time. */
const CHANGED = SMALL / 10;

const bench = await openEngineBench();
try {
  if (wants('due')) await due(bench);
  if (wants('sweep')) await sweep(bench);
} finally {
  await bench.close(values.keep);
}

/** Changed offers of some listings, from the first look of the engine until nothing is due. */
async function due(bench: EngineBench): Promise<void> {
  const large = await bench.shop(listings);
  const small = await bench.shop(SMALL);
  const seconds: Record<'small' | 'large', number[]> = { small: [], large: [] };
  for (let round = -1; round < rounds; round++) {
    for (const [name, shop] of [
      ['small', small],
      ['large', large],
    ] as const) {
      await shop.changeOffers(CHANGED);
      const work = await shop.work();
      if (work.changed < CHANGED / 2)
        throw new Error(`Only ${work.changed} prices changed in ${shop.listings} listings.`);
      if (round >= 0) seconds[name].push(work.seconds);
    }
  }
  const count = CHANGED.toLocaleString('en-US');
  printTable(`${count} changed offers, load ${loadavg()[0]?.toFixed(1)}`, [
    { name: `in ${SMALL.toLocaleString('en-US')}`, spread: spreadOf(seconds.small), unit: 's' },
    {
      name: `in ${listings.toLocaleString('en-US')}`,
      spread: spreadOf(seconds.large),
      unit: 's',
      goal: { atMost: 0.5 },
    },
    ratioLine('large / small', seconds.large, seconds.small, { atMost: 1.5 }),
  ]);
}

async function sweep(bench: EngineBench): Promise<void> {
  const figures = await sweepAgainstStream(await bench.shop(listings), rounds);
  printTable(`Sweep of ${listings.toLocaleString('en-US')}, 5% changed, load ${loadavg()[0]?.toFixed(1)}`, [
    { name: 'engine', spread: spreadOf(figures.engine), unit: 's' },
    { name: 'stream and write', spread: spreadOf(figures.stream), unit: 's' },
    ratioLine('engine / stream', figures.engine, figures.stream, { atMost: 1.5 }),
    { name: 'event loop, p99', spread: spreadOf(figures.loopP99), unit: 'ms', goal: { atMost: 200 } },
    { name: 'event loop, longest', spread: spreadOf(figures.loopMax), unit: 'ms' },
  ]);
}
