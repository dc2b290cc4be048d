import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { countPlaywright, countVitest, judge, shakyCount, total } from './counts.mjs';
import { checkNode, ensureBuilt, ensureInstalled } from './ensure.mjs';
import { findPostgres, startCluster } from './postgres.mjs';
import { main, PlainError, root, run, stopRunning, whenNpmIsGone } from './project.mjs';
import { chosenStages, inLanes, STAGES } from './stages.mjs';
import { overAll, overBudget, processorSeconds, readTimes, shorterOf, slowest, stageSums } from './times.mjs';

/**
 * The longest stage takes minutes on two cores that do nothing else, and several times as long in its whole breadth or
 * beside other work. A run that hangs must end and say where.
 */
const STAGE_LIMIT_MS = { usual: 30 * 60_000, all: 90 * 60_000 };
/** Two products, browsers and their databases beside another stage on two cores. No other stage tries a test again. */
const E2E_RETRIES = 1;
const REPORTS = path.join(root, '.cache/reports');
/** Two cores are what the run is made for: two stages at a time, each with one worker but the last. */
const LANES = 2;

const good = { passed: 1, failed: 0, skipped: 0, note: null };
const bad = (note) => ({ passed: 0, failed: 1, skipped: 0, note });
const leftOut = (note) => ({ passed: 0, failed: 0, skipped: 0, note: `SKIPPED: ${note}` });

/** Undone when the run is interrupted. */
let cluster = null;

/**
 * Tests get a database of their own and nothing that points at a real one, whatever the shell has set;
 * NODE_ENV=production would load a React that tests cannot drive.
 */
function testEnv(more = {}) {
  const { DATABASE_URL, DATABASE_OWNER_URL, PRICEWRIGHT_DATA, PRICEWRIGHT_TEST_ALL, NODE_ENV, ...rest } =
    process.env;
  return { ...rest, ...more };
}

/**
 * One program of a stage. Beside another stage its output is kept until it ends and then shown whole.
 * @param stage { name, output, isAlone, isLast, isAll }
 */
async function tool({ isAlone, isAll, output }, name, args, env = testEnv()) {
  const options = { env, timeout: isAll ? STAGE_LIMIT_MS.all : STAGE_LIMIT_MS.usual, capture: !isAlone };
  const ended = await run(path.join(root, 'node_modules/.bin', name), args, options);
  output.push(ended.output);
  return ended;
}

async function check(stage, name, args, env) {
  const { code, error } = await tool(stage, name, args, testEnv(env));
  return code === 0 ? good : bad(error);
}

async function vitest(stage, project, more = {}) {
  const report = freshReport(`${stage.name}.json`);
  const times = freshReport(`${stage.name}-times.jsonl`);
  const args = [
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    '--retry=0',
    '--passWithNoTests=false',
    '--allowOnly=false',
  ];
  const env = testEnv({
    ...more,
    ...breadth(stage),
    PRICEWRIGHT_TEST_TIMES: times,
    // Not as an option: projects do not get that one. A third worker on two cores makes all of them slower.
    VITEST_MAX_WORKERS: String(stage.isLast ? LANES : 1),
  });
  const { code } = await tool(stage, 'vitest', args, env);
  return { ...judge(counted(report, countVitest), code), times: timesIn(times) };
}

const breadth = ({ isAll }) => (isAll ? { PRICEWRIGHT_TEST_ALL: '1' } : {});

/** Of Vitest's files, each in a worker of its own; one that fails this time is not measured. */
async function timesAlone(stage, files) {
  const again = [];
  for (const file of files) {
    const times = freshReport(`${stage}-again.jsonl`);
    const env = testEnv({ PRICEWRIGHT_TEST_TIMES: times, VITEST_MAX_WORKERS: '1' });
    const how = { isAlone: true, isAll: false, output: [] };
    const { code } = await tool(how, 'vitest', ['run', '--project', stage, '--retry=0', file], env);
    if (code === 0) again.push(...timesIn(times));
  }
  return again;
}

function timesIn(file) {
  return existsSync(file) ? readTimes(readFileSync(file, 'utf8')) : [];
}

