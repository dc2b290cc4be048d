import type { Sandbox } from '#sandbox/server.ts';
import { callerOf, pass } from './sandbox-shop.ts';

const MINUTE = 60_000;
const PATH = '/admin/api/2026-10/graphql.json';
const VARIANT = `id sku title displayName price inventoryQuantity position createdAt
  inventoryItem { id tracked unitCost { amount } measurement { weight { value unit } } }
  product { id title status isGiftCard featuredMedia { preview { image { url } } } }`;
const MONEY = '{ shopMoney { amount currencyCode } presentmentMoney { amount } }';

interface Page<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}
interface Variant {
  readonly id: string;
  readonly sku: string;
  readonly product: { readonly id: string };
}
type Ask = <Data>(query: string, variables?: Readonly<Record<string, unknown>>) => Promise<Data>;

async function logIn({ addresses, credentials }: Sandbox): Promise<Ask> {
  const { clientId: client_id = '', clientSecret: client_secret = '' } = credentials.shopify;
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const token = (await callerOf(addresses.shopify)('POST', '/admin/oauth/access_token', form)) as {
    access_token: string;
  };
  const call = callerOf(addresses.shopify, { 'x-shopify-access-token': token.access_token });
  return async <Data>(query: string, variables = {}) =>
    ((await call('POST', PATH, { query, variables })) as { data: Data }).data;
}

/** Makes every call that the Shopify of the sandbox knows. */
export async function callShopify(sandbox: Sandbox): Promise<void> {
  const ask = await logIn(sandbox);
  await ask('{ shop { id name email currencyCode myshopifyDomain } }');
  await ask('{ currentAppInstallation { id accessScopes { handle description } } }');
  await ask('{ productVariantsCount(limit: null) { count precision } }');
  const pages = `query ($first: Int!, $after: String) { productVariants(first: $first, after: $after) {
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    nodes { ${VARIANT} media(first: 1) { nodes { id preview { image { url } } } } } } }`;
  const first = await ask<{ productVariants: Page<Variant> }>(pages, { first: 10 });
  const { endCursor, hasNextPage } = first.productVariants.pageInfo;
  await ask(pages, { first: 100, after: endCursor });
  const [variant] = first.productVariants.nodes;
  if (variant === undefined || !hasNextPage) throw new Error('few variants');
  await ask('query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on ProductVariant { price } } }', {
    ids: [variant.id, variant.product.id, 'gid://shopify/ProductVariant/1'],
  });
  await ask(
    `query ($id: ID!) { productVariant(id: $id) { sku product { variants(first: 5) { nodes { id } } } } }`,
    { id: variant.id },
  );
  await callPrices(sandbox, ask, variant);
  await callOrders(ask);
  await callPayments(sandbox, ask);
  await callBulk(sandbox, ask);
  await callWebhooks(ask);
  const stranger = callerOf(sandbox.addresses.shopify, { 'x-shopify-access-token': 'shpat_made_up' });
  await stranger('POST', PATH, { query: '{ shop { name } }' });
}

async function callPrices(sandbox: Sandbox, ask: Ask, { id, sku, product }: Variant): Promise<void> {
  const update = `mutation ($product: ID!, $variants: [ProductVariantsBulkInput!]!, $partly: Boolean) {
    productVariantsBulkUpdate(productId: $product, variants: $variants, allowPartialUpdates: $partly) {
      product { id } productVariants { id price } userErrors { field message code } } }`;
  const variants = [
    { id, price: '14.75' },
    { id: 'gid://shopify/ProductVariant/1', price: '2.00' },
  ];
  await ask(update, { product: product.id, variants, partly: false });
  await ask(update, { product: product.id, variants: [{ id, price: '-1.00' }], partly: true });
  await ask(update, { product: 'gid://shopify/Product/1', variants, partly: true });
  await ask(update, { product: product.id, variants, partly: true });
  const live = sandbox.world.market('shopify').item(sku)?.price;
  if (live !== 1_475) throw new Error(`the price is not live: ${live}`);
}

async function callPayments({ world }: Sandbox, ask: Ask): Promise<void> {
  await ask(`{ shop { plan { publicDisplayName } } }`);
  const order = `id fullyPaid cancelledAt subtotalLineItemsQuantity currentSubtotalLineItemsQuantity dutiesIncluded originalTotalDutiesSet ${MONEY} totalTaxSet ${MONEY} totalTipReceivedSet ${MONEY} transactions(first: 5) { id kind status gateway test createdAt processedAt amountSet ${MONEY}
      fees { id amount { amount currencyCode } flatFee { amount } flatFeeName rate rateName taxAmount { amount } type } }
    refunds(first: 5) { id createdAt processedAt totalRefundedSet ${MONEY} transactions(first: 5) { nodes { id } }
      refundShippingLines(first: 5) { nodes { id subtotalAmountSet ${MONEY} taxAmountSet ${MONEY} } }
      refundLineItems(first: 5) { nodes { id quantity restockType restocked subtotalSet ${MONEY} totalTaxSet ${MONEY} lineItem { id sku } } } }`;
  await ask(`query { orders(first: 20) { nodes { ${order} } } }`);
  await ask(
    'query ($id: ID!) { refund(id: $id) { refundLineItems(first: 5) { pageInfo { hasNextPage } nodes { quantity } } } }',
    { id: 'gid://shopify/Refund/1' },
  );
  const balance = `query { shopifyPaymentsAccount { id activated country defaultCurrency
    balanceTransactions(first: 50, hideTransfers: true) { pageInfo { hasNextPage endCursor } nodes {
      id type sourceType test transactionDate amount { amount } fee { amount } net { amount currencyCode }
      associatedOrder { id name } associatedPayout { id status } sourceOrderTransactionId } } } }`;
  await ask(balance);
  const { shopifyPaymentsAccount } = await ask<{
    shopifyPaymentsAccount: { payouts: Page<{ id: string }> };
  }>(`query { shopifyPaymentsAccount { payouts(first: 2, query: "issued_at:>='2026-03-04T00:00:00Z'", sortKey: ISSUED_AT,
    reverse: true) { pageInfo { hasNextPage } nodes { id issuedAt status transactionType net { amount currencyCode } } } } }`);
  const payout = shopifyPaymentsAccount.payouts.nodes[0]?.id.split('/').at(-1);
  const paid = await ask<{ shopifyPaymentsAccount: { balanceTransactions: Page<unknown> } }>(
    `query { shopifyPaymentsAccount { balanceTransactions(first: 50, query: "payments_transfer_id:${payout}") {
      nodes { id } } } }`,
  );
  if (paid.shopifyPaymentsAccount.balanceTransactions.nodes.length === 0) throw new Error('an empty payout');
  world.market('shopify').grantMoneyRight(false);
  await ask(balance);
  world.market('shopify').grantMoneyRight(true);
}

