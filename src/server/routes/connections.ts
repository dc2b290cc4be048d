import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  ConnectionCheck,
  ConnectionList,
  ConnectionParams,
  type EventSubscription,
  type LastSync,
  OfferRefresh,
  PassedOverRows,
  type PriceReadings,
  SyncRequested,
} from '#contract/connections.ts';
import { type CheckRow, listChecks } from '#db/queries/marketplaces/connections/connection-checks.ts';
import {
  type EventSubscriptionRow,
  listEventSubscriptions,
} from '#db/queries/marketplaces/connections/event-subscriptions.ts';
import { readBusinessPricePolicy } from '#db/queries/marketplaces/sending/business-gaps.ts';
import { listExternalEditPolicies } from '#db/queries/marketplaces/sending/external-edits.ts';
import { listPausedCounts } from '#db/queries/marketplaces/sending/send-pauses.ts';
import { listPassedOver } from '#db/queries/marketplaces/sync/marketplace-syncs.ts';
import { listReadingChecks, type ReadingCheck } from '#db/queries/marketplaces/sync/reading-checks.ts';
import { type LagSummary, summarizeReadingLags } from '#db/queries/marketplaces/sync/reading-lags.ts';
import type { ReadInterval } from '#domain/competition/read-interval.ts';
import { CAPABILITIES } from '#domain/connections/marketplace-capabilities.ts';
import { MARKETPLACE_NAMES, MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { type Instant, minutes } from '#domain/units.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { actorOf } from '#server/editor-of.ts';
import { outsideCalls } from '#server/outside-calls.ts';
import { sessionOf } from '#server/request-guards.ts';
import { checkConnection } from '#usecases/marketplaces/connections/check-connection.ts';
import {
  OfferRefreshReader,
  type OfferRefresh as StoredRefresh,
} from '#usecases/marketplaces/sync/offer-refresh.ts';
import { requestSync } from '#usecases/marketplaces/sync/request-sync.ts';
import { readSyncReports, type SyncReport } from '#usecases/marketplaces/sync/sync-report.ts';
import { offerAgeView } from './repricing-limits.ts';

/** Milliseconds that a test may take: a user waits for it, and several marketplaces need a token first. */
const CHECK_LIMIT = 25_000;

export const connectionRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  const calls = outsideCalls(app);
  const offerRefresh = new OfferRefreshReader(deps);

  app.get(
    '/api/connections',
    { config: { access: 'loggedIn' }, schema: { response: { 200: ConnectionList } } },
    async (request) => listOf(deps, sessionOf(request).user.role === 'admin'),
  );

  app.post(
    '/api/connections/:marketplace/check',
    {
      config: { access: 'admin' },
      schema: { params: ConnectionParams, response: { 200: ConnectionCheck } },
    },
    async (request) => {
      const { marketplace } = request.params;
      const check = await calls.within(MARKETPLACE_NAMES[marketplace], CHECK_LIMIT, (signal) =>
        checkConnection(deps, marketplace, signal),
      );
      if (check.error !== null) request.log.warn({ marketplace, reason: check.error }, 'connection failed');
      return checkView(check);
    },
  );

  app.get(
    '/api/connections/:marketplace/passed-over',
    {
      config: { access: 'loggedIn' },
      schema: { params: ConnectionParams, response: { 200: PassedOverRows } },
    },
    async (request) => ({ rows: await listPassedOver(deps.db, request.params.marketplace) }),
  );

  app.get(
    '/api/connections/:marketplace/refresh',
    {
      config: { access: 'loggedIn' },
      schema: { params: ConnectionParams, response: { 200: OfferRefresh } },
    },
    async (request) => refreshView(await offerRefresh.read(request.params.marketplace)),
  );

  app.post(
    '/api/connections/:marketplace/sync',
    {
      config: { access: 'admin' },
      schema: { params: ConnectionParams, response: { 202: SyncRequested } },
    },
    async (request, reply) => {
      const requestedAt = await requestSync(deps, request.params.marketplace, actorOf(request));
      return reply.code(202).send({ requestedAt: moment(requestedAt) });
    },
  );
};

function refreshView({ age, readings }: StoredRefresh): OfferRefresh {
  return { offerAge: offerAgeView(age), readings: readings === null ? null : readingsOf(readings) };
}

