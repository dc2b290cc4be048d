import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FaceName, Fault } from '#sandbox/faults/fault.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { AskedPrice, ReceivedPrice } from '#sandbox/world/received-prices.ts';
import type { World } from '#sandbox/world/world.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The official name of the call; faults, limits and recorded exchanges go by it. */
    operation?: string;
  }
  interface FastifyRequest {
    /** What goes wrong with this call; null when nothing does. */
    fault: Fault | null;
  }
}

/** How often a call may be made: so many at once, and so many a second in the long run. */
export interface LimitLine {
  readonly perSecond: number;
  readonly burst: number;
}

/** What an answer says about the limit of its call. */
export interface LimitState extends LimitLine {
  /** Whole calls that are left now. */
  readonly left: number;
  /** Milliseconds until there is one more; 0 when there is one. */
  readonly wait: number;
}

type Headers = Readonly<Record<string, string>>;

/** The words of one marketplace for what goes wrong. */
export interface FaceWords {
  /** The body of a refusal with that status, and headers that belong to it. */
  refusal(status: number): { readonly body: unknown; readonly headers?: Headers };
  /** A 200 that failed inside; null where the marketplace has no such thing. */
  failedInside(operation: string | null): unknown;
  /** Headers about the limit of a call, where the marketplace sends any. */
  limitHeaders?(state: LimitState): Headers;
}

/** What the server gives to a face. */
export interface AdapterContext {
  readonly world: World;
  /** Whether calls beyond the limits are refused. The server sees to limits of calls; those of points are the face's own. */
  readonly keepsLimits: boolean;
  /** Where this face answers, such as "http://127.0.0.1:5050/amazon"; known once the server listens. */
  address(): string;
  /** Hears a price in the name of a request: the only way of a face to change one. */
  hear(market: Market, request: FastifyRequest, asked: ReceivedByAdapter): ReceivedPrice;
}

/** A price as it stands in a request. */
export type ReceivedByAdapter = Pick<AskedPrice, 'sku' | 'price' | 'liveAfter' | 'refusal'>;

/** One marketplace as it looks from outside: its own paths, headers, names and words. */
export interface MarketplaceAdapter {
  readonly name: FaceName;
  readonly words: FaceWords;
  /** The call that a request makes, where its route alone does not tell; null when it says nothing either. */
  operationOf?(request: FastifyRequest): string | null;
  /** By operation. What is not named has no limit. */
  readonly limits: Readonly<Record<string, LimitLine>>;
  /** Adds the routes, each with `config: { operation }`. Paths begin behind the name of the face. */
  register(app: FastifyInstance): void;
}

export type AdapterFactory = (tools: AdapterContext) => MarketplaceAdapter;

/** A refusal in the marketplace's own words; thrown by routes. */
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
