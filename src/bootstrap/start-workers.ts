import { randomUUID } from 'node:crypto';
import type { Database } from '#db/client.ts';
import { openEngineLock } from '#db/engine-lock.ts';
import { type Channel, listen } from '#db/listen.ts';
import { permittedDb } from '#db/permitted.ts';
import type { Queue } from '#db/queue.ts';
import { openSessionLock } from '#db/session-lock.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { startWatch } from '#jobs/alert-and-summary-jobs.ts';
import { startEmail } from '#jobs/email.ts';
import { startJobs } from '#jobs/jobs.ts';
import { startPurge } from '#jobs/purge.ts';
import { isForThisMachineAlone } from '#server/request-origin.ts';
import type { JobHandlers } from '#usecases/background/job-handler.ts';
import { type LoopTask, startLoop, startLoops } from '#usecases/background/supervised-loop.ts';
import { backupLoop } from '#usecases/backup/backup-loop.ts';
import { listingJob } from '#usecases/catalog/bulk-actions/run-bulk-action.ts';
import { importHandler } from '#usecases/catalog/imports/import-handler.ts';
import { salesLoop } from '#usecases/catalog/sales/sales-loop.ts';
import { forgetSellersLoop } from '#usecases/marketplaces/events/account-deletion.ts';
import { OfferListening } from '#usecases/marketplaces/events/listen-for-offers.ts';
import { subscriptionLoops } from '#usecases/marketplaces/events/maintain-subscriptions.ts';
import { sendingLoop } from '#usecases/marketplaces/sending/sending-loop.ts';
import { SyncLoop } from '#usecases/marketplaces/sync/sync-loop.ts';
import { EngineLoop } from '#usecases/repricing/engine/engine-loop.ts';
import type { Heartbeat } from '#usecases/repricing/engine/heartbeat.ts';
import { followLoop } from '#usecases/repricing/pricing/follow-loop.ts';
import { DeliveryLoop } from '#usecases/webhook-receivers/delivery-loop.ts';
import { backupSetupOf } from './backup.ts';
import type { Services } from './connectors.ts';
import { readRelease } from './release.ts';
import { now, type Running } from './running-program.ts';
import { openMailer } from './smtp-mailer.ts';
import { homeOf } from './startup-banner.ts';
import { describesRun, tracedHandlers, tracedSync, tracedTask } from './traced-work.ts';
import type { Tracing } from './tracing.ts';

/** Runs the scheduled jobs, those that users start, the engine, and the sending of prices. */
export async function work(
  running: Running,
  database: Database,
  url: string,
  queue: Queue,
  services: Services,
  heartbeat: Heartbeat,
): Promise<void> {
  await startPurge(queue, { db: database.db, now, sessionClock: () => 'database' });
  const { config } = running;
  const home = homeOf(config, `http://${config.host}:${config.port}`);
  await startWatch(queue, { db: database.db, now, queue, home: () => home });
  await startEmail(queue, {
    db: database.db,
    now,
    mailer: openMailer(running.config, now),
    onError: (error) => running.log.warn({ err: error }, 'email delivery failed; retrying'),
  });
  await runJobs(running, database, url, queue);
  runSales(running, database);
  await runPricing(running, database, url, services, heartbeat);
}

/** The same task with a span for each of its turns, where there are traces. */
function traced(tracing: Tracing | undefined, name: string, task: LoopTask): LoopTask {
  return tracing === undefined ? task : tracedTask(tracing, name, task);
}

function runSales({ log, tracing, closers }: Running, { db }: Database): void {
  const onError = (error: unknown): void => log.error({ err: error }, 'calculating sales failed; retrying');
  const sales = startLoop(traced(tracing, 'calculate sales', salesLoop({ db, now, onError })));
  closers.push(() => sales.stop());
}

async function runJobs(
  { log, tracing, closers }: Running,
  { db }: Database,
  url: string,
  queue: Queue,
): Promise<void> {
  const stopping = new AbortController();
  const onUnexpectedError = (error: unknown, jobId: number | null): void =>
    log.error({ err: error, jobId }, 'job failed with an unexpected error');
  // Their writes check the user's account in each transaction.
  const held = permittedDb(db);
  const handlers: JobHandlers = {
    import: importHandler({ db: held, now }),
    edit_listings: listingJob({ db: held, now }),
    apply: listingJob({ db: held, now }),
  };
  const stop = await startJobs(
    queue,
    { db, url, now, onUnexpectedError, stopping: stopping.signal },
    tracing === undefined ? handlers : tracedHandlers(tracing, handlers),
  );
  closers.push(() => {
    stop();
    stopping.abort();
  });
}

