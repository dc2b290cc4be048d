import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { countPlaywright, countVitest, judge, total } from './counts.mjs';
import { checkNode, ensureBuilt, ensureInstalled } from './ensure.mjs';
import { findPostgres, startCluster } from './postgres.mjs';
import { main, PlainError, root, run, stopRunning, whenNpmIsGone } from './project.mjs';
import { chosenStages, STAGES } from './stages.mjs';

/** The longest stage takes ten minutes on two cores that do nothing else; a run that hangs must end and say where. */
const STAGE_LIMIT_MS = 30 * 60_000;
const REPORTS = path.join(root, '.cache/reports');

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
  const { DATABASE_URL, PRICEWRIGHT_DATA, NODE_ENV, ...rest } = process.env;
  return { ...rest, ...more };
}

function tool(name, args, env = testEnv()) {
  return run(path.join(root, 'node_modules/.bin', name), args, { env, timeout: STAGE_LIMIT_MS });
}

async function check(name, args) {
  const { code, error } = await tool(name, args);
  return code === 0 ? good : bad(error);
}

/**
 * Whatever waits for a process, a socket or a screen is tried a second time before it stops everybody: one of ten
 * thousand that lost a race on a busy machine. It is named at the end all the same, for somebody to look into.
 */
const TRIED_AGAIN = 1;

async function vitest(project, env) {
  const report = freshReport(`${env ? 'postgres' : project}.json`);
  const args = [
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    // The pure rules have nothing to wait for.
    `--retry=${project === 'domain' ? 0 : TRIED_AGAIN}`,
  ];
  const { code } = await tool('vitest', [...args, '--passWithNoTests=false', '--allowOnly=false'], env);
  return judge(counted(report, countVitest), code);
}

async function e2e(results) {
  if (results.build?.failed) return bad('not run, since the build failed');
  await ensureBuilt();
  const report = freshReport('e2e.json');
  const browser = { PRICEWRIGHT_CHROMIUM: await ensureChromium(), PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const { code } = await tool(
    'playwright',
    ['test', '--reporter=list,json', '--forbid-only', `--retries=${TRIED_AGAIN}`],
    testEnv(browser),
  );
  return judge(counted(report, countPlaywright), code);
}

async function postgres() {
  const found = findPostgres();
  if (found === null)
    return leftOut('there is no PostgreSQL 15 or newer on this machine to try besides our own.');
  console.log(`PostgreSQL ${found.version} of ${found.bin}`);
  cluster = startCluster(found.bin);
  try {
    return await vitest('db', testEnv({ DATABASE_URL: cluster.url }));
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
  lint: () => check('biome', ['check', '.']),
  types: () => check('tsc', ['-b']),
  unused: () => check('knip', []),
  domain: () => vitest('domain'),
  node: () => vitest('node'),
  db: () => vitest('db'),
  web: () => vitest('web'),
  build: () => ensureBuilt().then(() => check('tsx', ['bench/web-sizes.ts'])),
  e2e,
  postgres,
};

/** A stage that fails, even by surprise, never keeps the later ones from running. */
async function runStage(name, results) {
  console.log(`\n== ${name}: ${STAGES.find((stage) => stage.name === name).what}`);
  const begin = performance.now();
  const result = await WORK[name](results).catch((error) => {
    if (!(error instanceof PlainError)) console.log(error.stack);
    return bad(error.message);
  });
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  console.log(`-- ${name}: ${summary(result)} (${seconds} s)`);
  return result;
}

function summary({ passed, failed, skipped, note, shaky = [] }) {
  const leftOutToo = skipped > 0 ? `, ${skipped} left out` : '';
  const shakyToo = shaky.length > 0 ? `, ${shaky.length} shaky` : '';
  const counts = `${passed} passed, ${failed} failed${leftOutToo}${shakyToo}`;
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

await main(async () => {
  const names = chosenStages(process.argv.slice(2));
  checkNode();
  await ensureInstalled();
  cleanUpWhenStopped();
  const results = {};
  for (const name of names) results[name] = await runStage(name, results);
  console.log('');
  for (const name of names) console.log(`${name.padEnd(10)}${summary(results[name])}`);
  // Once more at the end, since the place where they failed is far above.
  for (const name of names) {
    for (const shaky of results[name].shaky ?? [])
      console.log(`SHAKY in ${name}, passed at the second try: ${shaky}`);
    for (const failure of results[name].failures ?? []) console.log(`FAILED in ${name}: ${failure}`);
  }
  const { passed, failed } = total(Object.values(results));
  if (failed > 0 || passed === 0) process.exitCode = 1;
  console.log(`${passed} passed, ${failed} failed`);
});
