import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { main, PlainError, root } from './project.mjs';
import { budgetsFrom } from './times.mjs';

/**
 * Writes tests/budgets.json from what the files of the last `npm test` took: `npm run test:budgets`. A run on a busy
 * or slow machine is brought to the sums of stages that the file has: `npm run test:budgets -- --scaled`.
 */
const TIMES = path.join(root, '.cache/reports/times.json');
const BUDGETS = path.join(root, 'tests/budgets.json');

await main(async () => {
  const args = process.argv.slice(2);
  if (args.some((arg) => arg !== '--scaled') || args.length > 1)
    throw new PlainError('Usage: npm run test:budgets [-- --scaled]');
  if (!existsSync(TIMES))
    throw new PlainError('There are no times yet: run npm test first, without --all, and then this again.');
  const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
  const [times, before] = [read(TIMES), read(BUDGETS)];
  const missing = Object.keys(before.stages).filter((stage) => !(stage in times));
  if (missing.length > 0)
    throw new PlainError(
      `The last npm test had no times of ${missing.join(', ')}: run it whole, and then this again.`,
    );
  const budgets = budgetsFrom(times, before, args.length === 1);
  writeFileSync(BUDGETS, `${JSON.stringify(budgets, null, 2)}\n`);
  const own = Object.values(budgets.files).reduce((count, files) => count + Object.keys(files).length, 0);
  console.log(`${own} files have a budget of their own, all others ${budgets.default} s.`);
});
