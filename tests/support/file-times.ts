import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';

/** Where `npm test` wants a line for each file; not set when Vitest is run by hand. */
const REPORT = process.env.PRICEWRIGHT_TEST_TIMES;

/** Seconds of processor of this worker and of the programs that it waited for. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000 + childrenSeconds();
}

/** Linux alone reports them of a process that still runs. */
function childrenSeconds(): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const numbers = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(numbers[13]) + Number(numbers[14])) / 100;
}

// Around everything else of a file. What it imports is not counted: the first file of a worker loads it for all.
if (REPORT !== undefined) {
  let processor = 0;
  let wall = 0;
  beforeAll(() => {
    processor = processorSeconds();
    wall = performance.now();
  });
  afterAll(() => {
    const file = relative(process.cwd(), expect.getState().testPath ?? '');
    const took = { processor: processorSeconds() - processor, wall: (performance.now() - wall) / 1_000 };
    appendFileSync(REPORT, `${JSON.stringify({ file, ...took })}\n`);
  });
}