/** Channels that change no price, or only by the engine itself. */
const NO_WORK: ReadonlySet<Channel> = new Set([
  'pricewright_listings',
  'pricewright_users',
  'pricewright_alerts',
  'pricewright_webhooks',
]);
/** Prices were queued, or repricing was halted. */
const TO_SEND: ReadonlySet<Channel> = new Set(['pricewright_listings', 'pricewright_engine']);

/** Prices listings and sends prices, or waits while another process does. */
async function runPricing(
  { config, log, tracing, closers }: Running,
  { db }: Database,
  url: string,
  { connections, notifications, marketplaceEvents, secrets, webhookSender, openStore }: Services,
  heartbeat: Heartbeat,
): Promise<void> {
  const { version, schemaVersion } = await readRelease();
  const release = `${version}/${schemaVersion}`;
  const engineLoop = new EngineLoop({
    now,
    openLock: () => openEngineLock(url),
    release,
    heartbeat,
    onError: (error) => log.error({ err: error }, 'engine loop failed; retrying'),
    ...(tracing === undefined ? {} : { onRun: describesRun(tracing) }),
  });
  const engine = startLoop(traced(tracing, 'reprice', engineLoop));
  closers.push(() => engine.stop());
  const following = startLoop(
    followLoop({
      db,
      now,
      onError: (error) => log.error({ err: error }, 'computing whether competitors follow failed; retrying'),
    }),
  );
  closers.push(() => following.stop());
  const session = await openSessionLock(url);
  closers.push(() => session.close());
  const deps = { db, now, connections, owner: randomUUID(), session };
  const sendingDeps = {
    ...deps,
    release,
    onUnexpectedError: (error: unknown) =>
      log.error({ err: error }, 'price confirmation failed; reading back'),
    onError: (error: unknown, marketplace: Marketplace) =>
      log.error({ err: error, marketplace }, 'sender loop failed; retrying'),
  };
  const sending = startLoops(
    MARKETPLACES.map((marketplace) =>
      traced(tracing, `send to ${marketplace}`, sendingLoop(sendingDeps, marketplace)),
    ),
  );
  closers.push(() => sending.stop());
  const syncDeps = {
    ...deps,
    onError: (error: unknown, marketplace: Marketplace) =>
      log.error({ err: error, marketplace }, 'marketplace sync failed; retrying'),
    ...(tracing === undefined ? {} : { around: tracedSync(tracing) }),
  };
  const reading = startLoops(MARKETPLACES.map((marketplace) => new SyncLoop(syncDeps, marketplace)));
  closers.push(() => reading.stop());
  const listening = startLoop(
    new OfferListening({
      ...deps,
      notifications,
      onError: (error) => log.error({ err: error }, 'Amazon notifications failed; retrying'),
    }),
  );
  closers.push(() => listening.stop());
  const forgetting = startLoop(
    forgetSellersLoop({
      db,
      now,
      onError: (error) =>
        log.error({ err: error }, 'offers of deleted eBay accounts were not deleted; retrying'),
    }),
  );
  closers.push(() => forgetting.stop());
  const subscriptionDeps = {
    ...deps,
    publicUrl: config.publicUrl,
    onError: (error: unknown, marketplace: Marketplace) =>
      log.error({ err: error, marketplace }, 'event subscriptions failed; retrying'),
  };
  const subscribing = startLoops(subscriptionLoops(subscriptionDeps, marketplaceEvents));
  closers.push(() => subscribing.stop());
  const backups = startLoop(
    backupLoop({
      ...deps,
      url,
      secrets,
      openStore,
      program: version,
      dataDir: config.dataDir,
      environmentPassphrase: config.backupPassphrase,
      isOnByDefault: backupSetupOf(config).isOnByDefault,
      onError: (error) => log.error({ err: error }, 'backup failed; retrying'),
    }),
  );
  closers.push(() => backups.stop());
  const deliveryLoop = new DeliveryLoop({
    ...deps,
    secrets,
    webhookSender,
    allowsLoopback: isForThisMachineAlone(config),
    chance: Math.random,
    onError: (error) => log.error({ err: error }, 'delivering webhooks failed; retrying'),
  });
  const delivering = startLoop(traced(tracing, 'deliver webhooks', deliveryLoop));
  closers.push(() => delivering.stop());
  const signals = await listen(url, (signal) => {
    if (signal.kind === 'resync' || !NO_WORK.has(signal.channel)) engine.wake();
    if (signal.kind === 'resync' || TO_SEND.has(signal.channel)) sending.wake();
    if (signal.kind === 'resync' || signal.channel === 'pricewright_webhooks') delivering.wake();
    // The settings were saved, or a sync or a backup was requested.
    if (signal.kind === 'resync' || signal.channel === 'pricewright_engine') {
      reading.wake();
      backups.wake();
    }
  });
  closers.push(() => signals.close());
}
