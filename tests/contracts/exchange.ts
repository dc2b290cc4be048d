import type { Marketplace } from '#domain/marketplaces.ts';
import type * as sandbox from '#sandbox/exchanges.ts';

/** The services with official documents. */
export type Service = Marketplace | 'veeqo';

/** One call and its response, as they were sent. */
export interface Exchange {
  readonly service: Service;
  readonly method: string;
  /** Relative to the service's base URL, without the query. */
  readonly path: string;
  /** As sent; empty without one. */
  readonly query: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** Empty without one. */
  readonly requestBody: string;
  /** Null without a response. */
  readonly status: number | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string;
}

/** The exchange of a sandbox record. */
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

/** A deviation from an official document. */
export interface Deviation {
  readonly service: Service;
  /** "GET /v3/items". */
  readonly call: string;
  readonly side: 'request' | 'answer';
  /** The place in the exchange: "query limit", "/orders/0/orderItems". */
  readonly where: string;
  readonly problem: string;
}
