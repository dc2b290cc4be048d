import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { MoneyEvent, MoneyKind, ReportedFee } from '#domain/money/money-event.ts';
import { type Cents, cents, hours, type Instant, WHOLE } from '#domain/units.ts';
import type { SeededRandom } from './seeded-random.ts';

/** An order line of the sample store, as its marketplace knows it. */
export interface DemoOrder {
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly fulfillmentType: FulfillmentType;
  /** Of one unit; null where the seller ships. */
  readonly fulfillmentFee: Cents | null;
  readonly orderRef: string;
  readonly lineRef: string;
  readonly at: Instant;
  readonly quantity: number;
  /** For all units, without shipping. */
  readonly revenue: Cents;
  /** For all units. */
  readonly shipping: Cents;
}

/** The marketplaces that report what they booked. */
export type BookingMarketplace = Exclude<Marketplace, 'michaels'>;

const DAY = hours(24);
/** Orders are booked when they are shipped. */
const SHIPPED_AFTER = DAY;
const SHARE_RETURNED = 0.03;
/** Days from the shipment to the refund. */
const RETURNED_AFTER = [4, 9] as const;

/** Part of an order's money: its name at the marketplace and its amount. */
interface Part {
  readonly kind: MoneyKind;
  readonly rawType: string;
  readonly amount: number;
  readonly fee?: ReportedFee;
  /** What the marketplace names instead of the order. */
  readonly of?: Pick<MoneyEvent, 'orderRef' | 'lineRef'>;
}

/** What the marketplace books for one order: for the sale, and for some a refund of everything some days later. */
export function moneyOfOrder(random: SeededRandom, order: DemoOrder): MoneyEvent[] {
  const { marketplace } = order;
  if (marketplace === 'michaels') return [];
  const shippedAt = postedAt(marketplace, order.at + SHIPPED_AFTER);
  const { sold, returned } = PARTS_OF[marketplace](random, order);
  const events = eventsOf(order, sold, shippedAt);
  if (!random.happens(SHARE_RETURNED)) return events;
  const refundedAt = postedAt(marketplace, shippedAt + DAY * random.whole(...RETURNED_AFTER));
  return [...events, ...eventsOf(order, returned, refundedAt)];
}

/** Walmart reports the day alone. */
function postedAt(marketplace: Marketplace, at: number): Instant {
  return (marketplace === 'walmart' ? Math.floor(at / DAY) * DAY + hours(12) : at) as Instant;
}

function eventsOf(order: DemoOrder, parts: readonly Part[], at: Instant): MoneyEvent[] {
  const { marketplace, orderRef, lineRef, sku, quantity } = order;
  const isOfLine = marketplace === 'walmart' || marketplace === 'ebay';
  const namesSku = marketplace === 'walmart' || marketplace === 'amazon';
  return parts
    .filter(({ amount }) => amount !== 0)
    .map(({ amount, of, ...part }) => ({
      ...part,
      externalId: `${lineRef}:${part.rawType}`,
      amount: cents(amount),
      orderRef,
      lineRef: isOfLine ? lineRef : null,
      sku: namesSku ? sku : null,
      itemId: null,
      quantity: namesSku ? quantity : null,
      postedAt: at,
      releasedAt: at,
      settlementRef: null,
      ...of,
    }));
}

interface OrderParts {
  readonly sold: readonly Part[];
  readonly returned: readonly Part[];
}

