import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Exchanges } from '#sandbox/exchanges.ts';
import { afterResponse, beforeResponse } from '#sandbox/faults/apply-fault.ts';
import type { FaceName, FaultRegistry } from '#sandbox/faults/fault.ts';
import type { World } from '#sandbox/world/world.ts';
import {
  type AdapterContext,
  type AdapterFactory,
  type LimitState,
  type MarketplaceAdapter,
  Refusal,
} from './adapter.ts';
import { Limits } from './limits.ts';

export interface Mounting {
  readonly world: World;
  readonly faults: FaultRegistry;
  readonly exchanges: Exchanges;
  readonly keepsLimits: boolean;
  /** How many times the usual limits there are. */
  readonly limitFactor: number;
  /** Filled in once the server listens. */
  readonly place: { readonly url: string };
}

/**
 * Puts a face under its name, behind what all of them share: limits, faults, refusals, records.
 * @returns its name
 */
export function mountAdapter(app: FastifyInstance, make: AdapterFactory, mounting: Mounting): FaceName {
  const { world, place } = mounting;
  const tools: AdapterContext = {
    world,
    keepsLimits: mounting.keepsLimits,
    address: () => `${place.url}/${face.name}`,
    hear: (market, request, asked) =>
      market.hear({
        ...asked,
        requestId: request.id,
        operation: operationOf(face, request) ?? '',
        isDropped: request.fault?.kind === 'never_applied',
      }),
  };
  const face = make(tools);
  app.register(
    async (scope) => {
      scope.decorateRequest('fault', null);
      refuseInItsWords(scope, face);
      countAndFail(scope, face, mounting);
      answerAndRecord(scope, face, mounting);
      face.register(scope);
    },
    { prefix: `/${face.name}` },
  );
  return face.name;
}

function operationOf(face: MarketplaceAdapter, request: FastifyRequest): string | null {
  return face.operationOf?.(request) ?? request.routeOptions.config.operation ?? null;
}

function refuseInItsWords(scope: FastifyInstance, face: MarketplaceAdapter): void {
  const refuse = (reply: FastifyReply, status: number): FastifyReply => {
    const { body, headers = {} } = face.words.refusal(status);
    return reply.code(status).headers(headers).send(body);
  };
  scope.setNotFoundHandler((_request, reply) => refuse(reply, 404));
  scope.setErrorHandler((error: FastifyError | Refusal, _request, reply) => {
    if (error instanceof Refusal) return reply.code(error.status).headers(error.headers).send(error.body);
    const isTheirs = error.statusCode !== undefined && error.statusCode < 500;
    // A mistake of the sandbox must not look like a marketplace's trouble.
    if (!isTheirs) return reply.code(500).send({ sandboxMistake: error.stack ?? error.message });
    return refuse(reply, error.statusCode ?? 400);
  });
}

function countAndFail(scope: FastifyInstance, face: MarketplaceAdapter, mounting: Mounting): void {
  const { world, faults, keepsLimits, limitFactor } = mounting;
  const limits = new Limits(face.limits, world.now, limitFactor);
  scope.addHook('preHandler', async (request, reply) => {
    const operation = operationOf(face, request);
    request.fault = faults.take(face.name, operation);
    const state = limits.count(operation);
    if (state !== null) reply.headers(face.words.limitHeaders?.(state) ?? {});
    if (keepsLimits && isTooMany(state)) {
      const { body, headers = {} } = face.words.refusal(429);
      return reply.code(429).headers(headers).send(body);
    }
    if (request.fault === null) return;
    const goesOn = await beforeResponse(request.fault, request, reply, face.words, faults);
    if (!goesOn) return reply;
  });
}

function isTooMany(state: LimitState | null): boolean {
  return state !== null && state.wait > 0;
}

function answerAndRecord(
  scope: FastifyInstance,
  face: MarketplaceAdapter,
  { world, faults, exchanges }: Mounting,
): void {
  scope.addHook('onSend', async (request, reply, payload) => {
    const body = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : '';
    exchanges.add({
      at: new Date(world.now()).toISOString(),
      face: face.name,
      operation: operationOf(face, request),
      method: request.method,
      path: request.url.slice(face.name.length + 1),
      requestHeaders: textsOf(request.headers),
      requestBody: textOf(request.body, request.headers['content-type']),
      status: reply.statusCode,
      responseHeaders: textsOf(reply.getHeaders()),
      responseBody: Buffer.isBuffer(body) ? body.toString('base64') : body,
      fault: request.fault?.kind ?? null,
    });
    const isStream = typeof payload === 'object' && payload !== null && !Buffer.isBuffer(payload);
    if (request.fault === null || isStream) return payload;
    return afterResponse(request.fault, reply, face.words, faults, body);
  });
}

/** What was sent, as it was sent: a form was read into a record. */
function textOf(body: unknown, type = ''): string {
  if (body === undefined || body === null) return '';
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return new URLSearchParams(body as Record<string, string>).toString();
  }
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function textsOf(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const known = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known.map(([name, value]) => [name, String(value)]));
}
