import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { readCallReset } from '#connectors/ebay/call-reset.ts';
import { credentialsOf, type EbayCalls, NAME, type TradingRequest } from '#connectors/ebay/ebay-calls.ts';
import { childAt, childrenOf, elementsOf, textAt, type XmlElement } from '#connectors/xml.ts';
import { hours, type Instant, instant } from '#domain/units.ts';

const NAMESPACE = 'urn:ebay:apis:eBLBaseComponents';

/*
 * Codes of refusals that do not concern a listing. The Trading API answers 200 for failures too
 * (https://developer.ebay.com/devzone/xml/docs/reference/ebay/errors/errormessages.htm).
 */
/** The token is missing, invalid or expired. */
const TOKEN_CODES = new Set(['930', '931', '932', '21916984', '21917053', '21917055']);
/** The calls of the day are used up. */
const DAY_LIMIT = '518';
/** Too many calls of this seller within seconds, and how long to wait then, in milliseconds. */
const TOO_MANY_CALLS = '21919144';
const TOO_MANY_CALLS_WAIT = 60_000;
/** Used up calls are tried again after this where eBay does not report when there are new ones. */
const UNKNOWN_RESET = hours(1);

/** One error of a response; warnings are none. */
export interface TradingError {
  readonly code: string;
  readonly message: string;
  /** What it is about, where eBay names it: item numbers, SKUs, positions. */
  readonly parameters: readonly string[];
  /** eBay failed, rather than refused. */
  readonly isOfSystem: boolean;
}

/** A response to a call of the Trading API. */
export interface TradingAnswer {
  readonly root: XmlElement;
  /** Nothing of the call was carried out. */
  readonly isFailure: boolean;
  readonly errors: readonly TradingError[];
}

export interface TradingCall extends Pick<TradingRequest, 'name' | 'operation' | 'changes'> {
  /** The elements of the request. */
  readonly content: string;
}

/**
 * Makes a call of the Trading API.
 * @returns also a response that refuses what was requested
 * @throws ConnectorError for a refused token, used up calls, an error of eBay's own, and what is no such response
 */
export async function callTrading(
  calls: EbayCalls,
  account: Account,
  { content, ...call }: TradingCall,
  signal: AbortSignal,
): Promise<TradingAnswer> {
  const xml = `<?xml version="1.0" encoding="utf-8"?><${call.name}Request xmlns="${NAMESPACE}">${content}</${call.name}Request>`;
  const mayHaveActed = call.changes !== undefined;
  throwClosed(calls, account);
  let read: TradingAnswer | null = null;
  const refuses: TradingRequest['refuses'] = ({ body }) => {
    read = answerOf(call.name, body, mayHaveActed);
    const refused = read.errors.find(({ code }) => TOKEN_CODES.has(code));
    if (refused !== undefined) throw refusedToken(refused);
  };
  const { body } = await calls.trading(account, { ...call, xml, refuses }, signal);
  const answer = read ?? answerOf(call.name, body, mayHaveActed);
  await throwGeneral(calls, account, answer, mayHaveActed, signal);
  return answer;
}

/** {@link callTrading} for a call that reads: a refusal is thrown, too. */
export async function readTrading(
  calls: EbayCalls,
  account: Account,
  call: Omit<TradingCall, 'changes'>,
  signal: AbortSignal,
): Promise<XmlElement> {
  const { root, isFailure, errors } = await callTrading(calls, account, call, signal);
  if (!isFailure) return root;
  const [error] = errors;
  throw new ConnectorError('refused', `${NAME} rejected the request.`, {
    isOfRead: true,
    code: error?.code ?? null,
    said: error === undefined ? null : `${NAME} says: ${error.message}`,
  });
}

function refusedToken({ code, message }: TradingError): ConnectorError {
  const sentence = `${NAME} does not accept your authorization. Choose "Connect ${NAME}" in Settings.`;
  return new ConnectorError('key', sentence, { code, said: `${NAME} says: ${message}` });
}

async function throwGeneral(
  calls: EbayCalls,
  account: Account,
  { isFailure, errors }: TradingAnswer,
  mayHaveActed: boolean,
  signal: AbortSignal,
): Promise<void> {
  const usedUp = errors.find(({ code }) => code === DAY_LIMIT);
  const failed = isFailure ? errors.find(({ isOfSystem }) => isOfSystem) : undefined;
  const crowded = errors.find(({ code }) => code === TOO_MANY_CALLS);
  const error = usedUp ?? crowded ?? failed;
  if (error === undefined) return;
  const { code } = error;
  const said = `${NAME} says: ${error.message}`;
  if (error === usedUp) {
    const reset = await readCallReset(calls, account, 'trading', signal);
    const until = typeof reset === 'number' ? reset : instant(calls.now() + UNKNOWN_RESET);
    calls.tradingClosed.set(credentialsOf(account).appId, until);
    throw usedUpUntil(until, { code, said });
  }
  if (error === crowded) {
    const details = { code, said, retryAfter: TOO_MANY_CALLS_WAIT };
    throw new ConnectorError('busy', `${NAME} is rate limiting requests.`, details);
  }
  const details = { code, said, mayHaveActed };
  throw new ConnectorError('service', `${NAME} answered with an error. Try again in a few minutes.`, details);
}

/** No call is made while those of the day are used up. */
function throwClosed(calls: EbayCalls, account: Account): void {
  const until = calls.tradingClosed.get(credentialsOf(account).appId);
  if (until !== undefined && calls.now() < until) throw usedUpUntil(until, { code: DAY_LIMIT, said: null });
}

function usedUpUntil(
  until: Instant,
  details: { readonly code: string; readonly said: string | null },
): ConnectorError {
  const sentence = `The calls of today to ${NAME}'s Trading API are used up.`;
  return new ConnectorError('busy', sentence, { ...details, dayLimit: { until, othersMayGo: true } });
}

function answerOf(name: string, body: unknown, mayHaveActed: boolean): TradingAnswer {
  const root = typeof body === 'string' ? documentOf(body, `${name}Response`) : null;
  const ack = textAt(root ?? undefined, 'Ack');
  if (root === null || ack === '') {
    const sentence = `Unexpected response from ${NAME}: not a valid ${name}Response.`;
    throw new ConnectorError('unreadable', sentence, { mayHaveActed });
  }
  const errors = childrenOf(root, 'Errors')
    .filter((error) => textAt(error, 'SeverityCode') !== 'Warning')
    .map(errorOf);
  return { root, isFailure: ack === 'Failure', errors };
}

function documentOf(xml: string, name: string): XmlElement | null {
  try {
    const [root = null] = [...elementsOf(xml, name)];
    return root;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function errorOf(error: XmlElement): TradingError {
  return {
    code: textAt(error, 'ErrorCode'),
    message: textAt(error, 'LongMessage') || textAt(error, 'ShortMessage') || 'no reason',
    parameters: childrenOf(error, 'ErrorParameters').map((parameter) =>
      (childAt(parameter, 'Value')?.text ?? '').trim(),
    ),
    isOfSystem: textAt(error, 'ErrorClassification') === 'SystemError',
  };
}
