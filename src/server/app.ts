import { randomUUID } from 'node:crypto';
import fastifyCompress from '@fastify/compress';
import fastifyCookie from '@fastify/cookie';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { permittedDb } from '#db/permitted.ts';
import { type DeclaredRoute, requireDeclaredAccess } from './access.ts';
import { serveApiDocs } from './api-docs/api-docs.ts';
import type { AppDeps } from './app-deps.ts';
import { readBrowserMarks } from './caller-of.ts';
import {
  CONNECTION_LIMITS,
  type ConnectionLimits,
  endInOrder,
  knowPeople,
  watchConnections,
} from './connection-limits.ts';
import { auditDeniedRequests } from './denied-requests.ts';
import { createDownloads } from './downloads.ts';
import { answerErrors, noRouteRefusal, pathOf, sendError } from './error-replies.ts';
import { checkAllInput } from './input-rules.ts';
import { takeJsonBodies } from './json-bodies.ts';
import { logRequests } from './logger.ts';
import { answerUnreadableRequests } from './malformed-requests.ts';
import { serveMetrics } from './metrics.ts';
import { warnOfHiddenClients } from './proxy-check.ts';
import { enforceAccess, rejectCrossSite, rejectDuplicateHost, rejectOtherHosts } from './request-guards.ts';
import { traceRequests } from './request-traces.ts';
import { ownAccountRoutes } from './routes/account.ts';
import { accountDeletionRoutes, accountDeletionSettingsRoutes } from './routes/account-deletion.ts';
import { alertRoutes } from './routes/alerts.ts';
import { attentionRoutes } from './routes/attention.ts';
import { auditRoutes } from './routes/audit.ts';
import { backupRoutes } from './routes/backups.ts';
import { bookRoutes } from './routes/books.ts';
import { bulkActionRoutes } from './routes/bulk-actions.ts';
import { bundleRoutes } from './routes/bundles.ts';
import { businessPriceRoutes } from './routes/business-prices.ts';
import { chartRoutes } from './routes/charts.ts';
import { connectionRoutes } from './routes/connections.ts';
import { consentRoutes } from './routes/consents.ts';
import { costListRoutes } from './routes/cost-list.ts';
import { engineRoutes } from './routes/engine.ts';
import { eventRoutes } from './routes/events.ts';
import { explanationRoutes } from './routes/explanations.ts';
import { externalEditRoutes } from './routes/external-edits.ts';
import { feeCategoryRoutes } from './routes/fee-categories.ts';
import { feeFactRoutes } from './routes/fee-facts.ts';
import { feeRoutes } from './routes/fees.ts';
import { firstAdminRoutes } from './routes/first-admin.ts';
import { healthRoutes } from './routes/health.ts';
import { historyRoutes } from './routes/history.ts';
import { importRoutes } from './routes/imports.ts';
import { jobRoutes } from './routes/jobs.ts';
import { listingAnalyticsRoutes } from './routes/listing-analytics.ts';
import { listingCostRoutes } from './routes/listing-costs.ts';
import { listingMigrationRoutes } from './routes/listing-migrations.ts';
import { listingRoutes } from './routes/listings.ts';
import { accountRoutes } from './routes/log-in.ts';
import { marketplaceEventRoutes } from './routes/marketplace-events.ts';
import { moneyRoutes } from './routes/money.ts';
import { openidRoutes } from './routes/openid.ts';
import { priceActionRoutes } from './routes/price-actions.ts';
import { priceFileRoutes } from './routes/price-file.ts';
import { guardRoutes } from './routes/repricing-limits.ts';
import { ruleRoutes } from './routes/rules.ts';
import { runRoutes } from './routes/runs.ts';
import { salesRoutes } from './routes/sales.ts';
import { searchRoutes } from './routes/search.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { settingsRoutes } from './routes/settings.ts';
import { startRoutes } from './routes/setup.ts';
import { skuRoutes } from './routes/skus.ts';
import { statsRoutes } from './routes/stats.ts';
import { tierRoutes } from './routes/tiers.ts';
import { tokenRoutes } from './routes/tokens.ts';
import { userRoutes } from './routes/users.ts';
import { veeqoRoutes } from './routes/veeqo.ts';
import { verifyEmailRoutes } from './routes/verify-email.ts';
import { viewRoutes } from './routes/views.ts';
import { webhookReceiverRoutes } from './routes/webhook-receivers.ts';
import { type SecurityHeaders, securityHeaders } from './security-headers.ts';
import {
  createBrowserCookie,
  createLoginCookie,
  createSessionCookie,
  type SessionCookie,
} from './session-cookie.ts';
import { endStreamsOfEndedSessions } from './session-streams.ts';
import { addWebFiles, readWebBuild, replyWithPage, type WebBuild } from './web-build.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route with its access level. */
    declaredRoutes: readonly DeclaredRoute[];
  }
}

const SECOND = 1_000;
const BODY_LIMIT = 1_048_576;
/** The longest path segment of a route: a SKU. */
const LONGEST_PART = 200;

/** Routes that need only the common dependencies. */
const PLAIN_ROUTES = [
  backupRoutes,
  bookRoutes,
  attentionRoutes,
  chartRoutes,
  connectionRoutes,
  consentRoutes,
  accountDeletionSettingsRoutes,
  costListRoutes,
  engineRoutes,
  explanationRoutes,
  feeCategoryRoutes,
  businessPriceRoutes,
  listingMigrationRoutes,
  externalEditRoutes,
  feeFactRoutes,
  feeRoutes,
  firstAdminRoutes,
  guardRoutes,
  healthRoutes,
  importRoutes,
  bulkActionRoutes,
  listingAnalyticsRoutes,
  listingCostRoutes,
  alertRoutes,
  priceActionRoutes,
  priceFileRoutes,
  searchRoutes,
  sessionRoutes,
  settingsRoutes,
  statsRoutes,
  tierRoutes,
  tokenRoutes,
  userRoutes,
  veeqoRoutes,
  verifyEmailRoutes,
  viewRoutes,
  webhookReceiverRoutes,
] as const;

