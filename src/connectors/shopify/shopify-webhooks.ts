import { z } from 'zod';
import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import {
  isReachableFrom,
  isSigned,
  jsonIn,
  type MarketplaceEvent,
  type MarketplaceEvents,
} from '#connectors/marketplace-events.ts';
import { instant, minutes } from '#domain/units.ts';
import { createCalls, NAME, type ShopifyCalls, type ShopifyOptions } from './shopify-calls.ts';
import { CREATE_WEBHOOK, DELETE_WEBHOOK, WEBHOOKS } from './shopify-queries.ts';

/** The topics we subscribe to. A product update covers its stock and its price. */
const TOPICS = ['ORDERS_CREATE', 'ORDERS_UPDATED', 'PRODUCTS_CREATE', 'PRODUCTS_UPDATE', 'PRODUCTS_DELETE'];
/** The only fields that events carry, so that no data of buyers is transmitted. */
const FIELDS = ['id', 'updated_at'];
const MAX_PAGES = 10;
const CHANGE_TIMEOUT = minutes(1);

const UserErrors = z.array(z.object({ message: z.string() }));
const Subscriptions = z.object({
  webhookSubscriptions: z.object({
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
    nodes: z.array(z.object({ id: z.string().min(1), topic: z.string(), uri: z.string() })),
  }),
});
type Subscription = z.output<typeof Subscriptions>['webhookSubscriptions']['nodes'][number];
const Created = z.object({
  webhookSubscriptionCreate: z.object({ userErrors: UserErrors }).nullable(),
});
const Deleted = z.object({
  webhookSubscriptionDelete: z.object({ userErrors: UserErrors }).nullable(),
});
const Changed = z.object({ updated_at: z.iso.datetime({ offset: true }) });

/** Events of a Shopify store, signed with the client secret of its app. */
export function createShopifyWebhooks(options: ShopifyOptions): MarketplaceEvents {
  const calls = createCalls(options);
  return {
    isPossible: (account, address) => secretOf(account) !== '' && isReachableFrom(options.baseUrl, address),
    subscribe: async (account, address, signal) => {
      const wanted = new Set(TOPICS);
      for (const { id, topic } of await ours(calls, account, address, signal)) {
        // One per topic: a second one would deliver every event twice.
        if (!wanted.delete(topic)) await remove(calls, account, id, signal);
      }
      for (const topic of wanted) await create(calls, account, topic, address, signal);
    },
    unsubscribe: async (account, address, signal) => {
      for (const { id } of await ours(calls, account, address, signal))
        await remove(calls, account, id, signal);
    },
    eventOf: (account, { headers, body }) => {
      const secret = secretOf(account);
      if (secret === '' || !isSigned(body, secret, headers['x-shopify-hmac-sha256'])) return null;
      return eventOf(headers['x-shopify-topic'], body);
    },
  };
}

function secretOf({ credentials }: Account): string {
  return credentials.clientSecret?.trim() ?? '';
}

/** The topic is not signed: a wrong one causes an unneeded sync at worst. */
function eventOf(topic: string | readonly string[] | undefined, body: Buffer): MarketplaceEvent {
  const [kind] = String(topic).split('/', 1);
  const changed = Changed.safeParse(jsonIn(body));
  return {
    what: kind === 'orders' ? ['sales'] : kind === 'products' ? ['listings'] : [],
    sku: null,
    at: changed.success ? instant(Date.parse(changed.data.updated_at)) : null,
    offers: null,
  };
}

/** The subscriptions of this app for one address. */
async function ours(
  calls: ShopifyCalls,
  account: Account,
  address: string,
  signal: AbortSignal,
): Promise<Subscription[]> {
  const found: Subscription[] = [];
  let after: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { nodes, pageInfo } = await pageOf(calls, account, after, signal);
    found.push(...nodes.filter(({ uri }) => uri === address));
    if (!pageInfo.hasNextPage || pageInfo.endCursor === null || pageInfo.endCursor === after) break;
    after = pageInfo.endCursor;
  }
  return found;
}

/** @param after the end cursor of the previous page; null for the first */
async function pageOf(
  calls: ShopifyCalls,
  account: Account,
  after: string | null,
  signal: AbortSignal,
): Promise<z.output<typeof Subscriptions>['webhookSubscriptions']> {
  const call = { operation: 'webhookSubscriptions', query: WEBHOOKS, variables: { after } };
  const { data } = await calls.ask(account, call, Subscriptions, 'list of subscriptions', signal);
  return data.webhookSubscriptions;
}

async function create(
  calls: ShopifyCalls,
  account: Account,
  topic: string,
  uri: string,
  signal: AbortSignal,
): Promise<void> {
  const call = {
    operation: 'webhookSubscriptionCreate',
    query: CREATE_WEBHOOK,
    variables: { topic, subscription: { uri, format: 'JSON', includeFields: FIELDS } },
    changes: { notAfter: instant(calls.now() + CHANGE_TIMEOUT) },
  };
  const { data } = await calls.ask(account, call, Created, 'subscription', signal);
  rejectUserErrors(data.webhookSubscriptionCreate?.userErrors ?? []);
}

async function remove(calls: ShopifyCalls, account: Account, id: string, signal: AbortSignal): Promise<void> {
  const call = {
    operation: 'webhookSubscriptionDelete',
    query: DELETE_WEBHOOK,
    variables: { id },
    changes: { notAfter: instant(calls.now() + CHANGE_TIMEOUT) },
  };
  const { data } = await calls.ask(account, call, Deleted, 'subscription', signal);
  rejectUserErrors(data.webhookSubscriptionDelete?.userErrors ?? []);
}

function rejectUserErrors([error]: z.output<typeof UserErrors>): void {
  if (error === undefined) return;
  throw new ConnectorError('refused', `${NAME} does not send events to this address.`, {
    said: `It says: ${error.message}`,
  });
}
