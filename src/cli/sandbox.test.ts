import { expect, test } from 'vitest';
import { SANDBOX_USAGE, type SandboxRequest, sandboxCommand } from './sandbox.ts';

async function run(argv: readonly string[], failure?: Error) {
  const out: string[] = [];
  const err: string[] = [];
  const started: SandboxRequest[] = [];
  let closed = 0;
  const code = await sandboxCommand(
    argv,
    { out: (line) => out.push(line), err: (line) => err.push(line) },
    {
      start: async (request) => {
        if (failure !== undefined) throw failure;
        started.push(request);
        const credentials = { clientId: 'c-1', clientSecret: 's-1' };
        const services = [{ name: 'walmart', address: 'http://127.0.0.1:5050/walmart', credentials }];
        return { url: 'http://127.0.0.1:5050', services, close: async () => void closed++ };
      },
      stopped: async () => undefined,
    },
  );
  return { code, out: out.join('\n'), err: err.join('\n'), started, closed };
}

test('says where it answers, what to set and what opens it, and ends when asked', async () => {
  const { code, out, started, closed } = await run([]);
  expect(out).toContain('answer at http://127.0.0.1:5050 ');
  expect(out).toContain('PRICEWRIGHT_WALMART_URL=http://127.0.0.1:5050/walmart');
  expect(out).toMatch(/Walmart:\n {2}clientId +c-1\n {2}clientSecret +s-1/);
  expect(started).toEqual([{ port: 5_050, seed: '1', speed: 1 }]);
  expect([code, closed]).toEqual([0, 1]);
});

test('takes a port, a seed and a speed', async () => {
  const { started } = await run(['--speed', '60', '--port', '0', '--seed', '42']);
  expect(started).toEqual([{ port: 0, seed: '42', speed: 60 }]);
});

test.each(
  [['--port', '70000'], ['--speed', '0'], ['--seed', '-1'], ['--seed'], ['--fast', '1']].map((argv) => [
    argv,
  ]),
)('%j is wrong usage', async (argv) => {
  expect(await run(argv)).toMatchObject({ code: 2, err: SANDBOX_USAGE, started: [] });
});

test('--help explains it', async () => {
  expect(await run(['--help'])).toMatchObject({ code: 0, out: SANDBOX_USAGE, started: [] });
});

test('a port that is taken is one sentence', async () => {
  const taken = Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE' });
  const { code, err } = await run(['--port', '80'], taken);
  expect([code, err]).toEqual([1, 'Port 80 is not free. Choose another one with --port.']);
});
