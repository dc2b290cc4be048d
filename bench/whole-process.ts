import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A program to measure from its start to its end, with its output in files. */
export interface Program {
  readonly name: string;
  /** What follows `node`. */
  readonly args: readonly string[];
  /** Where standard output goes; standard error goes next to it. */
  readonly output: string;
}

export interface Usage {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly peakBytes: number;
}

const METER = join(import.meta.dirname, 'usage.mjs');

/**
 * Runs a program once.
 * @throws Error with the end of its standard error when it fails
 */
export async function measure({ name, args, output }: Program): Promise<Usage> {
  const errors = `${output}.stderr`;
  const usageFile = `${output}.usage`;
  rmSync(usageFile, { force: true });
  const [out, err] = [openSync(output, 'w'), openSync(errors, 'w')];
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', METER, ...args], {
    stdio: ['ignore', out, err],
    env: { ...process.env, BENCH_USAGE_FILE: usageFile },
  });
  const ended = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) =>
      resolve(code === 0 ? 'well' : `with ${signal ?? `exit code ${code}`}`),
    );
  });
  const wallSeconds = (performance.now() - started) / 1_000;
  closeSync(out);
  closeSync(err);
  if (ended !== 'well') {
    throw new Error(`${name} ended ${ended}: ${readFileSync(errors, 'utf8').slice(-2_000)}`);
  }
  return { wallSeconds, ...JSON.parse(readFileSync(usageFile, 'utf8')) };
}
