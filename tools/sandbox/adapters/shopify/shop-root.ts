import type { FastifyRequest } from 'fastify';
import { reportedPage } from '#sandbox/adapters/list-pages.ts';
import { CREDENTIALS } from '#sandbox/credentials.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { Store } from '#sandbox/world/price-lag.ts';
import type { BulkOperations } from './bulk-operations.ts';
import { connectionOf, type PageArguments, type QueryContext } from './connection.ts';
import { paymentsAccount, refundsOf } from './payments.ts';
import type { PriceUpdates, PriceUpdatesInput } from './price-updates.ts';
import { fitsSearch } from './search.ts';
import { orderView, productView, variantView } from './shop-views.ts';
import { gid } from './values.ts';
import type { SubscriptionInput, WebhookSubscriptions } from './webhooks.ts';

/** The context of a query: an HTTP request, or none for a bulk operation. */
export interface ShopContext extends QueryContext {
  readonly request: FastifyRequest | null;
}

interface Search extends PageArguments {
  readonly query?: string | null;
  readonly sortKey?: string | null;
}

const SCOPES = ['read_products', 'write_products', 'read_inventory', 'read_orders'];
const PAYMENTS_SCOPE = 'read_shopify_payments_payouts';
const ORDER_TIMES: Readonly<Record<string, 'createdAt' | 'updatedAt'>> = { UPDATED_AT: 'updatedAt' };

/** The resolvers of queries and mutations, by their names in the schema. */
export function shopRoot(
  market: Market,
  bulk: BulkOperations,
  updates: PriceUpdates,
  webhooks: WebhookSubscriptions,
): object {
  const nodeOf = (id: string) => nodeIn(market, bulk, id);
  return {
    shop: {
      __typename: 'Shop',
      id: gid('Shop', 1),
      name: 'Sandbox Shop',
      email: 'owner@example.com',
      currencyCode: 'USD',
      myshopifyDomain: CREDENTIALS.shopify.storeUrl,
      plan: { publicDisplayName: 'Basic' },
    },
    refund: ({ id }: { id: string }) =>
      market
        .orders()
        .flatMap((order) => refundsOf(market, order))
        .find((one) => one.id === id) ?? null,
    shopifyPaymentsAccount: () => paymentsAccount(market),
    currentAppInstallation: () => ({
      id: gid('AppInstallation', 1),
      accessScopes: [...SCOPES, ...(market.tellsMoney ? [PAYMENTS_SCOPE] : [])].map((handle) => ({
        handle,
        description: handle.replace('_', ' '),
      })),
    }),
    node: ({ id }: { id: string }) => nodeOf(id),
    nodes: ({ ids }: { ids: readonly string[] }) => ids.map(nodeOf),
    order: ({ id }: { id: string }) => nodeOf(id),
    priceLists: (requested: PageArguments, by: QueryContext) =>
      connectionOf(priceListsOf(market), requested, by),
    product: ({ id }: { id: string }) => nodeOf(id),
    productVariant: ({ id }: { id: string }) => nodeOf(id),
    productVariants: (requested: Search, by: QueryContext) =>
      connectionOf(
        searched(market, requested, by.isBulk ? 'document' : 'list').map((item) => variantView(market, item)),
        requested,
        by,
        (list, from, to) => reportedPage(market, list, from, Math.max(1, to - from)).part,
      ),
    productVariantsCount: ({ limit, query }: { limit: number | null; query?: string | null }) => {
      const found = searched(market, { query: query ?? null });
      const count = reportedPage(market, found, 0, Math.max(1, found.length)).total;
      const isMore = limit !== null && count > limit;
      return { count: isMore ? limit : count, precision: isMore ? 'AT_LEAST' : 'EXACT' };
    },
    orders: (requested: Search, by: QueryContext) => ordersOf(market, requested, by),
    bulkOperation: ({ id }: { id: string }) => bulk.view(id),
    currentBulkOperation: ({ type }: { type: string | null }) => (type === 'MUTATION' ? null : bulk.last()),
    bulkOperationRunQuery: ({ query }: { query: string }) => bulk.run(query),
    productVariantsBulkUpdate: (requested: PriceUpdatesInput, { request }: ShopContext) =>
      request === null ? null : updates.apply(requested, request),
    webhookSubscriptions: (requested: PageArguments, by: QueryContext) => webhooks.list(requested, by),
    webhookSubscriptionCreate: (requested: SubscriptionInput) => webhooks.create(requested),
    webhookSubscriptionDelete: (requested: { readonly id: string }) => webhooks.remove(requested),
  };
}

/** The price lists that the terms of any variant name, with the number of their fixed prices. */
function priceListsOf(market: Market) {
  const names = market.itemsIn('item').flatMap(({ terms }) => terms.priceLists);
  return [...new Set(names)].toSorted().map((name, at) => ({
    __typename: 'PriceList',
    id: gid('PriceList', at + 1),
    name,
    currency: 'USD',
    fixedPricesCount: names.filter((one) => one === name).length,
  }));
}

function searched(market: Market, { query, sortKey }: Search, store: Store = 'list'): MarketItem[] {
  const items = market
    .itemsIn(store)
    .filter((item) => fitsSearch(query, { sku: item.sku, title: item.title }));
  if (sortKey === 'SKU') return items.toSorted((a, b) => a.sku.localeCompare(b.sku));
  return items.toSorted((a, b) => Number(a.itemId) - Number(b.itemId));
}

function ordersOf(market: Market, requested: Search, by: QueryContext) {
  const time = ORDER_TIMES[requested.sortKey ?? ''] ?? 'createdAt';
  const orders = market
    .orders()
    .filter(({ createdAt, updatedAt }) =>
      fitsSearch(requested.query, { created_at: createdAt, processed_at: createdAt, updated_at: updatedAt }),
    )
    .toSorted((a, b) => a[time] - b[time] || a.number - b.number);
  return connectionOf(
    orders.map((order) => orderView(market, order)),
    requested,
    by,
  );
}

/** The object with this ID; null if there is none. */
function nodeIn(market: Market, bulk: BulkOperations, id: string) {
  const [, kind = '', number = ''] = /^gid:\/\/shopify\/(\w+)\/(\w+)$/.exec(id) ?? [];
  if (kind === 'Product') return productView(market, number);
  if (kind === 'BulkOperation') return bulk.view(id);
  if (kind === 'Order') {
    const order = market.orders().find((one) => one.number === Number(number) - 5_000_000_000_000);
    return order === undefined ? null : orderView(market, order);
  }
  const item = kind === 'ProductVariant' ? market.find(({ itemId }) => itemId === number) : null;
  return item === null ? null : variantView(market, market.seenIn('item', item));
}
