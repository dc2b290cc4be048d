import { buildSchema, GraphQLError, isScalarType } from 'graphql';

/**
 * The part of Shopify's official schema of 2026-10 that the sandbox serves, with the same types, fields and arguments. The
 * whole schema is thirty times as large as the rest of the sandbox.
 */
export const SDL = `
scalar BigInt
scalar DateTime
scalar Decimal
scalar Money
scalar URL
scalar UnsignedInt64

enum BalanceTransactionSortKeys { ID PAYOUT_DATE PROCESSED_AT }
enum BulkOperationErrorCode { ACCESS_DENIED INTERNAL_SERVER_ERROR TIMEOUT }
enum BulkOperationStatus { CANCELED CANCELING COMPLETED CREATED EXPIRED FAILED RUNNING }
enum BulkOperationType { MUTATION QUERY }
enum BulkOperationUserErrorCode { INVALID LIMIT_REACHED OPERATION_IN_PROGRESS }
enum CountPrecision { AT_LEAST EXACT }
enum CurrencyCode { EUR USD }
enum OrderSortKeys { CREATED_AT ID PROCESSED_AT UPDATED_AT }
enum OrderTransactionKind { AUTHORIZATION CAPTURE REFUND SALE VOID }
enum OrderTransactionStatus { ERROR FAILURE PENDING SUCCESS }
enum PayoutSortKeys { AMOUNT ID ISSUED_AT STATUS }
enum PriceListSortKeys { ID NAME }
enum ProductStatus { ACTIVE ARCHIVED DRAFT UNLISTED }
enum ProductVariantSortKeys { ID POSITION SKU TITLE }
enum ProductVariantsBulkUpdateUserErrorCode {
  INVALID_VALUE NEGATIVE_PRICE_VALUE PRODUCT_DOES_NOT_EXIST PRODUCT_SUSPENDED PRODUCT_VARIANT_DOES_NOT_EXIST
  PRODUCT_VARIANT_ID_MISSING
}
enum RefundLineItemRestockType { CANCEL LEGACY_RESTOCK NO_RESTOCK RETURN }
enum ShopifyPaymentsBalanceTransactionPayoutStatus { PAID PENDING SCHEDULED }
enum ShopifyPaymentsPayoutStatus { CANCELED FAILED PAID SCHEDULED }
enum ShopifyPaymentsPayoutTransactionType { DEPOSIT WITHDRAWAL }
enum ShopifyPaymentsSourceType { ADJUSTMENT CHARGE REFUND TRANSFER }
enum ShopifyPaymentsTransactionType { ADJUSTMENT CHARGE REFUND TRANSFER }
enum WebhookSubscriptionFormat { JSON XML }
enum WebhookSubscriptionSortKeys { CREATED_AT ID }
enum WebhookSubscriptionTopic {
  ORDERS_CANCELLED ORDERS_CREATE ORDERS_UPDATED PRODUCTS_CREATE PRODUCTS_DELETE PRODUCTS_UPDATE
}
enum WeightUnit { GRAMS KILOGRAMS OUNCES POUNDS }

interface DisplayableError { field: [String!] message: String! }
interface Media { id: ID! alt: String preview: MediaPreviewImage }
interface Node { id: ID! }

type AccessScope { description: String! handle: String! }
type AppInstallation implements Node { id: ID! accessScopes: [AccessScope!]! }
type BulkOperation implements Node {
  id: ID! status: BulkOperationStatus! errorCode: BulkOperationErrorCode url: URL partialDataUrl: URL
  objectCount: UnsignedInt64! rootObjectCount: UnsignedInt64! fileSize: UnsignedInt64
  createdAt: DateTime! completedAt: DateTime query: String! type: BulkOperationType!
}
type BulkOperationRunQueryPayload { bulkOperation: BulkOperation userErrors: [BulkOperationUserError!]! }
type BulkOperationUserError implements DisplayableError {
  code: BulkOperationUserErrorCode field: [String!] message: String!
}
type Count { count: Int! precision: CountPrecision! }
type Image { id: ID url: URL! altText: String }
type InventoryItem implements Node {
  id: ID! sku: String tracked: Boolean! unitCost: MoneyV2 measurement: InventoryItemMeasurement!
}
type InventoryItemMeasurement implements Node { id: ID! weight: Weight }
type LineItem implements Node {
  id: ID! name: String! title: String! sku: String quantity: Int! currentQuantity: Int! requiresShipping: Boolean!
  variant: ProductVariant
  originalUnitPriceSet: MoneyBag! discountedUnitPriceSet: MoneyBag! discountedUnitPriceAfterAllDiscountsSet: MoneyBag!
  priceAfterAllDiscountsBeforeTaxesSet: MoneyBag!
}
type LineItemConnection { edges: [LineItemEdge!]! nodes: [LineItem!]! pageInfo: PageInfo! }
type LineItemEdge { cursor: String! node: LineItem! }
type MediaConnection { edges: [MediaEdge!]! nodes: [Media!]! pageInfo: PageInfo! }
type MediaEdge { cursor: String! node: Media! }
type MediaImage implements Media & Node { id: ID! alt: String preview: MediaPreviewImage image: Image }
type MediaPreviewImage { image: Image }
type MoneyBag { presentmentMoney: MoneyV2! shopMoney: MoneyV2! }
type MoneyV2 { amount: Decimal! currencyCode: CurrencyCode! }
type Order implements Node {
  id: ID! name: String! createdAt: DateTime! updatedAt: DateTime! processedAt: DateTime! cancelledAt: DateTime
  test: Boolean! fullyPaid: Boolean! currencyCode: CurrencyCode! totalPriceSet: MoneyBag! totalTaxSet: MoneyBag
  subtotalLineItemsQuantity: Int! currentSubtotalLineItemsQuantity: Int!
  dutiesIncluded: Boolean! originalTotalDutiesSet: MoneyBag totalTipReceivedSet: MoneyBag! currentShippingPriceSet: MoneyBag! totalRefundedShippingSet: MoneyBag!
  lineItems(after: String, before: String, first: Int, last: Int, reverse: Boolean = false): LineItemConnection!
  refunds(first: Int): [Refund!]!
  transactions(capturable: Boolean, first: Int, manuallyResolvable: Boolean): [OrderTransaction!]!
}
type OrderConnection { edges: [OrderEdge!]! nodes: [Order!]! pageInfo: PageInfo! }
type OrderEdge { cursor: String! node: Order! }
type OrderTransaction implements Node {
  id: ID! kind: OrderTransactionKind! status: OrderTransactionStatus! gateway: String test: Boolean!
  createdAt: DateTime! processedAt: DateTime amountSet: MoneyBag! fees: [TransactionFee!]!
}
type OrderTransactionConnection { edges: [OrderTransactionEdge!]! nodes: [OrderTransaction!]! pageInfo: PageInfo! }
type OrderTransactionEdge { cursor: String! node: OrderTransaction! }
type PageInfo { endCursor: String hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String }
type Product implements Node {
  id: ID! title: String! handle: String! status: ProductStatus! vendor: String! productType: String!
  isGiftCard: Boolean! createdAt: DateTime! updatedAt: DateTime! featuredMedia: Media
  variants(
    after: String, before: String, first: Int, last: Int, reverse: Boolean = false,
    sortKey: ProductVariantSortKeys = POSITION
  ): ProductVariantConnection!
}
type ProductVariant implements Node {
  id: ID! sku: String title: String! displayName: String! price: Money! compareAtPrice: Money barcode: String
  inventoryQuantity: Int inventoryItem: InventoryItem! product: Product! position: Int!
  createdAt: DateTime! updatedAt: DateTime!
  media(after: String, before: String, first: Int, last: Int, reverse: Boolean = false): MediaConnection!
}
type ProductVariantConnection { edges: [ProductVariantEdge!]! nodes: [ProductVariant!]! pageInfo: PageInfo! }
type ProductVariantEdge { cursor: String! node: ProductVariant! }
input ProductVariantsBulkInput { id: ID price: Money compareAtPrice: Money }
type ProductVariantsBulkUpdatePayload {
  product: Product productVariants: [ProductVariant!] userErrors: [ProductVariantsBulkUpdateUserError!]!
}
type ProductVariantsBulkUpdateUserError implements DisplayableError {
  code: ProductVariantsBulkUpdateUserErrorCode field: [String!] message: String!
}
type Refund implements Node {
  id: ID! createdAt: DateTime processedAt: DateTime! updatedAt: DateTime! totalRefundedSet: MoneyBag!
  refundLineItems(
    after: String, before: String, first: Int, last: Int, reverse: Boolean = false
  ): RefundLineItemConnection!
  refundShippingLines(
    after: String, before: String, first: Int, last: Int, reverse: Boolean = false
  ): RefundShippingLineConnection!
  transactions(
    after: String, before: String, first: Int, last: Int, reverse: Boolean = false
  ): OrderTransactionConnection!
}
type RefundLineItem {
  id: ID lineItem: LineItem! quantity: Int! restockType: RefundLineItemRestockType! restocked: Boolean!
  subtotalSet: MoneyBag! totalTaxSet: MoneyBag!
}
type RefundLineItemConnection { edges: [RefundLineItemEdge!]! nodes: [RefundLineItem!]! pageInfo: PageInfo! }
type RefundLineItemEdge { cursor: String! node: RefundLineItem! }
type RefundShippingLine implements Node { id: ID! subtotalAmountSet: MoneyBag! taxAmountSet: MoneyBag! }
type RefundShippingLineConnection {
  edges: [RefundShippingLineEdge!]! nodes: [RefundShippingLine!]! pageInfo: PageInfo!
}
type RefundShippingLineEdge { cursor: String! node: RefundShippingLine! }
type Shop implements Node {
  id: ID! name: String! email: String! currencyCode: CurrencyCode! myshopifyDomain: String! plan: ShopPlan!
}
type ShopPlan { publicDisplayName: String! }
type ShopifyPaymentsAccount implements Node {
  id: ID! activated: Boolean! country: String! defaultCurrency: CurrencyCode!
  balanceTransactions(
    after: String, before: String, first: Int, hideTransfers: Boolean = false, last: Int, query: String,
    reverse: Boolean = false, savedSearchId: ID, sortKey: BalanceTransactionSortKeys = PROCESSED_AT
  ): ShopifyPaymentsBalanceTransactionConnection!
  payouts(
    after: String, before: String, first: Int, last: Int, query: String, reverse: Boolean = false,
    savedSearchId: ID, sortKey: PayoutSortKeys = ISSUED_AT, transactionType: ShopifyPaymentsPayoutTransactionType
  ): ShopifyPaymentsPayoutConnection!
}
type ShopifyPaymentsAssociatedOrder { id: ID! name: String! }
type ShopifyPaymentsBalanceTransaction implements Node {
  id: ID! type: ShopifyPaymentsTransactionType! sourceType: ShopifyPaymentsSourceType test: Boolean!
  transactionDate: DateTime! amount: MoneyV2! fee: MoneyV2! net: MoneyV2!
  associatedOrder: ShopifyPaymentsAssociatedOrder
  associatedPayout: ShopifyPaymentsBalanceTransactionAssociatedPayout! sourceOrderTransactionId: BigInt
}
type ShopifyPaymentsBalanceTransactionAssociatedPayout {
  id: ID status: ShopifyPaymentsBalanceTransactionPayoutStatus
}
type ShopifyPaymentsBalanceTransactionConnection {
  edges: [ShopifyPaymentsBalanceTransactionEdge!]! nodes: [ShopifyPaymentsBalanceTransaction!]! pageInfo: PageInfo!
}
type ShopifyPaymentsBalanceTransactionEdge { cursor: String! node: ShopifyPaymentsBalanceTransaction! }
type ShopifyPaymentsPayout implements Node {
  id: ID! issuedAt: DateTime! net: MoneyV2! status: ShopifyPaymentsPayoutStatus!
  transactionType: ShopifyPaymentsPayoutTransactionType!
}
type ShopifyPaymentsPayoutConnection {
  edges: [ShopifyPaymentsPayoutEdge!]! nodes: [ShopifyPaymentsPayout!]! pageInfo: PageInfo!
}
type ShopifyPaymentsPayoutEdge { cursor: String! node: ShopifyPaymentsPayout! }
type TransactionFee implements Node {
  id: ID! amount: MoneyV2! flatFee: MoneyV2! flatFeeName: String rate: Decimal! rateName: String
  taxAmount: MoneyV2! type: String!
}
type UserError implements DisplayableError { field: [String!] message: String! }
type WebhookSubscription implements Node {
  id: ID! topic: WebhookSubscriptionTopic! uri: String! includeFields: [String!]! format: WebhookSubscriptionFormat!
  createdAt: DateTime! updatedAt: DateTime!
}
type WebhookSubscriptionConnection {
  edges: [WebhookSubscriptionEdge!]! nodes: [WebhookSubscription!]! pageInfo: PageInfo!
}
type WebhookSubscriptionCreatePayload { userErrors: [UserError!]! webhookSubscription: WebhookSubscription }
type WebhookSubscriptionDeletePayload { deletedWebhookSubscriptionId: ID userErrors: [UserError!]! }
type WebhookSubscriptionEdge { cursor: String! node: WebhookSubscription! }
input WebhookSubscriptionInput { format: WebhookSubscriptionFormat includeFields: [String!] uri: String }
type Weight { unit: WeightUnit! value: Float! }

type PriceList implements Node { id: ID! name: String! currency: CurrencyCode! fixedPricesCount: Int! }
type PriceListConnection { edges: [PriceListEdge!]! nodes: [PriceList!]! pageInfo: PageInfo! }
type PriceListEdge { cursor: String! node: PriceList! }

type QueryRoot {
  bulkOperation(id: ID!): BulkOperation
  currentAppInstallation: AppInstallation!
  currentBulkOperation(type: BulkOperationType = QUERY): BulkOperation
  node(id: ID!): Node
  nodes(ids: [ID!]!): [Node]!
  order(id: ID!): Order
  orders(
    after: String, before: String, first: Int, last: Int, query: String, reverse: Boolean = false,
    savedSearchId: ID, sortKey: OrderSortKeys = PROCESSED_AT
  ): OrderConnection!
  priceLists(
    after: String, before: String, first: Int, last: Int, reverse: Boolean = false, sortKey: PriceListSortKeys = ID
  ): PriceListConnection!
  product(id: ID!): Product
  productVariant(id: ID!): ProductVariant
  productVariants(
    after: String, before: String, first: Int, last: Int, query: String, reverse: Boolean = false,
    savedSearchId: ID, sortKey: ProductVariantSortKeys = ID
  ): ProductVariantConnection!
  productVariantsCount(limit: Int = 10000, query: String): Count
  refund(id: ID!): Refund
  shop: Shop!
  shopifyPaymentsAccount: ShopifyPaymentsAccount
  webhookSubscriptions(
    after: String, before: String, first: Int, last: Int, query: String, reverse: Boolean = false,
    sortKey: WebhookSubscriptionSortKeys = CREATED_AT, topics: [WebhookSubscriptionTopic!], uri: String
  ): WebhookSubscriptionConnection!
}
type Mutation {
  bulkOperationRunQuery(groupObjects: Boolean! = false, query: String!): BulkOperationRunQueryPayload
  productVariantsBulkUpdate(
    allowPartialUpdates: Boolean = false, productId: ID!, variants: [ProductVariantsBulkInput!]!
  ): ProductVariantsBulkUpdatePayload
  webhookSubscriptionCreate(
    topic: WebhookSubscriptionTopic!, webhookSubscription: WebhookSubscriptionInput!
  ): WebhookSubscriptionCreatePayload
  webhookSubscriptionDelete(id: ID!): WebhookSubscriptionDeletePayload
}
schema { query: QueryRoot mutation: Mutation }
`;

export const SCHEMA = buildSchema(SDL);

const money = SCHEMA.getType('Money');
if (isScalarType(money)) money.parseValue = readMoney;

/** Money input must be a decimal, as a number or a string. */
function readMoney(value: unknown): string {
  const isDecimal = typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
  if (!isDecimal) throw new GraphQLError(`invalid money '${String(value)}'`);
  return String(value);
}
