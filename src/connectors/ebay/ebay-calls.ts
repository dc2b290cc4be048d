import { z } from 'zod';
import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { withAccessToken } from '#connectors/http/access-token.ts';
import { CredentialText } from '#connectors/http/credential-text.ts';
import {
  createHttpClient,
  type HttpAnswer,
  type HttpCall,
  type HttpClientOptions,
} from '#connectors/http/http-client.ts';
import { credentialsFor, parseResponse } from '#connectors/parse-response.ts';
import type { HeldTokens } from '#connectors/token-vault.ts';
import { type Instant, instant } from '#domain/units.ts';
import { EBAY_BUDGETS } from './ebay-budgets.ts';
import { Refusal, Token } from './ebay-responses.ts';

export const NAME = 'eBay';

/** The kind of the application's own token; the seller's is "access". */
const APPLICATION = 'application';
const APPLICATION_SCOPE = 'https://api.ebay.com/oauth/api_scope';

/**
 * The longest wait for a search: the next one is available in half a minute, so a caller with hundreds of them
 * retries later instead of waiting for all of them. Milliseconds.
 */
const SEARCH_WAIT = 5_000;

/** eBay's codes are valid for five minutes. An attempt that waits longer would fail. Milliseconds. */
const CODE_LIFE = 240_000;

const CREDENTIAL_NAMES = {
  appId: 'App ID',
  certId: 'Cert ID',
  refreshToken: 'refresh token',
  marketplaceId: 'marketplace',
  username: 'user name',
};
const Credentials = z.object({
  appId: CredentialText,
  certId: CredentialText,
  refreshToken: CredentialText,
  refreshTokenExpiresAt: z.string().optional(),
  marketplaceId: z
    .string()
    .regex(/^EBAY_[A-Z_]{2,30}$/)
    .default('EBAY_US'),
  username: z.string().trim().min(1).max(100).optional(),
});
export type EbayCredentials = z.output<typeof Credentials>;

export type EbayOptions = Omit<HttpClientOptions, 'name' | 'budgets' | 'learn' | 'errorMessageOf'>;

type TradingOperation = Extract<keyof typeof EBAY_BUDGETS, `trading${string}`>;

/** A call of the Trading API (https://developer.ebay.com/devzone/xml/docs/concepts/makingacall.html). */
export interface TradingRequest extends Pick<HttpCall, 'changes'> {
  /** Such as "GetItem". */
  readonly name: string;
  readonly operation: TradingOperation;
  /** The document. */
  readonly xml: string;
  /** Throws for a response that refuses the token: the call is then repeated with a new one. */
  readonly refuses: (answer: HttpAnswer) => void;
}

/** The version of the Trading API's schema that responses are read by. */
const TRADING_VERSION = '1379';
/** The Trading API's numbers of the sites whose listings can be in US dollars; 0 is the United States. */
const SITE_IDS: Readonly<Record<string, string>> = { EBAY_MOTORS_US: '100', EBAY_CA: '2' };

/** eBay's calls with one of its two tokens. */
export interface EbayCalls {
  readonly now: () => Instant;
  readonly wait: EbayOptions['wait'];
  /** How many calls of an operation for the seller our own budget allows now. */
  left(operation: TradingOperation): number;
  /** For the seller: listings, prices, orders. */
  asSeller(account: Account, call: HttpCall, signal: AbortSignal): Promise<HttpAnswer>;
  /** For the seller: payments. They have a host of their own. */
  finances(account: Account, call: HttpCall, signal: AbortSignal): Promise<HttpAnswer>;
  /** For the seller, in XML: listings outside of the Inventory model. */
  trading(account: Account, call: TradingRequest, signal: AbortSignal): Promise<HttpAnswer>;
  /** By App ID: until when the Trading API takes no more calls, since those of the day are used up. */
  readonly tradingClosed: Map<string, Instant>;
  /** By App ID: until when no price is sent through the Inventory API, and whether its calls of the day are used up. */
  readonly inventoryClosed: Map<string, { readonly until: Instant; readonly isForDay: boolean }>;
  /** For the application: what every buyer sees. */
  asBuyer(account: Account, call: HttpCall, signal: AbortSignal): Promise<HttpAnswer>;
  /**
   * Requests a token; a refusal is returned as a response.
   * @param isOnce never repeated once eBay may have received it
   */
  token(
    application: Pick<EbayCredentials, 'appId' | 'certId'>,
    form: Readonly<Record<string, string>>,
    signal: AbortSignal,
    isOnce?: boolean,
  ): Promise<HttpAnswer>;
}

/** Those of the application alone: enough for its own token, also before the seller's authorization. */
const ApplicationCredentials = Credentials.omit({ refreshToken: true });
type ApplicationCredentials = z.output<typeof ApplicationCredentials>;

export function credentialsOf(account: Account): EbayCredentials {
  return credentialsFor(NAME, Credentials, account.credentials, CREDENTIAL_NAMES);
}

