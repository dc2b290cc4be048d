/**
 * What policies earn in simulated markets, as a share of the most that could have been earned.
 *
 *   npm run bench:market                        20 seeds of every world
 *   npm run bench:market -- --seeds 2           a check that all of it works
 *   npm run bench:market -- --world dumpers     one world, by name; more with `--world` again
 *   npm run bench:market -- --policy Match      one policy, by name; more with `--policy` again
 *   npm run bench:market -- --first 1001        other seeds, to tune with
 *   npm run bench:market -- --lines rules.json  also rules of your own: an object with the lines of each by its name
 *   npm run bench:market -- --out result.json   also every figure of every market
 *   npm run bench:market -- --measured bench/market/measured.json
 *                                               also what the project keeps of a run: its pages and templates say the same
 *
 * Markets do not depend on each other: every core works on some of them.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { RULE_TEMPLATES } from '#domain/lines/templates.ts';
import { bundle } from './bundle.ts';
import { measuredOf, printReport, reportOf } from './market/report.ts';
import type { MarketResult } from './market/shares.ts';
import { WORLDS } from './market/worlds.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    first: { type: 'string', default: '1' },
    world: { type: 'string', multiple: true },
    policy: { type: 'string', multiple: true },
    lines: { type: 'string' },
    out: { type: 'string' },
    measured: { type: 'string' },
    cores: { type: 'string', default: String(availableParallelism()) },
  },
});

const worlds = WORLDS.filter(({ name }) => values.world === undefined || values.world.includes(name));
const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => Number(values.first) + index);
const cores = Number(values.cores);
if (worlds.length === 0) {
  console.error(
    `No world is called ${values.world?.join(', ')}. There are: ${WORLDS.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}
if (![seeds.length, seeds[0], cores].every((count) => Number.isInteger(count) && Number(count) > 0)) {
  console.error('--seeds, --first and --cores are whole numbers from 1.');
  process.exit(2);
}

const rules: Readonly<Record<string, string>> =
  values.lines === undefined ? {} : JSON.parse(await readFile(values.lines, 'utf8'));
const program = await bundle('bench/market-worker.ts');
const jobs = worlds.flatMap(({ name }) => seeds.map((seed) => ({ world: name, seed })));
const shares = Array.from({ length: cores }, (_, core) => jobs.filter((_, index) => index % cores === core));
const results = (await Promise.all(shares.map(worked))).flat();
const report = reportOf(
  jobs.flatMap(({ world, seed }) => {
    const found = results.find((result) => result?.world === world && result.seed === seed) ?? null;
    if (found === null) console.log(`No policy earns anything in ${world}, seed ${seed}: skipped.`);
    return found ?? [];
  }),
);
printReport(report);
if (values.policy !== undefined)
  console.log(
    '\nThe bound is the best of the policies that ran: shares are higher than in a run with all policies, and not comparable with it.',
  );
if (values.measured !== undefined) {
  const templates = Object.fromEntries(RULE_TEMPLATES.map(({ name, lines }) => [name, lines]));
  const measured = measuredOf(report, { ...templates, ...rules }, ['Beat by $0.01', 'Beat by $1.00']);
  await writeFile(values.measured, `${JSON.stringify(measured, null, 2)}\n`);
}
if (values.out !== undefined) await writeFile(values.out, `${JSON.stringify(report, null, 1)}\n`);

function worked(
  share: readonly { readonly world: string; readonly seed: number }[],
): Promise<(MarketResult | null)[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(program, { workerData: { jobs: share, rules, only: values.policy ?? null } });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}
