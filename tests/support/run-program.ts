import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inject } from 'vitest';

/** How a command ended. */
export interface EndedProgram {
  readonly code: number | null;
  /** Both outputs. */
  readonly text: string;
}

/** Runs a command of the built program to its end, with these variables alone. */
export async function runProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<EndedProgram> {
  const child = spawn(process.execPath, [join(inject('testPrograms'), 'main.js'), ...args], {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
  const [code] = await once(child, 'close');
  return { code, text };
}
