import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { OUR_SELLER, SHOP_NOW, type ShopFiles } from './shop-files.ts';
import type { Program } from './whole-process.ts';

/** Everything the benchmarks write. */
export const BENCH_CACHE = join(import.meta.dirname, '../.cache/bench');

/** `pricewright reprice` over all files of a shop; bundled anew, for what is measured is today's source. */
export async function repriceProgram(files: ShopFiles, output: string): Promise<Program> {
  const { listings, skus, offers, rules, tiers, fees } = files;
  return {
    name: 'pricewright reprice',
    args: [
      await bundle('src/reprice.ts'),
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
