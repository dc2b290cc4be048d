import { type Cents, cents, type Instant } from '#domain/units.ts';
import { dollarText } from '#sandbox/adapters/money.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';

const COLUMNS = [
  ...['sku', 'fnsku', 'asin', 'product-name', 'product-group', 'brand', 'fulfilled-by', 'your-price'],
  ...['sales-price', 'longest-side', 'median-side', 'shortest-side', 'length-and-girth', 'unit-of-dimension'],
  ...['item-package-weight', 'unit-of-weight', 'product-size-weight-band', 'currency'],
  ...['estimated-fee-total', 'estimated-referral-fee-per-unit', 'estimated-variable-closing-fee'],
  ...['expected-domestic-fulfilment-fee-per-unit'],
];

/** One row for each listing in Amazon's warehouse, at its price, with the measured size. */
export function fbaFeeReport(market: Market): string {
  const rows = market
    .items()
    .filter(({ fulfillmentType }) => fulfillmentType === 'FBA/WFS')
    .map((item) => {
      const cells = cellsOf(market, item, market.now());
      return COLUMNS.map((column) => cells[column] ?? '').join('\t');
    });
  return `${[COLUMNS.join('\t'), ...rows].join('\n')}\n`;
}

function cellsOf({ fees }: Market, item: MarketItem, at: Instant): Readonly<Record<string, string>> {
  const { sku, itemId, title, price, category, brand, shippingCharge } = item;
  const { sides, ounces } = fees.measuresOf(item);
  const [longest, median, shortest] = sides;
  const basis = { unitPrice: price, shipping: shippingCharge, quantity: 1, tax: cents(0), at };
  const { commission, closing, fulfillment } = fees.feesFor(item, basis);
  return {
    sku,
    fnsku: `X${itemId.slice(1)}`,
    asin: itemId,
    'product-name': title,
    'product-group': category,
    brand,
    'fulfilled-by': 'Amazon',
    'your-price': dollarText(price),
    'sales-price': dollarText(price),
    'longest-side': hundredths(longest),
    'median-side': hundredths(median),
    'shortest-side': hundredths(shortest),
    'length-and-girth': hundredths(longest + 2 * (median + shortest)),
    'unit-of-dimension': 'inches',
    'item-package-weight': (ounces / 16).toFixed(4),
    'unit-of-weight': 'pounds',
    'product-size-weight-band': fees.warehouseFeeOf(item, price, at).size,
    currency: 'USD',
    'estimated-fee-total': dollarText(cents(commission + closing + fulfillment)),
    'estimated-referral-fee-per-unit': dollarText(commission),
    'estimated-variable-closing-fee': dollarText(closing),
    'expected-domestic-fulfilment-fee-per-unit': dollarText(fulfillment),
  };
}

function hundredths(amount: number): string {
  return dollarText(amount as Cents);
}
