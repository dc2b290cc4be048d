import type { FastifyInstance, FastifyRequest } from 'fastify';
import { QUIET_ROUTES } from './logger.ts';

/** The span of one request. */
export interface RequestTrace {
  /** Goes on with the request: what `next` starts belongs to it. */
  run(next: () => void): void;
  /** @param status null when the connection ended before the answer began */
  end(status: number | null): void;
}

/** Begins one. @param route the pattern, such as "/api/listings/:id"; null for a page or an unknown address */
export type TraceRequest = (method: string, route: string | null) => RequestTrace;

/** Asked every few seconds, or open for hours. */
const UNTRACED: ReadonlySet<string> = new Set([...QUIET_ROUTES, '/api/events']);

/** Traces requests by their routes: addresses may contain tokens, as the setup link does. */
export function traceRequests(app: FastifyInstance, traceRequest: TraceRequest | undefined): void {
  if (traceRequest === undefined) return;
  const traces = new WeakMap<FastifyRequest, RequestTrace>();
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.is404 ? null : (request.routeOptions.url ?? null);
    if (route !== null && UNTRACED.has(route)) return done();
    const trace = traceRequest(request.method, route);
    traces.set(request, trace);
    trace.run(done);
  });
  const goOn = (request: FastifyRequest, done: () => void): void => {
    const trace = traces.get(request);
    if (trace === undefined) done();
    else trace.run(done);
  };
  // A body arrives in the context of its connection.
  app.addHook('preValidation', (request, _reply, done) => goOn(request, done));
  // Before the log of answers, which then names the trace.
  app.addHook('onResponse', (request, reply, done) => {
    traces.get(request)?.end(reply.raw.headersSent ? reply.statusCode : null);
    goOn(request, done);
  });
}
