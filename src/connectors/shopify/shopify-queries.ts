const VARIANT = `
  id sku title price compareAtPrice inventoryQuantity inventoryItem { tracked }
  product { id title status isGiftCard featuredMedia { preview { image { url } } } }
`;

const LINES = `
  pageInfo { hasNextPage endCursor }
  nodes {
    id sku quantity currentQuantity requiresShipping variant { id }
    priceAfterAllDiscountsBeforeTaxesSet { shopMoney { amount currencyCode } }
  }
`;

export const SHOP = 'query { shop { name currencyCode } }';

export const SCOPES = 'query { currentAppInstallation { accessScopes { handle } } }';

export const VARIANT_COUNT =
  'query { shop { currencyCode } productVariantsCount(limit: null) { count precision } }';

export const PRICE_LISTS = `query ($first: Int!, $after: String) {
  priceLists(first: $first, after: $after) {
    pageInfo { hasNextPage endCursor }
    nodes { name fixedPricesCount }
  }
}`;

export const VARIANTS = `query ($first: Int!, $after: String) {
  productVariants(first: $first, after: $after) {
    pageInfo { hasNextPage endCursor }
    nodes { ${VARIANT} media(first: 1) { nodes { preview { image { url } } } } }
  }
}`;

/** Without the images of the variant itself: a nested list comes as lines of its own. */
const ALL_VARIANTS = `{ productVariants { edges { node { ${VARIANT} } } } }`;

export const BULK_START = `mutation { bulkOperationRunQuery(query: ${JSON.stringify(ALL_VARIANTS)}) {
  bulkOperation { id status errorCode url }
  userErrors { message code }
} }`;

export const BULK_LOOK = 'query ($id: ID!) { bulkOperation(id: $id) { id status errorCode url } }';

export const UPDATE_PRICES = `mutation ($product: ID!, $variants: [ProductVariantsBulkInput!]!) {
  productVariantsBulkUpdate(productId: $product, variants: $variants, allowPartialUpdates: true) {
    productVariants { id price }
    userErrors { field message code }
  }
}`;

export const PRICES = `query ($ids: [ID!]!) {
  shop { currencyCode }
  nodes(ids: $ids) { ... on ProductVariant { id price compareAtPrice } }
}`;

/** Requests no data of buyers: that would need another permission. */
export const ORDERS = `query ($first: Int!, $after: String, $changed: String!) {
  orders(first: $first, after: $after, query: $changed, sortKey: UPDATED_AT) {
    pageInfo { hasNextPage endCursor }
    nodes {
      id createdAt cancelledAt test
      currentShippingPriceSet { shopMoney { amount currencyCode } } totalRefundedShippingSet { shopMoney { amount currencyCode } }
      lineItems(first: 25) { ${LINES} }
      refunds {
        id createdAt
        refundLineItems(first: 25) {
          pageInfo { hasNextPage endCursor }
          nodes { lineItem { id } quantity restockType subtotalSet { shopMoney { amount currencyCode } } }
        }
      }
    }
  }
}`;

export const MORE_LINES = `query ($id: ID!, $after: String) {
  order(id: $id) { lineItems(first: 100, after: $after) { ${LINES} } }
}`;

const AMOUNT = 'shopMoney { amount currencyCode }';

/** The lines of a refund, as the readings of sales and of payments need them. */
const REFUND_LINES = `
  pageInfo { hasNextPage endCursor }
  nodes { id lineItem { id } quantity restockType subtotalSet { ${AMOUNT} } totalTaxSet { ${AMOUNT} } }
`;

export const MORE_REFUND_LINES = `query ($id: ID!, $after: String) {
  refund(id: $id) { refundLineItems(first: 100, after: $after) { ${REFUND_LINES} } }
}`;

/** All transactions and refunds: these lists have no pages. */
const PAYMENTS = `
  id test fullyPaid totalTaxSet { ${AMOUNT} } totalTipReceivedSet { ${AMOUNT} }
  dutiesIncluded originalTotalDutiesSet { ${AMOUNT} }
  cancelledAt subtotalLineItemsQuantity currentSubtotalLineItemsQuantity
  transactions {
    id kind status test createdAt processedAt amountSet { ${AMOUNT} } fees { amount { amount currencyCode } }
  }
  refunds {
    id transactions(first: 5) { nodes { id } }
    refundLineItems(first: 25) { ${REFUND_LINES} }
    refundShippingLines(first: 5) { nodes { id subtotalAmountSet { ${AMOUNT} } taxAmountSet { ${AMOUNT} } } }
  }
`;

export const ORDER_PAYMENTS = `query ($first: Int!, $after: String, $changed: String!) {
  orders(first: $first, after: $after, query: $changed, sortKey: UPDATED_AT, reverse: true) {
    pageInfo { hasNextPage endCursor }
    nodes { ${PAYMENTS} }
  }
}`;

export const PAID_ORDERS = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Order { ${PAYMENTS} } } }`;

export const PAYOUTS = `query ($first: Int!, $after: String, $issued: String!) {
  shopifyPaymentsAccount {
    payouts(first: $first, after: $after, query: $issued, sortKey: ISSUED_AT, reverse: true) {
      pageInfo { hasNextPage endCursor }
      nodes { id issuedAt status transactionType net { amount currencyCode } }
    }
  }
}`;

export const BALANCE = `query ($first: Int!, $after: String, $ofPayout: String!) {
  shopifyPaymentsAccount {
    balanceTransactions(first: $first, after: $after, query: $ofPayout) {
      pageInfo { hasNextPage endCursor }
      nodes {
        id type test transactionDate amount { amount currencyCode } fee { amount currencyCode }
        associatedOrder { id } sourceOrderTransactionId
      }
    }
  }
}`;

export const WEBHOOKS = `query ($after: String) {
  webhookSubscriptions(first: 100, after: $after) {
    pageInfo { hasNextPage endCursor }
    nodes { id topic uri }
  }
}`;

export const CREATE_WEBHOOK = `mutation ($topic: WebhookSubscriptionTopic!, $subscription: WebhookSubscriptionInput!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: $subscription) {
    webhookSubscription { id }
    userErrors { message }
  }
}`;

export const DELETE_WEBHOOK = `mutation ($id: ID!) {
  webhookSubscriptionDelete(id: $id) { deletedWebhookSubscriptionId userErrors { message } }
}`;
