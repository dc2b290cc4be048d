import type { Marketplace } from '#domain/marketplaces.ts';
import type * as sandbox from '#sandbox/exchanges.ts';

/** The services whose documents are checked against. */
export type Service = Marketplace | 'veeqo';

/** One call as it went over the wire, and its answer. */
export interface Exchange {
  readonly service: Service;
  readonly method: string;
  /** Behind the service's base address, without the query. */
  readonly path: string;
  /** As it was sent; empty without one. */
  readonly query: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** Empty without one. */
  readonly requestBody: string;
  /** Null when there was no answer. */
  readonly status: number | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string;
}

/** One that the sandbox recorded. */
export function exchangeOf({ service, path: pathAndQuery, ...recorded }: sandbox.Exchange): Exchange {
  const [path = '', query = ''] = pathAndQuery.split('?');
  const { method, requestHeaders, requestBody, status, responseHeaders, responseBody } = recorded;
  return {
    service,
    method,
    path,
    query,
    requestHeaders,
    requestBody,
    status,
    responseHeaders,
    responseBody,
  };
}

/** Something that an official document does not allow. */
export interface Deviation {
  readonly service: Service;
  /** "GET /v3/items". */
  readonly call: string;
  readonly side: 'request' | 'answer';
  /** Where in it: "query limit", "/orders/0/orderItems". */
  readonly where: string;
  readonly problem: string;
}
