import { z } from 'zod';
import { instant } from '#domain/units.ts';
import { Id, Moment, PageInfo } from './shopify-responses.ts';

/** The members of Shopify's responses about payments that are used. */
const At = Moment.transform(instant);
/** An amount before it is checked: one that cannot be used must not fail the others. */
const AnyMoney = z.object({ amount: z.unknown(), currencyCode: z.string().max(10) });
export type AnyMoney = z.output<typeof AnyMoney>;
const Bag = z.object({ shopMoney: AnyMoney }).transform(({ shopMoney }) => shopMoney);

const OrderTransaction = z.object({
  id: Id,
  kind: z.string().max(100),
  status: z.string().max(100),
  test: z.boolean(),
  createdAt: At,
  processedAt: At.nullish(),
  amountSet: Bag,
  fees: z.array(z.object({ amount: AnyMoney })),
});

/** Units of an order line that were refunded. */
export const PaidRefundLine = z.object({
  id: Id.nullish(),
  lineItem: z.object({ id: Id }),
  quantity: z.number().int().min(0),
  restockType: z.string().max(100).nullish(),
  subtotalSet: Bag,
  totalTaxSet: Bag,
});

const Refund = z.object({
  id: Id,
  transactions: z.object({ nodes: z.array(z.object({ id: Id })) }),
  refundLineItems: z.object({ pageInfo: PageInfo, nodes: z.array(PaidRefundLine) }),
  refundShippingLines: z.object({
    nodes: z.array(z.object({ id: Id, subtotalAmountSet: Bag, taxAmountSet: Bag })),
  }),
});

/** The payments and refunds of an order. */
export const PaidOrder = z.object({
  id: Id,
  test: z.boolean(),
  /** As much was received as the order costs, or more. */
  fullyPaid: z.boolean(),
  totalTaxSet: Bag.nullish(),
  totalTipReceivedSet: Bag.nullish(),
  /** The prices of the lines contain the customs charges. */
  dutiesIncluded: z.boolean().nullish(),
  /** Null where none were charged. */
  originalTotalDutiesSet: Bag.nullish(),
  cancelledAt: z.string().max(100).nullish(),
  /** Units without tips and gift cards: as ordered, and less those that were removed or refunded. */
  subtotalLineItemsQuantity: z.number().int().min(0).nullish(),
  currentSubtotalLineItemsQuantity: z.number().int().min(0).nullish(),
  transactions: z.array(OrderTransaction),
  refunds: z.array(Refund),
});
export type PaidOrder = z.output<typeof PaidOrder>;

/** Orders with their payments, each of which is checked apart. */
export const PaymentsPage = z.object({
  orders: z.object({ pageInfo: PageInfo, nodes: z.array(z.unknown()) }),
});

/** In the order of the IDs; null for what cannot be read. */
export const NodesPage = z.object({ nodes: z.array(z.unknown()) });

const Payout = z.object({
  id: Id,
  issuedAt: At,
  status: z.string().max(100),
  transactionType: z.string().max(100),
  net: AnyMoney,
});
export type Payout = z.output<typeof Payout>;

export const PayoutsPage = z.object({
  shopifyPaymentsAccount: z
    .object({ payouts: z.object({ pageInfo: PageInfo, nodes: z.array(Payout) }) })
    .nullable(),
});

const BalanceTransaction = z.object({
  id: Id,
  type: z.string().max(100),
  test: z.boolean(),
  transactionDate: At,
  amount: AnyMoney,
  fee: AnyMoney,
  associatedOrder: z.object({ id: Id }).nullable(),
  /** A whole number of any size: a text in most answers. */
  sourceOrderTransactionId: z
    .union([z.string().regex(/^\d{1,40}$/), z.number().int()])
    .nullable()
    .transform((id) => (id === null ? null : String(id))),
});
export type BalanceTransaction = z.output<typeof BalanceTransaction>;

export const BalancePage = z.object({
  shopifyPaymentsAccount: z
    .object({
      balanceTransactions: z.object({ pageInfo: PageInfo, nodes: z.array(BalanceTransaction) }),
    })
    .nullable(),
});
