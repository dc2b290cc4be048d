import { type RunningSandbox, type SandboxRequest, sandboxCommand } from '#cli/sandbox.ts';
import { hours, instant } from '#domain/units.ts';
import { createLogger } from '#server/logger.ts';
import { now } from './running-program.ts';
import { stopRequest } from './stop-request.ts';

/** How long the store has been selling at the start. */
const PAST = hours(30 * 24);

/** `sandbox ...`: simulated marketplaces, without a database and without the settings of a server. */
export async function sandbox(argv: readonly string[]): Promise<number> {
  return sandboxCommand(
    argv,
    { out: console.log, err: console.error },
    { start, stopped: () => stopRequest(createLogger('warn')).promise },
  );
}

/** Loaded only here: no server of the product ever does. */
async function start({ port, seed, speed }: SandboxRequest): Promise<RunningSandbox> {
  const { startSandbox } = await import('#sandbox/server.ts');
  const { createWorld } = await import('#sandbox/world/world.ts');
  const { sampleWorld } = await import('#sandbox/world/sample-world.ts');
  const startedAt = now();
  const world = createWorld(sampleWorld(seed, instant(startedAt - PAST)));
  const worldNow = () => instant(startedAt + (now() - startedAt) * speed);
  world.advance(startedAt);
  const { url, services, close } = await startSandbox({ world, port, now: worldNow, keepsLimits: true });
  return { url, services, close };
}
