import { readFileSync } from 'node:fs';

/** How long a file may take beyond its budget. */
const OVER = 2;
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

/** The slowest files as lines to print, those that took most processor first. */
export function slowest(times) {
  return times
    .toSorted((a, b) => b.processor - a.processor)
    .slice(0, SLOWEST)
    .map(
      ({ file, processor, wall }) =>
        `${processor.toFixed(1).padStart(7)} s ${wall.toFixed(1).padStart(7)} s  ${file}`,
    );
}

/**
 * Files of one stage that took more than twice their budget. A budget is seconds of processor on a usual machine: where
 * the whole stage takes longer than usual, the machine is slower, or something runs beside it, and every budget grows
 * by as much. The file that is judged does not count in that.
 * @param stage the name of the stage
 * @param budgets { default, files: { [file]: seconds }, stages: { [stage]: usual sum of seconds of its files } }
 */
export function overBudget(stage, times, budgets) {
  const sum = times.reduce((seconds, { processor }) => seconds + processor, 0);
  return times.flatMap(({ file, processor }) => {
    const slowness = Math.max(1, (sum - processor) / budgets.stages[stage]);
    const budget = budgets.files[file] ?? budgets.default;
    if (processor <= OVER * budget * slowness) return [];
    const machine = slowness === 1 ? '' : ` on a machine ${slowness.toFixed(1)} times as slow as usual`;
    return [
      `${file} took ${processor.toFixed(1)} s of processor${machine}, twice its budget of ${budget} s and more: make it quicker, or raise its budget in tests/budgets.json`,
    ];
  });
}
