import type { FastifyInstance, FastifyRequest } from 'fastify';
import { beforeResponse } from '#sandbox/faults/apply-fault.ts';
import type { FaultRegistry } from '#sandbox/faults/fault.ts';
import type { LimitState, MarketplaceAdapter } from './adapter.ts';
import type { Limits } from './call-limits.ts';
import { operationOf, textOf } from './sandbox-request.ts';

/** Before a call is answered: counts it, refuses with 429 what is over the limit, and applies a fault that waits for it. */
export function addLimitsAndFaults(
  scope: FastifyInstance,
  adapter: MarketplaceAdapter,
  { faults, keepsLimits }: { readonly faults: FaultRegistry; readonly keepsLimits: boolean },
  limits: Limits,
): void {
  scope.addHook('preHandler', async (request, reply) => {
    const operation = operationOf(adapter, request);
    request.fault = faults.consume(adapter.name, operation, (sku) => namesSku(request, sku));
    const state = limits.count(operation);
    if (state !== null) reply.headers(adapter.errorFormat.limitHeaders?.(state) ?? {});
    if (keepsLimits && isTooMany(state)) {
      const { body, headers = {} } = adapter.errorFormat.refusal(429);
      return reply.code(429).headers(headers).send(body);
    }
    if (request.fault === null) return;
    const goesOn = await beforeResponse(request.fault, request, reply, adapter.errorFormat, faults);
    if (!goesOn) return reply;
  });
}

/** Whether the address or the body of a call holds the SKU as a whole. */
function namesSku({ url, body }: FastifyRequest, sku: string): boolean {
  const inAddress = decodeURIComponent(url).split(/[/?&=,]/);
  return inAddress.includes(sku) || textOf(body).includes(JSON.stringify(sku));
}

function isTooMany(state: LimitState | null): boolean {
  return state !== null && state.wait > 0;
}
