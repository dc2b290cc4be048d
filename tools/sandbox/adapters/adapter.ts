import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Fault, ServiceName } from '#sandbox/faults/fault.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { PriceRequest, ReceivedPrice } from '#sandbox/world/received-prices.ts';
import type { World } from '#sandbox/world/world.ts';
import type { AccountDeletion } from './ebay/account-deletion.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The official name of the call; faults, limits and recorded exchanges go by it. */
    operation?: string;
  }
  interface FastifyRequest {
    /** The fault injected into this call; null for none. */
    fault: Fault | null;
  }
}

/** The rate limit of a call, as a token bucket: its size and its refill rate. */
export interface LimitLine {
  readonly perSecond: number;
  readonly burst: number;
  /** Whether the bucket is filled at midnight in Los Angeles and never in between. */
  readonly isDaily?: boolean;
}

/** The rate limit of a call after it was counted; responses report it. */
export interface LimitState extends LimitLine {
  /** Whole calls left now. */
  readonly left: number;
  /** Milliseconds until the next call is allowed; 0 if one is allowed now. */
  readonly wait: number;
}

type Headers = Readonly<Record<string, string>>;

/** How one marketplace formats errors and limits. */
export interface ErrorFormat {
  /** Body and headers of an error response with this status. */
  refusal(status: number): { readonly body: unknown; readonly headers?: Headers };
  /** A 200 whose body reports a failure; null where the marketplace has none. */
  failedInside(operation: string | null): unknown;
  /** Rate limit headers, where the marketplace sends any. */
  limitHeaders?(state: LimitState): Headers;
}

/** What the server gives to an adapter. */
export interface AdapterContext {
  readonly world: World;
  /** Whether calls beyond the limits are rejected. The server enforces call limits; point limits are up to the adapter. */
  readonly keepsLimits: boolean;
  /** The base URL of this adapter, such as "http://127.0.0.1:5050/amazon"; known once the server listens. */
  address(): string;
  /** eBay's messages about deleted accounts. */
  readonly accountDeletion: AccountDeletion;
  /** Counts a call of a limit that several operations share. @returns calls that were left before it; null without a limit */
  countCall(operation: string): number | null;
  /** Calls left now of an operation with a limit; null for one without. */
  callsLeft(operation: string): number | null;
  /** Records the price that a request sends. Adapters change prices only through this call, so that faults apply. */
  receivePrice(market: Market, request: FastifyRequest, requested: ReceivedByAdapter): ReceivedPrice;
}

/** A price as it is sent in a request. */
export type ReceivedByAdapter = Pick<PriceRequest, 'sku' | 'price' | 'liveAfter' | 'refusal'>;

/** The public API of one marketplace: its paths, headers, field names and error format. */
export interface MarketplaceAdapter {
  readonly name: ServiceName;
  readonly errorFormat: ErrorFormat;
  /** The operation of a request where its route alone does not name one; null if the request does not either. */
  operationOf?(request: FastifyRequest): string | null;
  /** By operation. An operation that is not listed has no limit. */
  readonly limits: Readonly<Record<string, LimitLine>>;
  /** Counts calls of another program with the same credentials, where the adapter itself keeps the limits. */
  countElsewhere?(calls: number): void;
  /** Adds the routes, each with `config: { operation }`. Paths are relative to the adapter's base URL. */
  register(app: FastifyInstance): void;
}

export type AdapterFactory = (tools: AdapterContext) => MarketplaceAdapter;

/** An error response in the marketplace's own format; thrown by routes. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;

  constructor(status: number, body: unknown, headers: Headers = {}) {
    super(`refused with ${status}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}
