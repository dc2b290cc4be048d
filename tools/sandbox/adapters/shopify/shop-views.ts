import { type Cents, cents } from '#domain/units.ts';
import { dollarText } from '#sandbox/adapters/money.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { Order, OrderLine } from '#sandbox/world/orders.ts';
import { connectionOf, type PageArguments, type QueryContext } from './connection.ts';
import { refundedOf, refundsOf, transactionsOf } from './payments.ts';
import { gid, isoTime, lineIdOf, moneyBag, orderGid } from './values.ts';

/** Objects as GraphQL reads them: references are functions, called only if the query selects them. */
export type VariantView = ReturnType<typeof variantView>;

/** @param price shown instead of the current one, in responses to a price update */
export function variantView(market: Market, item: MarketItem, price: Cents = item.price) {
  const { sku, title, itemId, keys, weightOunces, terms } = item;
  const inventoryItemId = keys.inventoryItemId ?? itemId;
  return {
    __typename: 'ProductVariant',
    id: gid('ProductVariant', itemId),
    sku,
    title: 'Default Title',
    displayName: `${title} - Default Title`,
    price: dollarText(price),
    compareAtPrice: terms.compareAtPrice === null ? null : dollarText(terms.compareAtPrice),
    barcode: null,
    inventoryQuantity: item.quantity,
    inventoryItem: {
      id: gid('InventoryItem', inventoryItemId),
      sku,
      tracked: true,
      unitCost: null,
      measurement: {
        id: gid('InventoryItemMeasurement', inventoryItemId),
        weight: { unit: 'OUNCES', value: weightOunces },
      },
    },
    product: () => productView(market, productIdOf(item)),
    position: variantsOf(market, productIdOf(item)).indexOf(item) + 1,
    createdAt: isoTime(item.createdAt),
    updatedAt: isoTime(item.updatedAt),
    // Images belong to the product, not to a variant.
    media: (requested: PageArguments, by: QueryContext) => connectionOf([], requested, by),
  };
}

export function productIdOf({ keys, itemId }: MarketItem): string {
  return keys.productId ?? itemId;
}

function variantsOf(market: Market, productId: string): readonly MarketItem[] {
  return market.items().filter((item) => productIdOf(item) === productId);
}

/** Null for an unknown product. The first variant gives the title. */
export function productView(market: Market, productId: string) {
  const [first, ...others] = variantsOf(market, productId);
  if (first === undefined) return null;
  const { title, brand, category, imageUrl } = first;
  const image = { id: gid('ImageSource', productId), url: imageUrl, altText: title };
  return {
    __typename: 'Product',
    id: gid('Product', productId),
    title,
    handle: `product-${productId}`,
    vendor: brand,
    productType: category,
    isGiftCard: false,
    status: [first, ...others].some(({ isActive }) => isActive) ? 'ACTIVE' : 'DRAFT',
    createdAt: isoTime(first.createdAt),
    updatedAt: isoTime(Math.max(...[first, ...others].map(({ updatedAt }) => updatedAt))),
    featuredMedia:
      imageUrl === null
        ? null
        : {
            __typename: 'MediaImage',
            id: gid('MediaImage', productId),
            alt: title,
            preview: { image },
            image,
          },
    variants: (requested: PageArguments, by: QueryContext) =>
      connectionOf(
        [first, ...others].map((item) => variantView(market, item)),
        requested,
        by,
      ),
  };
}

export function orderView(market: Market, order: Order) {
  const isOff = order.status === 'cancelled';
  const total = order.lines.reduce((sum, { unitPrice, quantity, shipping, tax }) => {
    return sum + unitPrice * quantity + shipping + tax;
  }, 0);
  return {
    __typename: 'Order',
    id: orderGid(order),
    name: `#${1_000 + order.number}`,
    createdAt: isoTime(order.createdAt),
    updatedAt: isoTime(order.updatedAt),
    processedAt: isoTime(order.createdAt),
    cancelledAt: isOff ? isoTime(order.updatedAt) : null,
    test: false,
    fullyPaid: () => market.money.eventsOf(order).some(({ type }) => type === 'sale'),
    currencyCode: 'USD',
    totalPriceSet: moneyBag(cents(total)),
    totalTaxSet: moneyBag(cents(order.lines.reduce((sum, { tax }) => sum + tax, 0))),
    totalTipReceivedSet: moneyBag(cents(0)),
    subtotalLineItemsQuantity: order.lines.reduce((sum, { quantity }) => sum + quantity, 0),
    currentSubtotalLineItemsQuantity: () =>
      order.lines.reduce((sum, line) => sum + currentQuantityOf(market, order, line), 0),
    dutiesIncluded: false,
    originalTotalDutiesSet: null,
    currentShippingPriceSet: moneyBag(
      cents(
        isOff
          ? 0
          : order.lines.reduce(
              (sum, line) => sum + line.shipping + refundedOf(market, order, line).shipping,
              0,
            ),
      ),
    ),
    totalRefundedShippingSet: moneyBag(
      cents(-order.lines.reduce((sum, line) => sum + refundedOf(market, order, line).shipping, 0)),
    ),
    transactions: () => transactionsOf(market, order),
    refunds: () => refundsOf(market, order),
    lineItems: (requested: PageArguments, by: QueryContext) =>
      connectionOf(
        order.lines.map((line) => lineView(market, order, line)),
        requested,
        by,
      ),
  };
}

/** Canceled and refunded units are no longer counted. */
function currentQuantityOf(market: Market, order: Order, line: OrderLine): number {
  return order.status === 'cancelled' ? 0 : line.quantity - refundedOf(market, order, line).quantity;
}

function lineView(market: Market, order: Order, line: OrderLine) {
  const { sku, title, quantity, unitPrice, itemId } = line;
  const currentQuantity = currentQuantityOf(market, order, line);
  const price = moneyBag(unitPrice);
  return {
    __typename: 'LineItem',
    id: lineIdOf(order, line),
    name: title,
    title,
    sku,
    quantity,
    currentQuantity,
    requiresShipping: true,
    variant: () => {
      const item = market.find((one) => one.itemId === itemId);
      return item === null ? null : variantView(market, item);
    },
    originalUnitPriceSet: price,
    discountedUnitPriceSet: price,
    discountedUnitPriceAfterAllDiscountsSet: price,
    priceAfterAllDiscountsBeforeTaxesSet: moneyBag(cents(unitPrice * currentQuantity)),
  };
}