async function callWebhooks(ask: Ask): Promise<void> {
  const create = `mutation ($topic: WebhookSubscriptionTopic!, $subscription: WebhookSubscriptionInput!) {
    webhookSubscriptionCreate(topic: $topic, webhookSubscription: $subscription) {
      webhookSubscription { id topic uri format includeFields createdAt updatedAt } userErrors { field message } } }`;
  const subscription = { uri: 'http://127.0.0.1:9/events', format: 'JSON', includeFields: ['id'] };
  await ask(create, { topic: 'ORDERS_UPDATED', subscription });
  await ask(create, { topic: 'ORDERS_UPDATED', subscription });
  await ask(create, { topic: 'ORDERS_CREATE', subscription: { uri: 'https://shop.example/events' } });
  const list = `query { webhookSubscriptions(first: 5) {
    pageInfo { hasNextPage endCursor } nodes { id topic uri } } }`;
  const { webhookSubscriptions } = await ask<{ webhookSubscriptions: Page<{ id: string }> }>(list);
  const [first] = webhookSubscriptions.nodes;
  if (first === undefined || webhookSubscriptions.nodes.length !== 1) throw new Error('not one subscription');
  const remove = `mutation ($id: ID!) { webhookSubscriptionDelete(id: $id) {
    deletedWebhookSubscriptionId userErrors { field message } } }`;
  await ask(remove, { id: first.id });
  await ask(remove, { id: first.id });
}

async function callOrders(ask: Ask): Promise<void> {
  const query = `query ($first: Int!, $after: String, $changed: String!) {
    orders(first: $first, after: $after, query: $changed, sortKey: UPDATED_AT) {
      pageInfo { hasNextPage endCursor }
      nodes { id name createdAt updatedAt processedAt cancelledAt test currencyCode totalPriceSet ${MONEY}
        lineItems(first: 25) { pageInfo { hasNextPage endCursor } nodes {
          id name title sku quantity currentQuantity requiresShipping variant { id }
          originalUnitPriceSet ${MONEY} discountedUnitPriceSet ${MONEY}
          discountedUnitPriceAfterAllDiscountsSet ${MONEY} priceAfterAllDiscountsBeforeTaxesSet ${MONEY} } } } } }`;
  const changed = "updated_at:>='2026-03-05T00:00:00.000Z'";
  const { orders } = await ask<{ orders: Page<{ id: string }> }>(query, { first: 5, changed });
  if (!orders.pageInfo.hasNextPage) throw new Error('few orders');
  await ask(query, { first: 20, after: orders.pageInfo.endCursor, changed });
  await ask('query ($id: ID!) { order(id: $id) { lineItems(first: 100) { nodes { id sku } } } }', {
    id: orders.nodes[0]?.id,
  });
}

async function callBulk(sandbox: Sandbox, ask: Ask): Promise<void> {
  const start = `mutation ($query: String!) { bulkOperationRunQuery(query: $query) {
    bulkOperation { id status errorCode url } userErrors { field message code } } }`;
  const look = `{ currentBulkOperation { id status errorCode url partialDataUrl objectCount rootObjectCount fileSize
    createdAt completedAt query type } }`;
  await ask(start, { query: '{ shop { name } }' });
  const query = `{ productVariants { edges { node { ${VARIANT} media { edges { node { id } } } } } } }`;
  const { bulkOperationRunQuery } = await ask<{
    bulkOperationRunQuery: { bulkOperation: { id: string } };
  }>(start, { query });
  await ask(start, { query });
  await ask(look);
  pass(sandbox, 2 * MINUTE);
  await ask(look);
  const { bulkOperation } = await ask<{ bulkOperation: { status: string; url: string } }>(
    'query ($id: ID!) { bulkOperation(id: $id) { id status errorCode url } }',
    { id: bulkOperationRunQuery.bulkOperation.id },
  );
  const rows = (await (await fetch(bulkOperation.url)).text()).trim().split('\n');
  const variants = sandbox.world.market('shopify').items().length;
  if (rows.length !== variants) throw new Error(`${rows.length} rows of ${variants} variants`);
}