/** What each marketplace charges, and by which names it calls that: as its connector reads them. */
const PARTS_OF: Readonly<Record<BookingMarketplace, (random: SeededRandom, order: DemoOrder) => OrderParts>> =
  {
    amazon: (_random, { quantity, revenue, shipping, fulfillmentFee }) => {
      const commission = quantity * share((revenue + shipping) / quantity, 1_500);
      const fee = 'AmazonFees > Commission > Base';
      const fulfillment = 'AmazonFees > FBAFees > FBAPerUnitFulfillmentFee > Base';
      return {
        sold: [
          { kind: 'principal', rawType: 'Shipment > ProductCharges', amount: revenue },
          { kind: 'shipping', rawType: 'Shipment > Shipping', amount: shipping },
          { kind: 'commission', rawType: `Shipment > ${fee}`, amount: -commission },
          {
            kind: 'fulfillment',
            rawType: `Shipment > ${fulfillment}`,
            amount: -quantity * (fulfillmentFee ?? 0),
          },
        ],
        returned: [
          { kind: 'refund_principal', rawType: 'Refund > ProductCharges', amount: -revenue },
          { kind: 'refund_shipping', rawType: 'Refund > Shipping', amount: -shipping },
          { kind: 'refund_commission', rawType: `Refund > ${fee}`, amount: commission },
          {
            kind: 'refund_fee',
            rawType: 'Refund > AmazonFees > RefundCommission',
            amount: -Math.min(500, share(commission, 2_000)),
          },
        ],
      };
    },
    walmart: (_random, { quantity, revenue, shipping, fulfillmentFee }) => {
      const commission = share(revenue + shipping, 1_500);
      return {
        sold: [
          { kind: 'principal', rawType: 'Sale > Product Price > Purchase', amount: revenue },
          { kind: 'shipping', rawType: 'Sale > Shipping > Purchase', amount: shipping },
          { kind: 'commission', rawType: 'Sale > Commission on Product > Purchase', amount: -commission },
          {
            kind: 'fulfillment',
            rawType: 'Sale > WFS Fulfillment fee > Purchase',
            amount: -quantity * (fulfillmentFee ?? 0),
          },
        ],
        returned: [
          { kind: 'refund_principal', rawType: 'Refund > Product Price > Return', amount: -revenue },
          { kind: 'refund_shipping', rawType: 'Refund > Shipping > Return', amount: -shipping },
          {
            kind: 'refund_commission',
            rawType: 'Refund > Commission on Product > Return',
            amount: commission,
          },
        ],
      };
    },
    ebay: (random, { revenue, shipping }) => {
      const total = revenue + shipping;
      // The final value fee is taken on the total with the sales tax of the buyer's state.
      const base = cents(total + share(total, random.pick(STATE_TAXES)));
      const commission = share(base, 1_270);
      return {
        sold: [
          { kind: 'principal', rawType: 'SALE', amount: total },
          {
            kind: 'commission',
            rawType: 'SALE > FINAL_VALUE_FEE',
            amount: -commission,
            fee: { base, saved: null, category: null },
          },
          {
            kind: 'per_order',
            rawType: 'SALE > FINAL_VALUE_FEE_FIXED_PER_ORDER',
            amount: total > 1_000 ? -40 : -30,
          },
        ],
        returned: [
          { kind: 'refund_principal', rawType: 'REFUND', amount: -total },
          { kind: 'refund_commission', rawType: 'REFUND > FINAL_VALUE_FEE', amount: commission },
        ],
      };
    },
    etsy: (_random, { revenue, shipping, lineRef }) => {
      const total = revenue + shipping;
      const commission = share(total, 650);
      const of = { orderRef: null, lineRef };
      return {
        sold: [
          { kind: 'principal', rawType: 'PAYMENT_GROSS', amount: total },
          { kind: 'commission', rawType: 'transaction', amount: -commission, of },
          { kind: 'payment', rawType: 'PAYMENT_PROCESSING_FEE', amount: -(share(total, 300) + 25) },
          { kind: 'renewal', rawType: 'renew_sold_auto', amount: -20, of },
        ],
        returned: [
          { kind: 'refund_principal', rawType: 'REFUND_GROSS', amount: -total },
          { kind: 'refund_commission', rawType: 'transaction_refund', amount: commission, of },
        ],
      };
    },
    shopify: (_random, { revenue, shipping }) => {
      const total = revenue + shipping;
      return {
        sold: [
          { kind: 'principal', rawType: 'SALE', amount: total },
          { kind: 'payment', rawType: 'SALE > fees', amount: -(share(total, 290) + 30) },
        ],
        returned: [{ kind: 'refund_principal', rawType: 'REFUND', amount: -total }],
      };
    },
  };

/** Sales tax of some states, on average below what the fees of eBay are estimated with. */
const STATE_TAXES = [0, 400, 600, 625, 700] as const;

function share(amount: number, rate: number): number {
  return Math.round((amount * rate) / WHOLE);
}