function readingsOf({ found, interval, contestedInterval, budget }: NonNullable<StoredRefresh['readings']>) {
  const { listings, read, fresh, contested } = found;
  const { limit, used, listingsPerCall, isDocumented, source } = budget;
  return {
    listings,
    unread: listings - read,
    fresh,
    interval: intervalView(interval),
    contested,
    contestedInterval: intervalView(contestedInterval),
    callsPerDay: limit,
    usedPerDay: used,
    listingsPerCall,
    isDocumented,
    source,
  };
}

function intervalView(interval: ReadInterval | null) {
  return interval === null ? null : { minutes: Math.ceil(interval.time / minutes(1)), basis: interval.basis };
}

async function listOf({ db, connections, now }: AppDeps, isAdmin: boolean): Promise<ConnectionList> {
  const checks = new Map((await listChecks(db)).map((check) => [check.marketplace, check]));
  const reportOf = await readSyncReports(db, now());
  const subscriptions = await listEventSubscriptions(db);
  const paused = await listPausedCounts(db, now());
  const policies = await listExternalEditPolicies(db);
  const lags = await summarizeReadingLags(db, now());
  const readingChecks = await listReadingChecks(db);
  const one = async (marketplace: Marketplace): Promise<ConnectionList['marketplaces'][number]> => {
    const state = await connections.stateOf(marketplace);
    const check = checks.get(marketplace);
    const { figures, hasBusinessPrices, lapsesUnused: _, ...capabilities } = CAPABILITIES[marketplace];
    return {
      marketplace,
      priceChannel: state.kind,
      why: isAdmin && 'why' in state ? state.why : null,
      lastCheck: check === undefined ? null : seenBy(isAdmin, checkView(check)),
      sync: syncView(isAdmin, reportOf(marketplace)),
      sendPauses: paused
        .filter((pause) => pause.marketplace === marketplace)
        .map(({ why, count, sku, until }) => ({ why, listings: count, sku, until: moment(until) })),
      externalEdits: policies.get(marketplace) ?? 'hold',
      businessPrices: hasBusinessPrices ? await readBusinessPricePolicy(db, marketplace) : null,
      priceReadings: readingsView(
        lags.filter((lag) => lag.marketplace === marketplace),
        readingChecks.get(marketplace),
      ),
      eventSubscription: eventSubscriptionView(isAdmin, subscriptions.get(marketplace)),
      capabilities: { ...capabilities, figures: [...figures] },
    };
  };
  return { marketplaces: await Promise.all(MARKETPLACES.map(one)) };
}

/** Credential errors are only for those who can fix them. */
function seenBy(isAdmin: boolean, check: ConnectionCheck): ConnectionCheck {
  return isAdmin ? check : { ...check, error: null, notes: [] };
}

function checkView({ error, shopName, notes, endsAt, checkedAt, milliseconds }: CheckRow): ConnectionCheck {
  return {
    success: error === null,
    error,
    shopName,
    notes,
    milliseconds,
    endsAt: momentOrNull(endsAt),
    checkedAt: moment(checkedAt),
  };
}

function syncView(isAdmin: boolean, { requestedAt, syncs }: SyncReport) {
  const lastSync = (sync: SyncReport['syncs'][number]): LastSync => {
    const { kind, startedAt, endedAt, succeededAt, counts, problem, notes, isRunning } = sync;
    return {
      kind,
      isRunning,
      startedAt: moment(startedAt),
      endedAt: momentOrNull(endedAt),
      succeededAt: momentOrNull(succeededAt),
      counts: counts ?? {},
      problem: isAdmin ? problem : null,
      failed: problem !== null,
      notes: isAdmin ? [...(notes ?? [])] : [],
    };
  };
  return { requestedAt: momentOrNull(requestedAt), last: syncs.map(lastSync) };
}

function readingsView(lags: readonly LagSummary[], check: ReadingCheck | undefined): PriceReadings {
  return {
    lags: lags.map(({ source, minutes95, readings }) => ({ source, minutes: minutes95, readings })),
    check: check === undefined ? null : checkOf(check),
  };
}

function checkOf({ source, startedAt, outcome, compared, suspects }: ReadingCheck) {
  return { source, startedAt: moment(startedAt), outcome, compared, suspects };
}

function eventSubscriptionView(
  isAdmin: boolean,
  row: EventSubscriptionRow | undefined,
): EventSubscription | null {
  if (row === undefined) return null;
  const { since, lastAt, problem } = row;
  return {
    since: momentOrNull(since),
    lastAt: momentOrNull(lastAt),
    problem: isAdmin ? problem : null,
    failed: problem !== null,
  };
}

function moment(at: Instant): string {
  return new Date(at).toISOString();
}

function momentOrNull(at: Instant | null): string | null {
  return at === null ? null : moment(at);
}
