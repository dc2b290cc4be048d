import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BENCH_CACHE, checkPriceChanges, repriceProgram } from './reprice-program.ts';
import { shopFiles } from './shop-files.ts';
import { type Line, printTable } from './table.ts';
import { measure } from './whole-process.ts';

const { values } = parseArgs({
  options: {
    listings: { type: 'string', default: '1000000' },
    /** Leave the generated files for the next run: about 700 MB at full size. */
    keep: { type: 'boolean', default: false },
  },
});

const listings = Number(values.listings);
const output = join(BENCH_CACHE, 'memory-output');
rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });

const lines: Line[] = [];
for (const offersEach of [3, 6]) lines.push(...(await peakWith(listings * offersEach)));
printTable(`pricewright reprice, ${listings.toLocaleString('en-US')} listings and as many SKUs`, lines);
if (!values.keep) rmSync(output, { recursive: true, force: true });

async function peakWith(offers: number): Promise<Line[]> {
  const files = shopFiles({ listings, offers }, BENCH_CACHE);
  const program = await repriceProgram(files, join(output, `changes-${offers}.csv`));
  const { peakBytes, wallSeconds } = await measure(program);
  await checkPriceChanges(program.output, listings);
  if (!values.keep) rmSync(files.folder, { recursive: true, force: true });
  const name = `${offers.toLocaleString('en-US')} offers`;
  return [
    { name: `${name}, peak memory`, spread: once(peakBytes / 1e6), unit: 'MB', goal: { atMost: 400 } },
    { name: `${name}, wall`, spread: once(wallSeconds), unit: 's' },
  ];
}

function once(figure: number): Line['spread'] {
  return { min: figure, median: figure, max: figure };
}
