import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test.each(['decide.ts', 'lines.ts'])(
  'the engines we compare with in %s reach the same prices as decide()',
  async (name) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...['--import', 'tsx', join(import.meta.dirname, '../../bench', name), '--check', '--listings', '500'],
    ]);
    const counted = /same price on (\d+) of 500 listings/.exec(stdout)?.[1];
    expect(Number(counted)).toBeGreaterThanOrEqual(200);
  },
);
