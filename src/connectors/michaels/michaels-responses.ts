import { z } from 'zod';
import { Dollars, OwnPrice } from '#connectors/dollars.ts';
import { tolerant } from '#connectors/passed-over.ts';

/**
 * The members of Michaels' responses that are used. Michaels publishes no API documentation: what is not known from
 * existing clients fails instead of being guessed.
 */
const Text = z.string().max(10_000).nullish();
const Named = z.union([z.string(), z.number()]).transform(String);

/** The envelope of every response, also of a failure with a status of 200. */
export const Envelope = z.object({ code: Named.nullish(), message: Text });

const Listing = z.object({
  sellerSkuNumber: Text,
  skuNumber: Named.nullish(),
  /** The variation that the SKU belongs to; itself for one without variations. */
  primarySkuNumber: Named.nullish(),
  itemName: Text,
  price: OwnPrice,
  status: Text,
});
export type Listing = z.output<typeof Listing>;

/** GET /listing/all-listings */
export const ListingsPage = z.object({
  data: z.object({ listings: z.array(tolerant(Listing, 'sellerSkuNumber', 'skuNumber')), nextCursor: Text }),
});

/** POST /listing/price/seller-sku-number/batch-get */
export const Prices = z.object({
  data: z
    .array(tolerant(z.object({ sellerSkuNumber: z.string(), price: OwnPrice }), 'sellerSkuNumber'))
    .nullish()
    .transform((rows) => rows ?? []),
});

/** Milliseconds, or a timestamp as text. */
const Moment = z
  .union([z.number(), z.string()])
  .transform((value) =>
    typeof value === 'number' || /^\d{13}$/.test(value) ? Number(value) : Date.parse(value),
  )
  .pipe(z.number().int().positive());

const Line = z.object({
  orderItemId: Named,
  sellerSkuNumber: Text,
  skuNumber: Named.nullish(),
  quantity: z.number().int().min(1),
  /** Per unit. */
  price: Dollars,
  status: Text,
});

const Order = z
  .object({
    orderNumber: Named,
    orderStatus: Text,
    status: Text,
    createdTime: Moment.optional(),
    createTime: Moment.optional(),
    orderLines: z.array(Line).optional(),
    orderItems: z.array(Line).optional(),
  })
  .transform((order, context) => {
    const createdAt = order.createdTime ?? order.createTime;
    const lines = order.orderLines ?? order.orderItems;
    if (createdAt !== undefined && lines !== undefined) {
      return { orderNumber: order.orderNumber, status: order.orderStatus ?? order.status, createdAt, lines };
    }
    context.addIssue({ code: 'custom', message: 'not an order' });
    return z.NEVER;
  });
export type Order = z.output<typeof Order>;

const Orders = z.array(tolerant(Order, 'orderNumber'));

/** GET /order/query: a list, or a page that contains one. */
export const OrdersPage = z.object({
  data: z.union([
    Orders,
    z.object({ orders: Orders }).transform(({ orders }) => orders),
    z.object({ list: Orders }).transform(({ list }) => list),
    z.null().transform(() => []),
  ]),
});

/** The claims of a key. */
export const KeyClaims = z.object({ exp: z.number().int().positive().max(99_999_999_999) });
