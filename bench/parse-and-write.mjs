/**
 * The yardstick for `pricewright reprice`: reads the same CSV files and writes them again, and does nothing else.
 * Streams from end to end as the csv project's manual shows it, with rows as arrays, its fastest form.
 *
 *   node bench/parse-and-write.mjs OUT_FOLDER FILE...
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify';

const [folder, ...files] = process.argv.slice(2);
for (const file of files) {
  await pipeline(
    createReadStream(file),
    parse({ bom: true }),
    stringify(),
    createWriteStream(join(folder, basename(file))),
  );
}