export function createCalls(options: EbayOptions): EbayCalls {
  const now = options.now ?? (() => instant(Date.now()));
  const core = { ...options, now, name: NAME, budgets: EBAY_BUDGETS, errorMessageOf };
  const clients = {
    access: createHttpClient(core),
    [APPLICATION]: createHttpClient({ ...core, limits: { ...options.limits, longestWait: SEARCH_WAIT } }),
  };
  const finances = createHttpClient({ ...core, baseUrl: financesOf(options.baseUrl) });
  const withToken =
    (kind: 'access' | typeof APPLICATION) =>
    <Answer>(
      account: Account,
      use: (token: string, credentials: ApplicationCredentials) => Promise<Answer>,
      signal: AbortSignal,
    ): Promise<Answer> => {
      const { credentials, form } = kind === APPLICATION ? applicationGrant(account) : sellerGrant(account);
      const client = clients[kind];
      const fetch = async (): Promise<HeldTokens> => {
        const obtainedAt = now();
        const answer = await client.call(tokenCall(credentials, form), signal);
        const { access_token, expires_in } = tokenOf(answer);
        const expiresAt = instant(obtainedAt + expires_in * 1_000);
        return { [kind]: { value: access_token, obtainedAt, expiresAt } };
      };
      const source = { name: NAME, tokens: account.tokens, now, kind, fetch };
      return withAccessToken(source, (token) => use(token, credentials));
    };
  const call =
    (kind: 'access' | typeof APPLICATION, called = clients[kind]) =>
    (account: Account, one: HttpCall, signal: AbortSignal) =>
      withToken(kind)(
        account,
        (token, credentials) => called.call({ ...one, headers: headersFor(token, credentials, one) }, signal),
        signal,
      );
  return {
    now,
    wait: options.wait,
    left: (operation) => clients.access.left(operation),
    asSeller: call('access'),
    finances: call('access', finances),
    trading: (account, { name, operation, xml, refuses, ...rest }, signal) =>
      withToken('access')(
        account,
        async (token, credentials) => {
          const answer = await clients.access.call(
            {
              method: 'POST',
              path: '/ws/api.dll',
              operation,
              headers: tradingHeaders(token, name, credentials),
              body: { type: 'text/xml', text: xml },
              reads: 'text',
              ...rest,
            },
            signal,
          );
          refuses(answer);
          return answer;
        },
        signal,
      ),
    tradingClosed: new Map(),
    inventoryClosed: new Map(),
    asBuyer: call(APPLICATION),
    token: (application, form, signal, isOnce = false) => {
      const one = tokenCall(application, form);
      const changes = { notAfter: instant(now() + CODE_LIFE) };
      return clients.access.call(isOnce ? { ...one, changes } : one, signal);
    },
  };
}

/** How a token is requested: the credentials, and the form besides them. */
interface Grant {
  readonly credentials: ApplicationCredentials;
  readonly form: Readonly<Record<string, string>>;
}

function applicationGrant({ credentials: given }: Account): Grant {
  const credentials = credentialsFor(NAME, ApplicationCredentials, given, CREDENTIAL_NAMES);
  return { credentials, form: { grant_type: 'client_credentials', scope: APPLICATION_SCOPE } };
}

function sellerGrant(account: Account): Grant {
  const credentials = credentialsOf(account);
  return { credentials, form: { grant_type: 'refresh_token', refresh_token: credentials.refreshToken } };
}

/** Payments are at apiz.ebay.com for api.ebay.com, also in eBay's own sandbox. */
function financesOf(baseUrl: string): string {
  return baseUrl.replace(/^https:\/\/api\.((?:sandbox\.)?ebay\.com)$/, 'https://apiz.$1');
}

function headersFor(token: string, { marketplaceId }: ApplicationCredentials, { headers, body }: HttpCall) {
  return {
    accept: 'application/json',
    ...headers,
    authorization: `Bearer ${token}`,
    'x-ebay-c-marketplace-id': marketplaceId,
    ...(body === undefined ? {} : { 'content-language': 'en-US' }),
  };
}

/** The seller's token in a header of its own takes the place of the credentials in the document. */
function tradingHeaders(token: string, name: string, { marketplaceId }: ApplicationCredentials) {
  return {
    accept: 'text/xml',
    'x-ebay-api-call-name': name,
    'x-ebay-api-compatibility-level': TRADING_VERSION,
    'x-ebay-api-siteid': SITE_IDS[marketplaceId] ?? '0',
    'x-ebay-api-iaf-token': token,
  };
}

function tokenCall(
  { appId, certId }: Pick<EbayCredentials, 'appId' | 'certId'>,
  form: Readonly<Record<string, string>>,
): HttpCall {
  const basic = Buffer.from(`${appId}:${certId}`).toString('base64');
  return {
    method: 'POST',
    path: '/identity/v1/oauth2/token',
    operation: 'token',
    headers: { accept: 'application/json', authorization: `Basic ${basic}` },
    body: { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(form).toString() },
    alsoAnswers: [400, 401],
  };
}

function tokenOf(answer: HttpAnswer): z.output<typeof Token> {
  if (answer.status < 400) return parseResponse(NAME, Token, answer, 'token');
  throw refusedToken(answer, 'your authorization');
}

/** @param what is refused unless it is the application itself */
export function refusedToken({ status, body }: HttpAnswer, what: string): ConnectorError {
  const said = errorMessageOf(body);
  const theirs = said === null ? null : `${NAME} says: ${said.message}`;
  const sentence =
    said?.code === 'invalid_client'
      ? `${NAME} does not accept the App ID and Cert ID (${status}). Copy both from your keyset again, save them, then try again.`
      : `${NAME} does not accept ${what} (${status}). Choose "Connect ${NAME}" in Settings.`;
  return new ConnectorError('key', sentence, { status, code: said?.code ?? null, said: theirs });
}

function errorMessageOf(body: unknown): { code: string | null; message: string } | null {
  const refusal = Refusal.safeParse(body);
  if (!refusal.success || refusal.data === undefined) return null;
  if ('error' in refusal.data) return { code: refusal.data.error, message: refusal.data.message };
  const { errorId, message, longMessage } = refusal.data;
  const words = longMessage ?? message;
  return words == null ? null : { code: errorId == null ? null : String(errorId), message: words };
}
