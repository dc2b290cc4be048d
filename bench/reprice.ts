import { mkdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { BENCH_CACHE, checkPriceChanges, repriceProgram } from './reprice-program.ts';
import { spreadOf } from './rounds.ts';
import { shopFiles } from './shop-files.ts';
import { printTable, ratioLine } from './table.ts';
import { measure, type Program, type Usage } from './whole-process.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    listings: { type: 'string', default: '100000' },
  },
});

const listings = Number(values.listings);
const size = { listings, offers: listings * 3 };
const { folder, ...paths } = shopFiles(size, BENCH_CACHE);
const output = join(BENCH_CACHE, 'reprice-output');
rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });

const reprice = await repriceProgram({ folder, ...paths }, join(output, 'changes.csv'));
const rewrite: Program = {
  name: 'parse-and-write.mjs',
  args: [join(import.meta.dirname, 'parse-and-write.mjs'), output, ...Object.values(paths)],
  output: join(output, 'parse-and-write.out'),
};

const hashes = new Set<string>();
const ours: Usage[] = [];
const theirs: Usage[] = [];
// Round -1 is not counted: it brings files and programs into the page cache.
for (let round = -1; round < Number(values.rounds); round += 1) {
  const [a, b] = [await measure(reprice), await measure(rewrite)];
  hashes.add((await checkPriceChanges(reprice.output, listings)).sha256);
  expectAllRewritten();
  if (round < 0) continue;
  ours.push(a);
  theirs.push(b);
}
if (hashes.size !== 1) throw new Error('The same files and the same moment gave different price changes.');
printResult();

/** The yardstick has to have written every row: nothing in these files is written in two ways, so sizes agree. */
function expectAllRewritten(): void {
  for (const path of Object.values(paths)) {
    const copy = join(output, basename(path));
    if (statSync(copy).size !== statSync(path).size) throw new Error(`${copy} is not a copy of ${path}.`);
  }
}

function printResult(): void {
  const lines = [
    { usages: ours, name: reprice.name },
    { usages: theirs, name: rewrite.name },
  ].flatMap(({ usages, name }) => [
    { name: `${name}, wall`, spread: spreadOf(usages.map(wall)), unit: 's' },
    { name: `${name}, processor`, spread: spreadOf(usages.map(cpu)), unit: 's' },
    { name: `${name}, peak memory`, spread: spreadOf(usages.map(megabytes)), unit: 'MB' },
  ]);
  const count = (amount: number): string => amount.toLocaleString('en-US');
  printTable(`${values.rounds} rounds in turn, ${count(listings)} listings, ${count(size.offers)} offers`, [
    ...lines,
    ratioLine('reprice / parse-and-write, wall', ours.map(wall), theirs.map(wall), { atMost: 2.5 }),
    ratioLine('reprice / parse-and-write, processor', ours.map(cpu), theirs.map(cpu)),
  ]);
}

function wall({ wallSeconds }: Usage): number {
  return wallSeconds;
}

function cpu({ cpuSeconds }: Usage): number {
  return cpuSeconds;
}

function megabytes({ peakBytes }: Usage): number {
  return peakBytes / 1e6;
}
