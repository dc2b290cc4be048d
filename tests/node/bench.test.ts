import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const DECIDE = join(import.meta.dirname, '../../bench/decide.ts');

test('the engines we compare with reach the same prices as decide()', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['--import', 'tsx', DECIDE, '--check', '--listings', '500'],
  ]);

  const counted = /same price on (\d+) of 500 listings/.exec(stdout)?.[1];
  expect(Number(counted)).toBeGreaterThanOrEqual(200);
});
