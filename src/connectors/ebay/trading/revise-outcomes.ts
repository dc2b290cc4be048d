import type { SendOutcome } from '#connectors/connector.ts';
import { OwnPrice } from '#connectors/dollars.ts';
import { NAME } from '#connectors/ebay/ebay-calls.ts';
import { unknownOutcome } from '#connectors/http/batch-outcomes.ts';
import { childAt, childrenOf, textAt, type XmlElement } from '#connectors/xml.ts';
import type { Cents } from '#domain/units.ts';
import type { TradingAnswer, TradingError } from './trading-call.ts';
import { type TradingOrder, variationOf } from './trading-ref.ts';

/** What became of the orders of one call. */
export interface RevisedOrders {
  readonly outcomes: readonly SendOutcome[];
  readonly refused: readonly { readonly order: TradingOrder; readonly error: TradingError }[];
  /** The call was refused as a whole, because of others or for no named reason. */
  readonly unsent: readonly TradingOrder[];
}

/**
 * A price that came back is live; one whose item an error names was refused; any other may have been applied, unless the
 * call failed as a whole.
 */
export function outcomesOf(orders: readonly TradingOrder[], answer: TradingAnswer): RevisedOrders {
  const outcomes: SendOutcome[] = [];
  const refused: { order: TradingOrder; error: TradingError }[] = [];
  const unsent: TradingOrder[] = [];
  const revised = childrenOf(answer.root, 'InventoryStatus');
  for (const one of orders) {
    const { listingId } = one.order.ref;
    const price = priceIn(revised, one, orders);
    const error = price === null ? errorOf(answer, one, orders) : null;
    if (price !== null) outcomes.push({ listingId, kind: 'live', price });
    else if (error !== null) refused.push({ order: one, error });
    else if (answer.isFailure && orders.length > 1) unsent.push(one);
    else outcomes.push(unknownOutcome(NAME, listingId));
  }
  return { outcomes, refused, unsent };
}

function priceIn(
  revised: readonly XmlElement[],
  one: TradingOrder,
  orders: readonly TradingOrder[],
): Cents | null {
  const about = revised.filter((status) => isAbout(status, one, orders));
  const price = about.length === 1 ? childAt(about[0], 'StartPrice') : undefined;
  if (price?.attributes.currencyID !== 'USD') return null;
  const reported = OwnPrice.safeParse(price.text);
  return reported.success && typeof reported.data === 'number' ? reported.data : null;
}

/** A variation may come back without its SKU: that means so only where no other one of its listing was sent. */
function isAbout(status: XmlElement, one: TradingOrder, orders: readonly TradingOrder[]): boolean {
  if (textAt(status, 'ItemID') !== one.itemId) return false;
  const variation = variationOf(one.order.ref);
  const sku = textAt(status, 'SKU');
  return (
    variation === null ||
    sku === variation ||
    (sku === '' && orders.filter(({ itemId }) => itemId === one.itemId).length === 1)
  );
}

/** The error of an order: of the only one, or one whose parameters name its item or its SKU. */
function errorOf(
  { errors }: TradingAnswer,
  one: TradingOrder,
  orders: readonly TradingOrder[],
): TradingError | null {
  if (orders.length === 1) return errors[0] ?? null;
  const skus = new Set(orders.map(({ order }) => order.ref.sku));
  const naming = errors.filter(
    ({ parameters }) => parameters.includes(one.itemId) || parameters.includes(one.order.ref.sku),
  );
  // An item and the SKU of another of its variations name that one.
  return (
    naming.find(({ parameters }) => {
      const named = parameters.filter((parameter) => skus.has(parameter));
      return named.length === 0 || named.includes(one.order.ref.sku);
    }) ?? null
  );
}
