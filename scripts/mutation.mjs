import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { Workbench } from './mutation-workbench.mjs';

/**
 * Mutation testing of src/domain: breaks the code in one small way at a time and sees whether a test
 * notices. Works on copies; the repository is never touched.
 *
 *   node scripts/mutation.mjs                    all of src/domain
 *   node scripts/mutation.mjs legal-set reach    some files
 *
 * MUTATION_WORKERS files are broken at once (1). Prints every survivor and a table; fails below 90%.
 */
const ENOUGH = 0.9;
const WORKERS = Number(process.env.MUTATION_WORKERS ?? 1);

const wanted = process.argv.slice(2);
const waiting = readdirSync(new URL('../src/domain', import.meta.url))
  .filter((name) => /^[a-z-]+\.ts$/.test(name))
  .filter((name) => wanted.length === 0 || wanted.includes(basename(name, '.ts')));
// Stopped half way, the copies are still cleared away.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const rows = (await Promise.all(Array.from({ length: WORKERS }, work))).flat();
report(rows.toSorted((a, b) => a.file.localeCompare(b.file)));

async function work() {
  const bench = new Workbench();
  process.once('exit', () => bench.close());
  const done = [];
  try {
    await bench.proveTests();
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const row = await bench.testFile(file);
      if (row.mutants > 0) done.push(row);
    }
  } finally {
    bench.close();
  }
  return done;
}

function report(rows) {
  const all = { file: 'all', mutants: 0, killed: 0, endless: 0, survivors: [] };
  console.log(
    '\n| File | Mutants | Killed | Endless | Survived | Noticed |\n| --- | ---: | ---: | ---: | ---: | ---: |',
  );
  for (const row of rows) {
    console.log(line(row));
    for (const count of ['mutants', 'killed', 'endless']) all[count] += row[count];
    all.survivors.push(...row.survivors);
  }
  console.log(line(all));
  if (noticed(all) < ENOUGH) process.exitCode = 1;
}

function noticed({ mutants, killed, endless }) {
  return (killed + endless) / mutants;
}

function line(row) {
  const { file, mutants, killed, endless, survivors } = row;
  const share = (noticed(row) * 100).toFixed(1);
  return `| ${file} | ${mutants} | ${killed} | ${endless} | ${survivors.length} | ${share}% |`;
}
