import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { LiveEvent } from '#contract/events.ts';
import type { Database } from '#db/client.ts';
import { listen as listenForSignals, type Signal } from '#db/listen.ts';
import { readSchemaVersion } from '#db/queries/background/health.ts';
import type { Queue } from '#db/queue.ts';
import { buildApp } from '#server/app.ts';
import { createLiveStreams } from '#server/live-streams.ts';
import type { Config } from '#src/config.ts';
import { createPasswordHasher } from '#usecases/identity/accounts/password-hasher.ts';
import { backupSetupOf } from './backup.ts';
import type { Services } from './connectors.ts';
import { packageFolder, readRelease } from './release.ts';
import { now, type Running } from './running-program.ts';
import { StartError } from './start-error.ts';
import { homeOf, printBanner } from './startup-banner.ts';

/** Serves browsers until the program ends. */
export async function serve(
  running: Running,
  database: Database,
  url: string,
  queue: Queue,
  services: Services,
  isAccepting: () => boolean,
): Promise<void> {
  const { config, log, tracing, closers } = running;
  const { version, schemaVersion } = await readRelease();
  const webRoot = join(packageFolder(), 'dist', 'web');
  const hasPages = existsSync(join(webRoot, 'index.html'));
  if (!hasPages) log.warn(`no pages in ${webRoot}: run "npm run build"; the API works without them`);
  const { db } = database;
  const liveStreams = createLiveStreams(log);
  const signals = await listenForSignals(url, (signal) => {
    const event = liveEventOf(signal);
    if (event !== null) liveStreams.publish(event);
  });
  closers.push(() => signals.close());
  const { publicUrl, boundToLoopback, trustedProxies, metricsToken, isDemo } = config;
  const { requiresTwoFactor, usesTestAddresses } = config;
  // The system may choose the port, which is known only after listening.
  let home = homeOf(config, `http://${config.host}:${config.port}`);
  const app = await buildApp({
    db,
    queue,
    now,
    sessionClock: () => 'database',
    log,
    ...(tracing === undefined ? {} : { traceRequest: tracing.traceRequest }),
    version,
    isAccepting,
    publicUrl,
    boundToLoopback,
    trustedProxies,
    metricsToken,
    requiresTwoFactor,
    usesTestAddresses,
    isDemo,
    backups: backupSetupOf(config),
    passwords: createPasswordHasher(),
    ...services,
    home: () => home,
    sendsEmail: config.smtpUrl !== null,
    liveStreams,
    isSchemaCurrent: async () => (await readSchemaVersion(db)) === schemaVersion,
    webRoot: hasPages ? webRoot : null,
  });
  closers.push(() => app.close());
  const address = await listen(app, config);
  home = homeOf(config, address);
  await printBanner(config, database, version, address);
}

/** The event for browsers of a signal between processes; null when it concerns none of them. */
function liveEventOf(signal: Signal): LiveEvent | null {
  if (signal.kind === 'resync') return signal;
  const topic = (
    {
      pricewright_listings: 'listings',
      pricewright_engine: 'engine',
      pricewright_jobs: 'jobs',
      pricewright_users: 'users',
      pricewright_alerts: 'alerts',
      pricewright_due: null,
      pricewright_webhooks: null,
    } as const
  )[signal.channel];
  return topic === null ? null : { kind: 'changed', topic, ids: signal.ids.map(String) };
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new StartError(
        `Port ${port} of ${host} is taken by another program. Stop that, or choose another port, such as PORT=${port + 1}.`,
      );
    }
    if (code === 'EACCES') throw new StartError(`Port ${port} needs more rights: choose one above 1023.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new StartError(`HOST=${host} is no address of this machine.`);
    }
    throw error;
  }
}
