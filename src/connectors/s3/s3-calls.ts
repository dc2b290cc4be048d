import type { LookupFunction } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { AwsV4Signer } from 'aws4fetch';
import type { Dispatcher, request } from 'undici';
import { openGuardedAgent } from '#connectors/http/guarded-agent.ts';
import type { SeenCall } from '#connectors/http/http-client.ts';
import { orAborted } from '#connectors/http/or-aborted.ts';
import { readBody } from '#connectors/http/read-body.ts';
import { type AttemptEnd, retryCall } from '#connectors/http/retry-call.ts';
import type { Bucket } from '#connectors/object-store.ts';
import { startTimeLimit } from '#connectors/time-limit.ts';
import { type Instant, instant } from '#domain/units.ts';
import { brokenOf, errorIn, refusalOf, type S3Operation } from './s3-errors.ts';

const MIB = 1_024 * 1_024;
const LIMITS = { connect: 10_000, bytes: 16 * MIB };
/** Up to two minutes in all: as long as a router takes to start again. */
const RETRIES = { attempts: 8, longestWait: 60_000 };
/** Milliseconds of one attempt. A part of 8 MB gets through at 0.3 Mbit/s. */
const LONGEST_ATTEMPT = 300_000;
/** The service may need minutes to put parts together. */
export const LONGEST_COMPLETION = 900_000;
/** Most bytes that one call reads: a piece of an object, or a page of a list with up to 1,000 keys of up to 1,024 bytes. */
export const MOST_BYTES = 8 * MIB;
/** SHA-256 of nothing. */
const NO_CONTENT = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export interface S3Options {
  readonly now?: () => Instant;
  /** Waits this many milliseconds, unless the signal comes first. Injected, so that tests need not wait. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  /** Resolves a name; the system's resolver by default. */
  readonly lookup?: LookupFunction;
  readonly onCall?: (seen: SeenCall) => void;
  /** Of a call, including the first. */
  readonly attempts?: number;
  /** Milliseconds of one attempt, for tests. */
  readonly longest?: number;
}

export interface S3Call {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly operation: S3Operation;
  /** "" for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly content?: { readonly bytes: Buffer; readonly sha256: string };
  /** Milliseconds of one attempt. */
  readonly longest?: number;
  /** Statuses of refusals that the caller handles itself. Every 2xx is an answer. */
  readonly alsoAnswers?: readonly number[];
  /** Whether a response of status 200 may contain an error: the service began to answer before it was done. */
  readonly mayFailLate?: boolean;
}

export interface S3Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

interface Transport {
  readonly agent: Dispatcher;
  readonly request: typeof request;
  readonly Signer: typeof AwsV4Signer;
}

/**
 * Signed calls to one bucket. The signature covers the content: what was changed on the way is refused. Redirects are not
 * followed. Private networks are reached, because an administrator may run the service there, but never link-local
 * addresses, where clouds keep the credentials of machines (ADR 014).
 */
export class S3Calls {
  readonly bucket: Bucket;
  readonly #options: S3Options;
  readonly #now: () => Instant;
  #opened: Promise<Transport> | null = null;

  constructor(bucket: Bucket, options: S3Options) {
    this.bucket = bucket;
    this.#options = options;
    this.#now = options.now ?? (() => instant(Date.now()));
  }

  /** @throws ConnectorError after the last retry; the reason of the signal once that is aborted */
  async call(call: S3Call, signal: AbortSignal): Promise<S3Answer> {
    signal.throwIfAborted();
    this.#opened ??= openTransport(this.#options);
    const transport = await this.#opened;
    const { wait = (ms, until) => pause(ms, undefined, { signal: until }) } = this.#options;
    const rest = async (ms: number): Promise<void> => {
      await wait(ms, signal).catch(() => undefined);
      signal.throwIfAborted();
    };
    const limits = { ...RETRIES, attempts: this.#options.attempts ?? RETRIES.attempts };
    return retryCall(() => this.#tryOnce(transport, call, signal), limits, rest, this.#now);
  }

  async #tryOnce(transport: Transport, call: S3Call, signal: AbortSignal): Promise<AttemptEnd<S3Answer>> {
    const startedAt = this.#now();
    const limit = startTimeLimit(this.#options.longest ?? call.longest ?? LONGEST_ATTEMPT, [signal]);
    let status: number | null = null;
    try {
      const response = await orAborted(this.#send(transport, call, limit.signal), limit.signal);
      status = response.statusCode;
      const { headers } = response;
      const body = await readBody(this.bucket.endpoint, response, MOST_BYTES);
      const isFine = status >= 200 && status < 300 && !(call.mayFailLate === true && errorIn(body) !== null);
      if (isFine || call.alsoAnswers?.includes(status) === true) {
        return { kind: 'answer', answer: { status, headers, body } };
      }
      return {
        kind: 'fault',
        ...refusalOf(this.bucket, call.operation, { status, headers, body }, this.#now()),
      };
    } catch (error) {
      signal.throwIfAborted();
      return { kind: 'fault', ...brokenOf(this.bucket, error, limit.signal.aborted) };
    } finally {
      limit.end();
      this.#options.onCall?.({
        method: call.method,
        operation: call.operation.right,
        status,
        milliseconds: Math.max(0, this.#now() - startedAt),
      });
    }
  }

  /** Signed anew for each attempt: a signature is good for 15 minutes. */
  async #send(
    { agent, request: ask, Signer }: Transport,
    call: S3Call,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const { region, accessKeyId, secretAccessKey, sessionToken } = this.bucket;
    const { url, headers } = await new Signer({
      method: call.method,
      url: addressOf(this.bucket, call),
      headers: { ...call.headers, 'x-amz-content-sha256': call.content?.sha256 ?? NO_CONTENT },
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === null ? {} : { sessionToken }),
      datetime: new Date(this.#now()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    }).sign();
    return ask(url, {
      dispatcher: agent,
      method: call.method,
      headers: Object.fromEntries(headers),
      body: call.content?.bytes ?? null,
      signal,
      // Our own limit counts.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }
}

/** Loaded with the first call: most installations make none. */
async function openTransport({ lookup }: S3Options): Promise<Transport> {
  const [undici, { AwsV4Signer: Signer }] = await Promise.all([import('undici'), import('aws4fetch')]);
  return { agent: await openGuardedAgent(LIMITS, 'inside', lookup), request: undici.request, Signer };
}

function addressOf({ endpoint, name, isPathStyle }: Bucket, { key, query = {} }: S3Call): string {
  const { protocol, host } = new URL(endpoint);
  const base = isPathStyle ? `${protocol}//${host}/${name}` : `${protocol}//${name}.${host}`;
  const search = Object.entries(query)
    .map(([field, value]) => `${field}=${encodeURIComponent(value)}`)
    .join('&');
  const path = key === '' && isPathStyle ? '' : `/${key}`;
  return `${base}${path}${search === '' ? '' : `?${search}`}`;
}
