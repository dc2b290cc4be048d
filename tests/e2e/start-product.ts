import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { newScratchFolder } from '#tests/support/scratch-folder.ts';

/** A limit, not a wait: filling the sample store takes half a minute on a machine that does nothing else. */
const START_LIMIT = 300_000;

/** Filling the sample store makes much that is thrown away at once: sweeping it less often saves a tenth of the time. */
const LARGE_YOUNG_MEMORY = '--max-semi-space-size=64';

export interface RunningProduct {
  readonly url: string;
  readonly dataDir: string;
  /** Stops it and deletes its data. */
  stop(): Promise<void>;
}

/**
 * Starts the built product on a free port, with an empty data folder of its own.
 * @param args of the program: `--demo` starts it with sample data
 * @throws Error with its output, when it is not ready within five minutes
 */
export async function startProduct(args: readonly string[] = []): Promise<RunningProduct> {
  // Traversable by other users, or root's database would go to /var/lib/pricewright and outlive the folder.
  const data = await newScratchFolder('e2e');
  const port = await freePort();
  const server = spawn(process.execPath, [LARGE_YOUNG_MEMORY, 'dist/server/main.js', ...args], {
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: String(port),
      PRICEWRIGHT_DATA: data,
      DATABASE_URL: undefined,
      DATABASE_OWNER_URL: undefined,
      PUBLIC_URL: undefined,
      SMTP_URL: undefined,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collectOutput(server);
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(url, server, output);
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM');
    if (server.exitCode === null) await once(server, 'exit');
    await rm(data, { recursive: true, force: true });
  };
  return { url, dataDir: data, stop };
}

async function waitUntilReady(url: string, server: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + START_LIMIT;
  while (Date.now() < deadline && server.exitCode === null) {
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await pause(100);
  }
  server.kill('SIGKILL');
  throw new Error(`The product did not start (npm run build first?). It said:\n${output()}`);
}

function collectOutput(server: ChildProcess): () => string {
  let text = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  return () => text;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
