import { gunzipSync, gzipSync } from 'node:zlib';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import type { Exchanges } from '#sandbox/exchanges.ts';
import { afterResponse } from '#sandbox/faults/apply-fault.ts';
import type { FaultRegistry, ServiceName } from '#sandbox/faults/fault.ts';
import type { OddValues } from '#sandbox/faults/odd-values.ts';
import type { World } from '#sandbox/world/world.ts';
import { type AdapterContext, type AdapterFactory, type MarketplaceAdapter, Refusal } from './adapter.ts';
import { Limits } from './call-limits.ts';
import type { AccountDeletion } from './ebay/account-deletion.ts';
import { addLimitsAndFaults } from './limits-and-faults.ts';
import { operationOf, textOf } from './sandbox-request.ts';

export interface Mounting {
  readonly world: World;
  readonly faults: FaultRegistry;
  readonly oddValues: OddValues;
  readonly exchanges: Exchanges;
  readonly keepsLimits: boolean;
  readonly accountDeletion: AccountDeletion;
  /** By service: counts calls of other programs. */
  readonly counters: Map<ServiceName, (operation: string, calls: number) => void>;
  /** Multiplies the usual limits. */
  readonly limitFactor: number;
  /** Set once the server listens. */
  readonly place: { readonly url: string };
}

/**
 * Serves an adapter under its name, with what all adapters share: limits, faults, error responses and recording.
 * @returns the adapter's name
 */
export function mountAdapter(app: FastifyInstance, make: AdapterFactory, mounting: Mounting): ServiceName {
  const { world, place } = mounting;
  const tools: AdapterContext = {
    world,
    keepsLimits: mounting.keepsLimits,
    accountDeletion: mounting.accountDeletion,
    address: () => `${place.url}/${adapter.name}`,
    callsLeft: (operation) => limits.left(operation),
    countCall: (operation) => {
      const left = limits.left(operation);
      limits.count(operation);
      return left;
    },
    receivePrice: (market, request, requested) =>
      market.receivePrice({
        ...requested,
        requestId: request.id,
        operation: operationOf(adapter, request) ?? '',
        isDropped: request.fault?.kind === 'never_applied',
      }),
  };
  const adapter = make(tools);
  const limits = new Limits(adapter.limits, world.now, mounting.limitFactor);
  mounting.counters.set(adapter.name, (operation, calls) => {
    if (adapter.countElsewhere === undefined) limits.use(operation, calls);
    else adapter.countElsewhere(calls);
  });
  app.register(
    async (scope) => {
      scope.decorateRequest('fault', null);
      addErrorHandlers(scope, adapter);
      addLimitsAndFaults(scope, adapter, mounting, limits);
      addRecording(scope, adapter, mounting);
      adapter.register(scope);
    },
    { prefix: `/${adapter.name}` },
  );
  return adapter.name;
}

function addErrorHandlers(scope: FastifyInstance, adapter: MarketplaceAdapter): void {
  const refuse = (reply: FastifyReply, status: number): FastifyReply => {
    const { body, headers = {} } = adapter.errorFormat.refusal(status);
    return reply.code(status).headers(headers).send(body);
  };
  scope.setNotFoundHandler((_request, reply) => refuse(reply, 404));
  scope.setErrorHandler((error: FastifyError | Refusal, _request, reply) => {
    if (error instanceof Refusal) return reply.code(error.status).headers(error.headers).send(error.body);
    const isTheirs = error.statusCode !== undefined && error.statusCode < 500;
    // An error of the sandbox itself must not look like a marketplace's error.
    if (!isTheirs) return reply.code(500).send({ sandboxError: error.stack ?? error.message });
    return refuse(reply, error.statusCode ?? 400);
  });
}

function addRecording(
  scope: FastifyInstance,
  adapter: MarketplaceAdapter,
  { world, faults, oddValues, exchanges }: Mounting,
): void {
  scope.addHook('onSend', async (request, reply, payload) => {
    const body = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : '';
    exchanges.add({
      at: new Date(world.now()).toISOString(),
      service: adapter.name,
      operation: operationOf(adapter, request),
      method: request.method,
      path: request.url.slice(adapter.name.length + 1),
      requestHeaders: textsOf(request.headers),
      requestBody: textOf(request.body, request.headers['content-type']),
      status: reply.statusCode,
      responseHeaders: textsOf(reply.getHeaders()),
      responseBody: Buffer.isBuffer(body) ? body.toString('base64') : body,
      fault: request.fault?.kind ?? null,
    });
    const isStream = typeof payload === 'object' && payload !== null && !Buffer.isBuffer(payload);
    if (isStream) return payload;
    const reported = withOddValues(oddValues, adapter.name, operationOf(adapter, request), body);
    if (reported !== body) reply.removeHeader('content-length');
    if (request.fault === null) return reported === body ? payload : reported;
    return afterResponse(request.fault, reply, adapter.errorFormat, faults, reported);
  });
}

/** The body with the odd values of a call; a compressed one stays compressed. */
function withOddValues(
  oddValues: OddValues,
  service: ServiceName,
  operation: string | null,
  body: string | Buffer,
): string | Buffer {
  if (!oddValues.concern(service, operation)) return body;
  if (typeof body === 'string') return oddValues.change(service, operation, body);
  const isCompressed = body[0] === 0x1f && body[1] === 0x8b;
  if (!isCompressed) return body;
  return gzipSync(oddValues.change(service, operation, gunzipSync(body).toString()));
}

function textsOf(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const known = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known.map(([name, value]) => [name, String(value)]));
}
