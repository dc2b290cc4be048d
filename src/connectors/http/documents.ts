import type { LookupFunction } from 'node:net';
import type { Dispatcher, request } from 'undici';
import { ConnectorError } from '#connectors/connector-error.ts';
import { startTimeLimit } from '#connectors/time-limit.ts';
import { unreadable } from './call-error.ts';
import { openGuardedAgent } from './guarded-agent.ts';
import { reachOf } from './public-address.ts';

const LIMITS = { connect: 10_000, bytes: 512 * 1_024 * 1_024 };
/** Milliseconds for a whole document. */
const LONGEST = 300_000;

export interface DocumentsOptions {
  /** The name of the service in messages. */
  readonly name: string;
  /** The base address of the service's calls: when it is this machine, documents may be here too. */
  readonly baseUrl: string;
  /** Whether documents may be downloaded from that host. Addresses come from responses, so they are not trusted. */
  readonly mayLieOn: (host: string) => boolean;
  readonly lookup?: LookupFunction;
}

/** Reads and writes the large documents that services keep at separate addresses; no key is sent there. */
export interface Documents {
  /**
   * Streams in chunks, so that a report of any size needs little memory.
   * @throws ConnectorError for an address of another host, for anything but a document, and on timeout
   */
  read(address: string, signal: AbortSignal): AsyncGenerator<Buffer>;
  /** @throws ConnectorError; of fault "network" or "service" it may have been stored or not, which does no harm */
  write(address: string, type: string, text: string, signal: AbortSignal): Promise<void>;
}

export function createDocuments(options: DocumentsOptions): Documents {
  const { name } = options;
  const isLocal = reachOf(options.baseUrl) === 'loopback';
  let opened: Promise<{ agent: Dispatcher; ask: typeof request }> | null = null;
  const ask = async (
    address: string,
    init: object,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> => {
    const url = checked(address, options, isLocal);
    opened ??= openTransport(options);
    const { agent, ask: send } = await opened;
    return send(url, {
      ...init,
      dispatcher: agent,
      signal,
    });
  };
  return {
    async *read(address, signal) {
      const limit = startTimeLimit(LONGEST, [signal]);
      try {
        const { statusCode, body } = await ask(address, { method: 'GET' }, limit.signal);
        if (statusCode !== 200) {
          await body.dump();
          throw unreadable(name, 'not a document', statusCode);
        }
        yield* body as AsyncIterable<Buffer>;
      } catch (error) {
        throw documentError(name, error);
      } finally {
        limit.end();
      }
    },
    write: async (address, type, text, signal) => {
      const limit = startTimeLimit(LONGEST, [signal]);
      try {
        const init = { method: 'PUT', headers: { 'content-type': type }, body: text };
        const { statusCode, body } = await ask(address, init, limit.signal);
        await body.dump();
        if (statusCode >= 300) {
          throw new ConnectorError('service', `${name} rejected the upload (${statusCode}).`, {
            status: statusCode,
          });
        }
      } catch (error) {
        throw documentError(name, error);
      } finally {
        limit.end();
      }
    },
  };
}

async function openTransport({ baseUrl, lookup }: DocumentsOptions) {
  const undici = await import('undici');
  return { agent: await openGuardedAgent(LIMITS, reachOf(baseUrl), lookup), ask: undici.request };
}

function checked(address: string, { name, baseUrl, mayLieOn }: DocumentsOptions, isLocal: boolean): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isThere = isLocal
    ? url?.origin === new URL(baseUrl).origin
    : url?.protocol === 'https:' && url.port === '' && url.username === '' && mayLieOn(url.hostname);
  if (url !== null && isThere) return url;
  throw new ConnectorError('unreadable', `${name} names a place for its document that is not its own.`);
}

function documentError(name: string, error: unknown): ConnectorError {
  if (error instanceof ConnectorError) return error;
  return new ConnectorError(
    'network',
    `A document of ${name} cannot be reached or does not end. Try again later.`,
  );
}
