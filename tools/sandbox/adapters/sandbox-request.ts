import type { FastifyRequest } from 'fastify';
import type { MarketplaceAdapter } from './adapter.ts';

/** The operation that a request is for, as limits and faults name it; null for none. */
export function operationOf(adapter: MarketplaceAdapter, request: FastifyRequest): string | null {
  return adapter.operationOf?.(request) ?? request.routeOptions.config.operation ?? null;
}

/** The request body as it was sent: Fastify has parsed a form into a record. */
export function textOf(body: unknown, type = ''): string {
  if (body === undefined || body === null) return '';
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return new URLSearchParams(body as Record<string, string>).toString();
  }
  return typeof body === 'string' ? body : JSON.stringify(body);
}