async function e2e(stage, results) {
  if (results.build?.failed) return bad('not run, since the build failed');
  await ensureBuilt();
  const report = freshReport('e2e.json');
  const browser = { PRICEWRIGHT_CHROMIUM: await ensureChromium(), PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const args = ['test', '--reporter=list,json', '--forbid-only', `--retries=${E2E_RETRIES}`];
  const { code } = await tool(stage, 'playwright', args, testEnv({ ...browser, ...breadth(stage) }));
  return judge(counted(report, countPlaywright), code);
}

async function postgres(stage) {
  const found = findPostgres();
  if (found === null)
    return leftOut('there is no PostgreSQL 15 or newer on this machine to try besides our own.');
  console.log(`-- postgres: PostgreSQL ${found.version} of ${found.bin}`);
  cluster = startCluster(found.bin);
  try {
    return await vitest(stage, 'db', { DATABASE_URL: cluster.url });
  } finally {
    cluster.stop();
    cluster = null;
  }
}

function freshReport(name) {
  mkdirSync(REPORTS, { recursive: true });
  const file = path.join(REPORTS, name);
  rmSync(file, { force: true });
  return file;
}

/** The counts of a report, or null when the runner did not live to write one. */
function counted(report, count) {
  try {
    return count(JSON.parse(readFileSync(report, 'utf8')));
  } catch (error) {
    console.log(`No report: ${error.message}`);
    return null;
  }
}

const WORK = {
  lint: (stage) => check(stage, 'biome', ['check', '.']),
  // Several checkers of a project each find out again what the others know; several projects at a time take more memory,
  // which the compiler, a Go program, shall rather sweep less often: a fifth of its time.
  types: (stage) => check(stage, 'tsc', ['-b', '--checkers', '1', '--builders', '1'], { GOGC: '400' }),
  unused: (stage) => check(stage, 'knip', []),
  domain: (stage) => vitest(stage, 'domain'),
  node: (stage) => vitest(stage, 'node'),
  db: (stage) => vitest(stage, 'db'),
  web: (stage) => vitest(stage, 'web'),
  build: (stage) => ensureBuilt().then(() => check(stage, 'tsx', ['bench/web-sizes.ts'])),
  e2e,
  postgres,
};

/** A stage that fails, even by surprise, never keeps the later ones from running. */
async function runStage({ name, what }, results, how) {
  console.log(`== ${name}: ${what}`);
  const begin = performance.now();
  const output = [];
  const result = await WORK[name]({ name, output, ...how }, results).catch((error) => {
    if (!(error instanceof PlainError)) console.log(error.stack);
    return bad(error.message);
  });
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  process.stdout.write(output.join(''));
  console.log(`-- ${name}: ${summary(result)} (${seconds} s)\n`);
  return result;
}

function summary({ passed, failed, skipped, note }) {
  const leftOutToo = skipped > 0 ? `, ${skipped} left out` : '';
  const counts = `${passed} passed, ${failed} failed${leftOutToo}`;
  return note === null ? counts : `${counts}: ${note}`;
}

/** Ctrl+C reaches the stage's programs by itself; every other end of ours has to be handed down to them. */
function cleanUpWhenStopped() {
  process.once('SIGINT', () => stopNow(130));
  const handDown = () => {
    stopRunning();
    stopNow(143);
  };
  for (const signal of ['SIGTERM', 'SIGHUP']) process.once(signal, handDown);
  whenNpmIsGone(handDown);
}

function stopNow(code) {
  cluster?.stop();
  process.exit(code);
}

/** What took longest, and what took too long: only a run of the usual breadth is held to the budgets. */
async function tellTimes(results, isAll) {
  const stages = Object.entries(results)
    .filter(([, { times }]) => times?.length > 0)
    .map(([stage, { times }]) => [stage, times]);
  if (stages.length === 0) return [];
  console.log('Slowest test files, processor and clock:');
  for (const line of slowest(stages.flatMap(([, times]) => times))) console.log(line);
  if (isAll) return [];
  writeFileSync(path.join(REPORTS, 'times.json'), JSON.stringify(Object.fromEntries(stages)));
  const budgets = JSON.parse(readFileSync(path.join(root, 'tests/budgets.json'), 'utf8'));
  console.log(stageSums(stages, budgets));
  // Before more is measured.
  const late = overAll(processorMinutes(), budgets);
  for (const [stage, times] of stages) late.push(...(await overStage(stage, times, budgets)));
  return late;
}

/** A file is too slow where it is so alone, too; with a browser there is one way to measure. */
async function overStage(stage, times, budgets) {
  let over = overBudget(stage, times, budgets);
  if (over.length > 0 && stage !== 'e2e') {
    console.log(`Measured again, each alone: ${over.map(({ file }) => file).join(', ')}`);
    const again = await timesAlone(
      stage,
      over.map(({ file }) => file),
    );
    over = overBudget(stage, shorterOf(times, again), budgets);
  }
  return over.map(({ text }) => text);
}

function processorMinutes() {
  const seconds = processorSeconds();
  return seconds === null ? null : seconds / 60;
}

await main(async () => {
  const { isAll, stages } = chosenStages(process.argv.slice(2));
  checkNode();
  await ensureInstalled();
  cleanUpWhenStopped();
  const begin = performance.now();
  const how = { isAll, isAlone: stages.length === 1 };
  const results = await inLanes(stages, LANES, (stage, done, isLast) =>
    runStage(stage, done, { ...how, isLast }),
  );
  const late = await tellTimes(results, isAll);
  console.log('');
  const names = STAGES.map(({ name }) => name).filter((name) => name in results);
  for (const name of names) console.log(`${name.padEnd(10)}${summary(results[name])}`);
  // Once more at the end, since the place where they failed is far above.
  for (const name of names) {
    for (const shaky of results[name].shaky ?? [])
      console.log(`SHAKY in ${name}, passed at the second try: ${shaky}`);
    for (const failure of results[name].failures ?? []) console.log(`FAILED in ${name}: ${failure}`);
  }
  for (const failure of late) console.log(`TOO SLOW: ${failure}`);
  const minutes = ((performance.now() - begin) / 60_000).toFixed(1);
  const processor = processorMinutes();
  const ofProcessor = processor === null ? '' : `, ${processor.toFixed(1)} minutes of processor`;
  console.log(`${minutes} minutes${ofProcessor}`);
  for (const line of shakyCount(Object.values(results))) console.log(line);
  const { passed, failed } = total([...Object.values(results), { passed: 0, failed: late.length }]);
  if (failed > 0 || passed === 0) process.exitCode = 1;
  console.log(`${passed} passed, ${failed} failed`);
});