/** Routes that send files. */
const DOWNLOAD_ROUTES = [
  auditRoutes,
  bundleRoutes,
  historyRoutes,
  jobRoutes,
  listingRoutes,
  ruleRoutes,
  runRoutes,
  salesRoutes,
  skuRoutes,
  startRoutes,
  moneyRoutes,
] as const;

/** Builds the whole HTTP side. Reads no environment, does not listen. */
export async function buildApp(deps: AppDeps, limits = CONNECTION_LIMITS): Promise<FastifyInstance> {
  const behindHttps = deps.publicUrl?.startsWith('https:') ?? false;
  const web = deps.webRoot === null ? null : readWebBuild(deps.webRoot);
  const headers = securityHeaders(web?.scriptHashes ?? [], behindHttps);
  const app = createServer(deps, headers, limits);
  const routes = requireDeclaredAccess(app);
  app.decorate('declaredRoutes', routes);
  checkAllInput(app);
  answerErrors(app);
  setHeaders(app, headers);
  const connections = watchConnections(app, deps, limits);
  traceRequests(app, deps.traceRequest);
  logRequests(app);
  // Not brotli: at a useful quality it costs a second of processor time per file.
  await app.register(fastifyCompress, { threshold: 1_024, encodings: ['gzip'], globalDecompression: false });
  await app.register(fastifyCookie);
  const cookie = createSessionCookie(behindHttps, deps.isDemo);
  const browserCookie = createBrowserCookie(behindHttps, deps.isDemo);
  readBrowserMarks(app, browserCookie);
  rejectDuplicateHost(app);
  rejectOtherHosts(app, deps);
  rejectCrossSite(app, deps.publicUrl);
  warnOfHiddenClients(app, deps);
  enforceAccess(app, deps, cookie);
  knowPeople(app, connections);
  endStreamsOfEndedSessions(app, deps, cookie);
  auditDeniedRequests(app, deps);
  await serveApiDocs(app, deps.version);
  serveMetrics(app, deps);
  const loginCookie = createLoginCookie(behindHttps, deps.isDemo);
  await addRoutes(app, deps, { cookie, browserCookie, loginCookie });
  if (web) await addWebFiles(app, web);
  answerTheRest(app, routes, web);
  await endInOrder(app, connections, deps.log, limits);
  return app;
}

/**
 * The groups of routes share the app. Only one with a parser or hooks of its own gets a scope (`register`): a scope
 * for each would take half of the time in which the app is built.
 */
async function addRoutes(
  app: FastifyInstance,
  given: AppDeps,
  cookies: Readonly<Record<'cookie' | 'browserCookie' | 'loginCookie', SessionCookie>>,
): Promise<void> {
  const deps: AppDeps = { ...given, db: permittedDb(given.db) };
  const downloads = createDownloads(deps);
  app.addHook('preClose', async () => downloads.endAll());
  const typed = app.withTypeProvider<ZodTypeProvider>();
  for (const routes of PLAIN_ROUTES) await routes(typed, { deps });
  for (const routes of DOWNLOAD_ROUTES) await routes(typed, { deps, downloads });
  const { cookie, browserCookie } = cookies;
  await accountRoutes(typed, { deps, cookie, browserCookie });
  await openidRoutes(typed, { deps, ...cookies });
  await ownAccountRoutes(typed, { deps, cookie });
  await eventRoutes(typed, { deps, cookie });
  await app.register(marketplaceEventRoutes, { deps });
  await app.register(accountDeletionRoutes, { deps });
}

function createServer(deps: AppDeps, headers: SecurityHeaders, { looks }: ConnectionLimits): FastifyInstance {
  const app = Fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    // A list, never `true` or a number: those let clients choose their address.
    trustProxy: deps.trustedProxies.length > 0 ? [...deps.trustedProxies] : false,
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: LONGEST_PART },
    connectionTimeout: 60 * SECOND,
    // Long enough for 256 MB over a home connection. All bodies but such files have a limit of their own.
    requestTimeout: 600 * SECOND,
    keepAliveTimeout: 72 * SECOND,
    http: { headersTimeout: 15 * SECOND, connectionsCheckingInterval: looks },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    ...answerUnreadableRequests(headers),
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  // JSON only: text bodies would reach handlers unchecked.
  app.removeContentTypeParser('text/plain');
  takeJsonBodies(app);
  return app;
}

function setHeaders(app: FastifyInstance, headers: SecurityHeaders): void {
  app.addHook('onRequest', async (request, reply) => {
    // Pages and files set their own; a response without the header must not be cached.
    reply.headers({ ...headers, 'x-request-id': request.id, 'cache-control': 'no-store' });
  });
}

/** In any encoding: an API address must never return the page. */
function isApiPath(path: string): boolean {
  return /^\/+api(\/|$)/i.test(path);
}

function answerTheRest(app: FastifyInstance, routes: readonly DeclaredRoute[], web: WebBuild | null): void {
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isPage = isRead && !isApiPath(path) && !routes.some((route) => route.path === path);
    const page = web && isPage ? replyWithPage(web, path, request, reply) : null;
    return page ?? sendError(noRouteRefusal(routes, request, reply), request, reply);
  });
}
