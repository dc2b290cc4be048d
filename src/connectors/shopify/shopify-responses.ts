import { z } from 'zod';
import { Dollars, OwnPrice, PriceOrNull, RoundedDollars } from '#connectors/dollars.ts';
import { tolerant } from '#connectors/passed-over.ts';

/** The members of Shopify's responses that are used. Unknown members are ignored. */
const Text = z.string().max(10_000).nullish();
export const Id = z.string().regex(/^gid:\/\/shopify\/[A-Za-z]+\/[\w-]{1,100}$/);
export const Moment = z
  .string()
  .transform((text) => Date.parse(text))
  .pipe(z.number());
const Points = z.number().min(0);
/** It is never written: one that cannot be read is none. */
const CompareAtPrice = PriceOrNull.catch(null);

/** POST /admin/oauth/access_token */
export const TokenAnswer = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]+$/),
  /** Seconds. */
  expires_in: z.number().int().positive().max(31_536_000).nullish(),
});

/** The envelope of every response. */
export const Wrapped = z.object({
  data: z.unknown().optional(),
  errors: z
    .union([
      z.array(z.object({ message: Text, extensions: z.object({ code: Text }).nullish() })),
      z.string().transform((message) => [{ message, extensions: null }]),
    ])
    .nullish()
    .transform((errors) => errors ?? []),
  extensions: z
    .object({
      cost: z
        .object({
          requestedQueryCost: Points.nullish(),
          throttleStatus: z
            .object({
              maximumAvailable: Points,
              currentlyAvailable: Points,
              restoreRate: z.number().positive(),
            })
            .nullish(),
        })
        .nullish(),
    })
    .nullish(),
});

export const Shop = z.object({ shop: z.object({ name: Text, currencyCode: z.string() }) });

export const Scopes = z.object({
  currentAppInstallation: z.object({ accessScopes: z.array(z.object({ handle: z.string() })) }),
});

export const VariantCount = z.object({
  shop: z.object({ currencyCode: z.string() }),
  productVariantsCount: z.object({ count: z.number().int().min(0), precision: Text }).nullish(),
});

const Preview = z
  .object({ preview: z.object({ image: z.object({ url: Text }).nullish() }).nullish() })
  .nullish()
  .transform((media) => media?.preview?.image?.url ?? null);

export const Variant = z.object({
  id: Id,
  sku: Text,
  title: Text,
  price: OwnPrice,
  compareAtPrice: CompareAtPrice,
  inventoryQuantity: z.number().int().nullish(),
  inventoryItem: z.object({ tracked: z.boolean().nullish() }).nullish(),
  media: z
    .object({ nodes: z.array(Preview) })
    .nullish()
    .transform((media) => media?.nodes[0] ?? null),
  product: z.object({
    id: Id,
    title: Text,
    status: z.string(),
    isGiftCard: z.boolean().nullish(),
    featuredMedia: Preview,
  }),
});
export type Variant = z.output<typeof Variant>;

/** One of many. */
export const VariantRow = tolerant(Variant, 'sku', 'id');

export const PageInfo = z.object({ hasNextPage: z.boolean(), endCursor: Text });

export const PriceListsPage = z.object({
  priceLists: z.object({
    pageInfo: PageInfo,
    nodes: z.array(z.object({ name: z.string(), fixedPricesCount: z.number().int().min(0) })),
  }),
});

export const VariantsPage = z.object({
  productVariants: z.object({ pageInfo: PageInfo, nodes: z.array(VariantRow) }),
});

const BulkOperation = z.object({ id: Id, status: z.string(), errorCode: Text, url: Text });

export const BulkStarted = z.object({
  bulkOperationRunQuery: z.object({
    bulkOperation: BulkOperation.nullish(),
    userErrors: z.array(z.object({ message: Text, code: Text })),
  }),
});

export const BulkLook = z.object({ bulkOperation: BulkOperation });

export const PricesUpdated = z.object({
  productVariantsBulkUpdate: z
    .object({
      productVariants: z
        .array(z.object({ id: Id, price: Dollars }))
        .nullish()
        .transform((variants) => variants ?? []),
      userErrors: z.array(z.object({ field: z.array(z.string()).nullish(), message: Text, code: Text })),
    })
    .nullish(),
});
export type UserError = NonNullable<
  z.output<typeof PricesUpdated>['productVariantsBulkUpdate']
>['userErrors'][number];

export const PricesNow = z.object({
  shop: z.object({ currencyCode: z.string() }),
  /** In the order of the IDs; null for a removed one. Anything but a variant has no members. */
  nodes: z.array(
    tolerant(
      z.object({ id: Id.optional(), price: PriceOrNull, compareAtPrice: PriceOrNull }).nullable(),
      'id',
    ),
  ),
});

const Line = z.object({
  id: Id,
  sku: Text,
  currentQuantity: z.number().int().min(0),
  quantity: z.number().int().min(0),
  requiresShipping: z.boolean().nullish(),
  variant: z.object({ id: Id }).nullish(),
  /** Of the units that were neither refunded nor removed. */
  priceAfterAllDiscountsBeforeTaxesSet: z.object({
    shopMoney: z.object({ amount: RoundedDollars, currencyCode: z.string() }),
  }),
});
export type Line = z.output<typeof Line>;

const Lines = z.object({ pageInfo: PageInfo, nodes: z.array(Line) });

/** How units that were refunded were restocked: they were never sent. */
export const NEVER_SENT = 'CANCEL';

/** Units of an order line that were refunded, or removed by a refund before they were sent. */
export const RefundLine = z.object({
  lineItem: z.object({ id: Id }),
  quantity: z.number().int().min(0),
  restockType: z.string().max(100),
  subtotalSet: z.object({
    shopMoney: z.object({ amount: RoundedDollars, currencyCode: z.string() }),
  }),
});

const Refund = z.object({
  id: Id,
  createdAt: Moment.nullish(),
  refundLineItems: z.object({ pageInfo: PageInfo, nodes: z.array(RefundLine) }),
});

const Order = z.object({
  id: Id,
  createdAt: Moment,
  cancelledAt: Text,
  test: z.boolean(),
  /** After refunds and discounts, without tax unless prices include it. */
  currentShippingPriceSet: z.object({
    shopMoney: z.object({ amount: RoundedDollars, currencyCode: z.string() }),
  }),
  totalRefundedShippingSet: z
    .object({ shopMoney: z.object({ amount: RoundedDollars, currencyCode: z.string() }) })
    .nullish(),
  lineItems: Lines,
  refunds: z.array(Refund),
});
export type Order = z.output<typeof Order>;

export const OrdersPage = z.object({
  orders: z.object({ pageInfo: PageInfo, nodes: z.array(tolerant(Order, 'id')) }),
});

export const MoreLines = z.object({ order: z.object({ lineItems: Lines }).nullish() });
