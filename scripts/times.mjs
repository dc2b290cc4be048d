import { readFileSync } from 'node:fs';

/** How long a file may take beyond its budget: twice in processor time; the clock also runs for what is beside it. */
const OVER = { processor: 2, clock: 4 };
const SLOWEST = 20;

/**
 * Seconds of processor that this process and all it has waited for have taken, or null where the system does not say.
 * @param stat the line of /proc/PID/stat
 */
export function processorSeconds(stat = ownStat()) {
  if (stat === null) return null;
  // The name of the program, in brackets, may have blanks. Hundredths of a second: ours, then the children's.
  const numbers = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15);
  return numbers.reduce((sum, text) => sum + Number(text), 0) / 100;
}

function ownStat() {
  return process.platform === 'linux' ? readFileSync('/proc/self/stat', 'utf8') : null;
}

/** The lines that tests/support/file-times.ts wrote: { file, processor, wall }, in seconds. */
export function readTimes(text) {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/**
 * The usual breadth of `npm test` takes so many minutes of processor on a usual machine (tests/budgets.json); the slowest
 * machine that it was run on took 2.4 times as long, and a slow machine alone must fail no run. Beyond this, it is the tests.
 */
const OVER_ALL = 5;

/** @returns what to say where a whole run took too long, else nothing */
export function overAll(minutes, budgets) {
  if (minutes === null || minutes <= OVER_ALL * budgets.minutes) return [];
  return [
    `all of it took ${minutes.toFixed(1)} minutes of processor, ${OVER_ALL} times its budget of ${budgets.minutes} minutes and more: files that became slower together show in the sums of the stages`,
  ];
}

/** How long each stage's files took together, and what is usual, as one line to print. */
export function stageSums(stages, budgets) {
  const sums = stages.map(([stage, times]) => {
    const sum = sumOf(times);
    return `${stage} ${sum.toFixed(0)} s (${budgets.stages[stage]} s)`;
  });
  return `Sum of the files of a stage (and what is usual): ${sums.join(', ')}`;
}

/** What a file is judged by: its processor time, or the clock where a browser does the work. */
const spent = ({ processor, wall }) => processor ?? wall;
const sumOf = (times) => times.reduce((seconds, time) => seconds + spent(time), 0);

/** The slowest files as lines to print, those that took most first. */
export function slowest(times) {
  return times
    .toSorted((a, b) => spent(b) - spent(a))
    .slice(0, SLOWEST)
    .map(({ file, processor, wall }) => `${column(processor)} ${column(wall)}  ${file}`);
}

const column = (seconds) => (seconds === null ? '-' : `${seconds.toFixed(1)} s`).padStart(9);

/** Seconds that every file may take: what a worker does once, in its first file, can be as much. */
const FLOOR = 1.5;

/**
 * The budgets that a run of all stages in the usual breadth gives: what each file took, where that is more than the
 * common one.
 * @param stages { [stage]: times }, see `overBudget`
 * @param before the budgets so far
 * @param isScaled the machine was slower than usual, or busy: the times of a stage are divided by how much longer it took
 */
export function budgetsFrom(stages, before, isScaled) {
  const budgets = { minutes: before.minutes, default: FLOOR, files: {}, stages: {} };
  for (const [stage, times] of Object.entries(stages)) {
    const sum = sumOf(times);
    const usual = before.stages[stage] ?? sum;
    const slowness = isScaled ? Math.max(1, sum / usual) : 1;
    budgets.stages[stage] = Math.round(sum / slowness);
    const files = times.map((time) => [time.file, Math.ceil((spent(time) / slowness) * 10) / 10]);
    const own = files.filter(([, seconds]) => seconds > FLOOR).toSorted(([a], [b]) => (a < b ? -1 : 1));
    budgets.files[stage] = Object.fromEntries(own);
  }
  return budgets;
}

/**
 * Files of one stage that took more than twice their budget. A budget is seconds on a usual machine: where the whole stage
 * takes longer than usual, the machine is slower, or something runs beside it, and every budget grows by as much. The file
 * that is judged does not count in that.
 * @param stage the name of the stage
 * @param times { file, processor, wall } in seconds; processor is null where only the clock is known
 * @param budgets { default, files: { [stage]: { [file]: seconds } }, stages: { [stage]: usual sum of seconds of its files } }
 * @returns { file, text }, the text to print
 */
export function overBudget(stage, times, budgets) {
  const sum = sumOf(times);
  return times.flatMap((time) => {
    const { file, processor } = time;
    const took = spent(time);
    const slowness = Math.max(1, (sum - took) / budgets.stages[stage]);
    const budget = budgets.files[stage]?.[file] ?? budgets.default;
    const by = processor === null ? 'clock' : 'processor';
    if (took <= OVER[by] * budget * slowness) return [];
    const unit = processor === null ? 's by the clock' : 's of processor';
    const machine = slowness === 1 ? '' : ` on a machine ${slowness.toFixed(1)} times as slow as usual`;
    const text = `${file} took ${took.toFixed(1)} ${unit}${machine}, ${OVER[by]} times its budget of ${budget} s and more: make it quicker, or measure again: npm run test:budgets`;
    return [{ file, text }];
  });
}

/**
 * Times in which those that were measured again are the shorter of both. Files share a worker, and what that does now and
 * then, such as optimizing code or sweeping the memory of all files before, counts for the file that runs then.
 * @param again of some of the files, each in a worker of its own
 */
export function shorterOf(times, again) {
  return times.map((time) => {
    const other = again.find(({ file }) => file === time.file);
    return other !== undefined && spent(other) < spent(time) ? other : time;
  });
}
