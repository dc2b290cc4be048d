import { z } from 'zod';
import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { unreadable } from '#connectors/http/call-error.ts';
import {
  createHttpClient,
  type HttpAnswer,
  type HttpCall,
  type HttpClientOptions,
} from '#connectors/http/http-client.ts';
import { credentialsFor, parseResponse, type ReadCall, readWith } from '#connectors/parse-response.ts';
import { type Instant, instant } from '#domain/units.ts';
import { MICHAELS_BUDGETS } from './michaels-budgets.ts';
import { Envelope } from './michaels-responses.ts';

export const NAME = 'Michaels';
const BASE = '/api/mkp/v1';

const Credentials = z.object({
  apiKey: z.string().trim().min(1),
  /** "yes" lets prices be sent; anything else keeps it read-only. */
  allowWrites: z.string().trim().optional(),
});

export type MichaelsOptions = Omit<HttpClientOptions, 'name' | 'budgets' | 'learn' | 'errorMessageOf'>;

/** Michaels' calls with the headers common to all of them. */
export interface MichaelsCalls {
  readonly now: () => Instant;
  /** @throws ConnectorError; also for a failure with a status of 200 */
  ask(account: Account, call: HttpCall, signal: AbortSignal): Promise<HttpAnswer>;
  readonly read: ReadCall;
  /** Milliseconds until prices may be published again. */
  waitToPublish(): number;
}

export function createCalls(options: MichaelsOptions): MichaelsCalls {
  const client = createHttpClient({ ...options, name: NAME, budgets: MICHAELS_BUDGETS, errorMessageOf });
  const ask: MichaelsCalls['ask'] = async (account, call, signal) => {
    const { apiKey } = credentialsOf(account);
    if (!/^[\x21-\x7e]+$/.test(apiKey)) {
      throw new ConnectorError('key', `The API key contains invalid characters. Copy it from ${NAME} again.`);
    }
    const headers = { 'api-key': apiKey, accept: 'application/json' };
    const path = `${BASE}${call.path}`;
    const answer = await client.call({ ...call, path, headers }, signal).catch((error: unknown) => {
      throw readOnlyKey(error);
    });
    const failure = failureIn(answer, call.changes !== undefined);
    if (failure !== null) throw failure;
    return answer;
  };
  return {
    now: options.now ?? (() => instant(Date.now())),
    ask,
    read: readWith(NAME, ask),
    waitToPublish: () => client.waitFor('publish', 1),
  };
}

/** @throws ConnectorError of fault "key" */
export function credentialsOf({ credentials }: Account): z.output<typeof Credentials> {
  return credentialsFor(NAME, Credentials, credentials, { apiKey: 'API key' });
}

function errorMessageOf(body: unknown): { readonly code: string | null; readonly message: string } | null {
  const { code, message } = Envelope.safeParse(body).data ?? {};
  return code || message ? { code: code ?? null, message: message || code || '' } : null;
}

const NO_RIGHT = 'MCU_DEVELOPER_API_DO_NOT_HAVE_PERMISSION';

function noRight(code: string): ConnectorError {
  const message = `The API key of ${NAME} may not do that. Make one in the developer portal that may also write.`;
  return new ConnectorError('permission', message, { status: 401, code });
}

/** A read-only key gets the same response as a wrong one, except for its code. */
function readOnlyKey(error: unknown): unknown {
  return error instanceof ConnectorError && error.code === NO_RIGHT ? noRight(NO_RIGHT) : error;
}

/** Codes of success. Everything else is a failure, whatever the status. */
const WELL = /^(0|2\d\d|success|ok)$/i;

/** A failure inside a 200 response; null when there is none. */
function failureIn({ status, body }: HttpAnswer, isChange: boolean): ConnectorError | null {
  const { code, message } = parseResponse(NAME, Envelope, { status, body }, 'answer', isChange);
  // Read responses are recognized by their content; an accepted price by the code alone.
  if (code == null ? !isChange : WELL.test(code)) return null;
  if (code == null) throw unreadable(NAME, 'it does not say whether the request succeeded', status, isChange);
  if (code === NO_RIGHT) return noRight(code);
  const said = `${NAME} says: ${message || code}`;
  if (code === 'MCU_API_INVALID_API_KEY') {
    return new ConnectorError('key', `${NAME} does not accept the API key.`, { status, code, said });
  }
  if (REFUSALS.has(code)) {
    const details = { status, code, said, isOfRead: !isChange };
    return new ConnectorError('refused', `${NAME} refused the request.`, details);
  }
  // The effect of other codes on what was sent is unknown.
  return new ConnectorError('service', `${NAME} answered with an error.`, {
    status,
    code,
    said,
    mayHaveActed: isChange,
  });
}

/** Codes that mean that nothing of the call was done. */
const REFUSALS = new Set([
  'MCU_API_LISTING_NOT_FOUND',
  'MCU_API_BAD_REQUEST',
  'MCU_API_ORDER_NOT_FOUND',
  '400',
  '404',
]);
