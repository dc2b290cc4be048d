import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { OUR_SELLER, SHOP_NOW, type ShopFiles } from './shop-files.ts';
import type { Program } from './whole-process.ts';

const ROOT = join(import.meta.dirname, '..');
/** Everything the benchmarks write. */
export const BENCH_CACHE = join(ROOT, '.cache/bench');

/**
 * `pricewright reprice` over all files of a shop, as a user starts it.
 * @throws Error when the program was not built
 */
export function repriceProgram(files: ShopFiles, output: string): Program {
  if (!existsSync(join(ROOT, 'dist/server/reprice.js'))) {
    throw new Error('dist/server/reprice.js is missing: run "npm run build" first.');
  }
  const { listings, skus, offers, rules, tiers, fees } = files;
  return {
    name: 'pricewright reprice',
    args: [
      join(ROOT, 'bin/pricewright.mjs'),
      'reprice',
      ...['--listings', listings, '--skus', skus, '--offers', offers],
      ...['--rules', rules, '--tiers', tiers, '--fees', fees],
      ...['--seller', OUR_SELLER, '--now', SHOP_NOW],
    ],
    output,
  };
}

/** What a run of `reprice` wrote. */
export interface Written {
  readonly rows: number;
  readonly sha256: string;
}

/**
 * Reads the price changes again.
 * @throws Error unless there is one row per listing and prices did change
 */
export async function checkPriceChanges(path: string, listings: number): Promise<Written> {
  const hash = createHash('sha256');
  let rows = -1;
  let changes = 0;
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8')) {
    hash.update(chunk);
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    rows += lines.length;
    for (const line of lines) if (line.includes(',change,')) changes += 1;
  }
  if (rows !== listings || changes < listings / 10) {
    throw new Error(
      `${path} has ${rows} rows with ${changes} changes for ${listings} listings: not a result to time.`,
    );
  }
  return { rows, sha256: hash.digest('hex') };
}
