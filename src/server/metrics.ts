import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { AppDeps } from './app-deps.ts';
import { readStoreMetrics } from './store-metrics.ts';

let ofProcess: Registry | null = null;

/**
 * Memory, processor time and delays of the process, measured once per process: prom-client never stops a timer or
 * an observer once started.
 */
function processFigures(): Registry {
  if (ofProcess === null) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

/** Measures requests and serves GET /metrics in Prometheus' text format. */
export function serveMetrics(app: FastifyInstance, deps: AppDeps): void {
  const registry = new Registry();
  const ofAll = processFigures();
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request line to the end of the answer.',
    // The route's pattern, not the address: IDs would create a series each.
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'pricewright_live_streams',
    help: 'Browsers that listen to live events.',
    registers: [registry],
    collect() {
      this.set(deps.liveStreams.count);
    },
  });
  app.addHook('onResponse', async (request, reply) => {
    const labels = {
      method: request.is404 ? 'any' : request.method,
      route: request.routeOptions.url ?? 'page',
      status: String(reply.statusCode),
    };
    durations.observe(labels, reply.elapsedTime / 1_000);
  });
  app.get('/metrics', { config: { access: 'operator' } }, async (_request, reply) => {
    const all = Registry.merge([ofAll, registry, await readStoreMetrics(deps)]);
    return reply.type(all.contentType).send(await all.metrics());
  });
}
