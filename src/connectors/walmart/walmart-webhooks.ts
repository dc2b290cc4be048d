import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { HttpCall } from '#connectors/http/http-client.ts';
import {
  isReachableFrom,
  isSigned,
  jsonIn,
  type MarketplaceEvent,
  type MarketplaceEvents,
} from '#connectors/marketplace-events.ts';
import type { SyncKind } from '#domain/connections/sync-kinds.ts';
import { instant, minutes } from '#domain/units.ts';
import { offersOfEvent } from './box-event.ts';
import {
  createCalls,
  credentialsOf,
  jsonBody,
  NAME,
  problemsIn,
  sentenceOf,
  type WalmartCalls,
  type WalmartOptions,
} from './walmart-calls.ts';

const PATH = '/v3/webhooks/subscriptions';
const SIGNATURE = 'x-pricewright-signature';
const CHANGE_TIMEOUT = minutes(1);

interface Kind {
  readonly resource: string;
  readonly reads: readonly SyncKind[];
}

const BOX_CHANGED = 'BUY_BOX_CHANGED';

/** The events we subscribe to, by Walmart's names. */
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['PO_CREATED', { resource: 'ORDER', reads: ['sales'] }],
  ['PO_LINE_AUTOCANCELLED', { resource: 'ORDER', reads: ['sales'] }],
  [BOX_CHANGED, { resource: 'PRICE', reads: ['offers'] }],
  ['OFFER_UNPUBLISHED', { resource: 'ITEM', reads: ['listings'] }],
]);

const Subscription = z.object({
  subscriptionId: z.string().min(1).max(200),
  eventType: z.string(),
  eventUrl: z.string().nullish(),
  status: z.string().nullish(),
});
type Subscription = z.output<typeof Subscription>;
/** The description has them in a list of their own, the example next to it does not. */
const Subscriptions = z.object({
  events: z.array(z.union([Subscription, z.object({ event: z.array(Subscription) })])).nullish(),
});
const Event = z.object({
  source: z.object({ eventType: z.string(), eventTime: z.unknown() }),
  payload: z.object({ itemInfo: z.object({ sku: z.string().min(1).max(200) }).nullish() }).nullish(),
});

/**
 * Events of Walmart, signed with a secret that we set: it is derived from the client secret, so that it is not
 * stored.
 */
export function createWalmartWebhooks(options: WalmartOptions): MarketplaceEvents {
  const calls = createCalls(options);
  return {
    isPossible: ({ credentials }, address) =>
      (credentials.clientSecret ?? '') !== '' && isReachableFrom(options.baseUrl, address),
    subscribe: async (account, address, signal) => {
      const url = markedAddress(account, address);
      const wanted = new Map(KINDS);
      for (const { subscriptionId, eventType, eventUrl, status } of await ours(
        calls,
        account,
        address,
        signal,
      )) {
        const isGood = eventUrl === url && status !== 'INACTIVE';
        // One of each kind, signed with the current secret.
        if (!isGood || !wanted.delete(eventType)) await remove(calls, account, subscriptionId, signal);
      }
      if (wanted.size > 0) await create(calls, account, wanted, url, signal);
    },
    unsubscribe: async (account, address, signal) => {
      for (const { subscriptionId } of await ours(calls, account, address, signal))
        await remove(calls, account, subscriptionId, signal);
    },
    eventOf: (account, { headers, body }) => {
      if ((account.credentials.clientSecret ?? '') === '') return null;
      return isSigned(body, secretOf(account), headers[SIGNATURE]) ? eventOf(body) : null;
    },
  };
}

/** The signing secret. It does not reveal the client secret. */
function secretOf(account: Account): string {
  const { clientSecret } = credentialsOf(account);
  return createHmac('sha256', clientSecret).update('Pricewright signs events with this').digest('hex');
}

/** The address with a value derived from the secret, by which subscriptions of an older secret are recognized. */
function markedAddress(account: Account, address: string): string {
  const mark = createHash('sha256').update(secretOf(account)).digest('hex').slice(0, 12);
  return `${address}?key=${mark}`;
}

function eventOf(body: Buffer): MarketplaceEvent {
  const reported = jsonIn(body);
  const event = Event.safeParse(reported);
  if (!event.success) return { what: [], sku: null, at: null, offers: null };
  const { source, payload } = event.data;
  return {
    what: KINDS.get(source.eventType)?.reads ?? [],
    sku: payload?.itemInfo?.sku.trim() ?? null,
    at: momentOf(source.eventTime),
    offers: source.eventType === BOX_CHANGED ? offersOfEvent(reported) : null,
  };
}

/** Milliseconds since 1970, or a date. */
function momentOf(time: unknown): MarketplaceEvent['at'] {
  const isCount = typeof time === 'number' || (typeof time === 'string' && /^\d{10,15}$/.test(time));
  const at = isCount ? Number(time) : typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isSafeInteger(at) ? instant(at) : null;
}

async function ours(
  calls: WalmartCalls,
  account: Account,
  address: string,
  signal: AbortSignal,
): Promise<Subscription[]> {
  const call = { method: 'GET', path: PATH, operation: 'webhooks' } as const;
  const { events } = await calls.read(account, call, Subscriptions, 'list of subscriptions', signal);
  const all = (events ?? []).flatMap((each) => ('event' in each ? each.event : [each]));
  return all.filter(({ eventUrl }) => eventUrl === address || eventUrl?.startsWith(`${address}?`) === true);
}

async function create(
  calls: WalmartCalls,
  account: Account,
  kinds: ReadonlyMap<string, Kind>,
  eventUrl: string,
  signal: AbortSignal,
): Promise<void> {
  const authDetails = { authMethod: 'HMAC', authHeaderName: SIGNATURE, clientSecret: secretOf(account) };
  const events = [...kinds].map(([eventType, { resource }]) => ({
    eventType,
    eventVersion: 'V1',
    resourceName: resource,
    eventUrl,
    authDetails,
    headers: { 'content-type': 'application/json' },
    status: 'ACTIVE',
  }));
  const call: HttpCall = {
    method: 'POST',
    path: PATH,
    operation: 'webhooks',
    body: jsonBody(JSON.stringify({ events })),
    changes: { notAfter: instant(calls.now() + CHANGE_TIMEOUT) },
  };
  const [problem] = problemsIn((await calls.ask(account, call, signal)).body);
  if (problem === undefined) return;
  throw new ConnectorError('refused', `${NAME} does not send events to this address.`, {
    said: `It says: ${sentenceOf(problem)}`,
  });
}

async function remove(calls: WalmartCalls, account: Account, id: string, signal: AbortSignal): Promise<void> {
  const path = `${PATH}/${encodeURIComponent(id)}`;
  const changes = { notAfter: instant(calls.now() + CHANGE_TIMEOUT) };
  await calls.ask(
    account,
    { method: 'DELETE', path, operation: 'webhooks', changes, alsoAnswers: [404] },
    signal,
  );
}
