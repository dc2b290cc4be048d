import { z } from 'zod';
import { OwnPrice, RoundedDollars } from '#connectors/dollars.ts';
import { CredentialText } from '#connectors/http/credential-text.ts';
import { tolerant } from '#connectors/passed-over.ts';
import { bpsFromDecimal, centsFromDecimal } from '#domain/decimal.ts';
import { instant } from '#domain/units.ts';

const Currency = z.string().regex(/^[A-Z]{3}$/);

/**
 * The members of eBay's responses that are used, validated as untrusted input. One amount that is negative, or
 * invalid, fails the row that contains it. This is one that eBay computed: fractions of a cent are rounded.
 */
const Money = z
  .object({ value: RoundedDollars, currency: Currency })
  .transform(({ value, currency }) => ({ amount: value, currency }));
export type Money = z.output<typeof Money>;

/** A price of ours. */
const OwnMoney = z
  .object({ value: OwnPrice, currency: Currency })
  .transform(({ value, currency }) => ({ amount: value, currency }));

const Dollars = Money.refine(({ currency }) => currency === 'USD').transform(({ amount }) => amount);
const Price = Dollars.refine((amount) => amount > 0);

const Text = z.string().max(10_000).nullish();
/** An ID of eBay that can be part of a path. */
const Id = z.string().regex(/^[\w|-]{1,100}$/);
const Moment = z.iso.datetime().transform((text) => instant(Date.parse(text)));
const Texts = z.array(z.string().max(10_000)).nullish();

/** The number of a category; another form of it is none. */
const CategoryId = z.string().regex(/^\d{1,12}$/);

const InventoryItem = z.object({
  sku: z.string().max(1_000),
  product: z.object({ title: Text, imageUrls: Texts, upc: Texts, ean: Texts, epid: Text }).nullish(),
  availability: z
    .object({ shipToLocationAvailability: z.object({ quantity: z.int().nullish() }).nullish() })
    .nullish(),
});
export type InventoryItem = z.output<typeof InventoryItem>;

/**
 * GET /sell/inventory/v1/inventory_item. A missing list means that the page is empty only where a total says how many
 * there are; a total above that has to be compared with what came.
 */
export const InventoryPage = z
  .object({
    total: z.int().min(0).nullish(),
    next: Text,
    inventoryItems: z.array(tolerant(InventoryItem, 'sku')).nullish(),
  })
  .refine(({ total, inventoryItems }) => inventoryItems != null || total != null)
  .transform(({ total, next, inventoryItems }) => ({ total, next, items: inventoryItems ?? [] }));

/** A limit that cannot be read, or is in another currency, is none. */
const LimitPrice = Price.nullish().catch(null);

/** GET /sell/inventory/v1/offer/{offerId} */
export const Offer = z.object({
  offerId: Id,
  marketplaceId: z.string().max(100),
  format: z.string().max(100),
  status: z.string().max(100),
  availableQuantity: z.int().nullish(),
  categoryId: CategoryId.nullish().catch(null),
  pricingSummary: z.object({ price: OwnMoney.nullish(), minimumAdvertisedPrice: LimitPrice }).nullish(),
  listingPolicies: z
    .object({
      bestOfferTerms: z
        .object({
          bestOfferEnabled: z.boolean().nullish(),
          autoAcceptPrice: LimitPrice,
          autoDeclinePrice: LimitPrice,
        })
        .nullish(),
    })
    .nullish()
    .catch(null),
  listing: z
    .object({ listingId: Id.nullish(), listingStatus: Text, listingOnHold: z.boolean().nullish() })
    .nullish(),
});
export type Offer = z.output<typeof Offer>;

/** GET /sell/inventory/v1/offer?sku= */
export const OfferPage = z.object({ offers: z.array(tolerant(Offer, 'sku', 'offerId')) });

const Problem = z.object({ errorId: z.int().nullish(), category: Text, message: Text, longMessage: Text });

/** POST /sell/inventory/v1/bulk_update_price_quantity */
export const BulkAnswer = z.object({
  responses: z.array(
    z.object({ offerId: Id.nullish(), statusCode: z.int(), errors: z.array(Problem).nullish() }),
  ),
});
export type BulkResponse = z.output<typeof BulkAnswer>['responses'][number];

/** POST /sell/inventory/v1/bulk_migrate_listing: 200, or 207 with a status of each. */
export const MigrationAnswer = z.object({
  responses: z.array(
    z.object({
      listingId: Id.nullish(),
      statusCode: z.int(),
      inventoryItems: z
        .array(z.object({ sku: z.string().max(1_000).nullish(), offerId: Id.nullish() }))
        .nullish(),
      errors: z.array(Problem).nullish(),
    }),
  ),
});
export type MigrationResponse = z.output<typeof MigrationAnswer>['responses'][number];

/** An error response: of the selling and buying calls, or of the token endpoint. */
export const Refusal = z.union([
  z.object({ errors: z.array(Problem).min(1) }).transform(({ errors }) => errors[0]),
  z
    .object({ error: z.string(), error_description: Text })
    .transform(({ error, error_description }) => ({ message: error_description ?? error, error })),
]);

/** POST /identity/v1/oauth2/token */
export const Token = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,20000}$/),
  expires_in: z.int().positive(),
});

/** The same call, for the response of an authorization. */
export const ConsentToken = z.object({
  refresh_token: CredentialText,
  /** Seconds; about 18 months. */
  refresh_token_expires_in: z.int().positive().max(1_000_000_000).nullish(),
});

const ItemSummary = z.object({
  itemId: Id,
  legacyItemId: Id.nullish(),
  price: Price.nullish(),
  shippingOptions: z.array(z.object({ shippingCost: Dollars.nullish() })).nullish(),
  seller: z
    .object({
      username: z.string().min(1).max(200),
      feedbackPercentage: z
        .string()
        .regex(/^(100(\.0{1,2})?|\d{1,2}(\.\d{1,2})?)$/)
        .transform(bpsFromDecimal)
        .nullish(),
      feedbackScore: z.int().nullish(),
    })
    .nullish(),
});
export type ItemSummary = z.output<typeof ItemSummary>;

/** GET /buy/browse/v1/item_summary/search */
export const SearchPage = z
  .object({ total: z.int().min(0), itemSummaries: z.array(tolerant(ItemSummary, 'itemId')).nullish() })
  .refine(({ total, itemSummaries }) => itemSummaries != null || total === 0)
  .transform(({ itemSummaries }) => itemSummaries ?? []);

/** GET /buy/browse/v1/item/get_item_by_legacy_id */
export const RatedItem = z.object({
  primaryProductReviewRating: z
    .object({
      averageRating: z
        .string()
        .regex(/^[0-5](\.\d{1,2})?$/)
        .transform((text) => centsFromDecimal(text) as number)
        .pipe(z.number().max(500)),
      reviewCount: z.int().min(0),
    })
    .nullish(),
});

const LineItem = z.object({
  lineItemId: Id,
  legacyItemId: Id.nullish(),
  sku: Text,
  quantity: z.int().min(1),
  lineItemCost: Money,
  discountedLineItemCost: Money.nullish(),
  deliveryCost: z.object({ shippingCost: Money.nullish(), discountAmount: Money.nullish() }).nullish(),
  listingMarketplaceId: Text,
});
export type LineItem = z.output<typeof LineItem>;

const Order = z.object({
  orderId: z.string().max(100),
  creationDate: Moment,
  orderPaymentStatus: z.string().max(100),
  cancelStatus: z.object({ cancelState: Text }).nullish(),
  lineItems: z.array(LineItem),
  totalMarketplaceFee: Money.nullish(),
});
export type Order = z.output<typeof Order>;

/** GET /sell/fulfillment/v1/order */
export const OrderPage = z.object({ next: Text, orders: z.array(tolerant(Order, 'orderId')) });

/** GET /sell/feed/v1/inventory_task/{task_id} */
export const ReportTask = z.object({ status: z.string().max(100) });

/** An amount of a transaction before it is checked: one that cannot be used must not fail the others. */
const AnyAmount = z
  .object({ value: z.unknown(), currency: z.string().max(10).nullish() })
  .transform(({ value, currency }) => ({ value, currency: currency ?? null }));
export type BookedAmount = z.output<typeof AnyAmount>;

const BookedFee = z.object({ feeType: z.string().min(1).max(100), amount: AnyAmount });
export type BookedFee = z.output<typeof BookedFee>;
const BookedFees = z
  .array(BookedFee)
  .nullish()
  .transform((fees) => fees ?? []);

/** A transaction of the page below. */
export const MoneyTransaction = z.object({
  transactionId: z.string().min(1).max(100),
  transactionType: z.string().min(1).max(100),
  transactionStatus: Text,
  transactionDate: Moment,
  bookingEntry: z.enum(['CREDIT', 'DEBIT']),
  amount: AnyAmount,
  totalFeeAmount: AnyAmount.nullish().transform((amount) => amount ?? null),
  totalFeeBasisAmount: AnyAmount.nullish().transform((amount) => amount ?? null),
  feeType: z
    .string()
    .max(100)
    .nullish()
    .transform((type) => type ?? null),
  orderId: z.string().min(1).max(100).nullish(),
  payoutId: z.string().min(1).max(100).nullish(),
  references: z
    .array(z.object({ referenceId: z.string().min(1).max(100), referenceType: z.string().max(100) }))
    .nullish()
    .transform((references) => references ?? []),
  orderLineItems: z
    .array(
      z.object({
        lineItemId: Id,
        feeBasisAmount: AnyAmount.nullish().transform((amount) => amount ?? null),
        marketplaceFees: BookedFees,
        donations: BookedFees,
      }),
    )
    .nullish()
    .transform((lines) => lines ?? []),
});

/** GET /sell/finances/v1/transaction; no result is 204 without a body. */
export const TransactionPage = z
  .object({ next: Text, transactions: z.array(z.unknown()) })
  .transform(({ next, transactions }) => ({ next, rows: transactions }));

/** A payout of the page below. */
export const MoneyPayout = z.object({
  payoutId: z.string().regex(/^[\w-]{1,100}$/),
  payoutDate: Moment,
  payoutStatus: z.string().max(100),
  amount: AnyAmount,
  totalAmount: AnyAmount.nullish(),
});

/** GET /sell/finances/v1/payout; no result is 204, or an empty answer. */
export const PayoutPage = z
  .object({ next: Text, payouts: z.array(z.unknown()).nullish() })
  .transform(({ next, payouts }) => ({ next, rows: payouts ?? [] }));

/** GET /commerce/taxonomy/v1/get_default_category_tree_id */
export const CategoryTreeId = z
  .object({ categoryTreeId: CategoryId, categoryTreeVersion: z.string().min(1).max(100) })
  .transform(({ categoryTreeId, categoryTreeVersion }) => ({
    id: categoryTreeId,
    version: categoryTreeVersion,
  }));

const Children = z
  .array(z.unknown())
  .nullish()
  .transform((children) => children ?? []);

/** A category of the tree below. Those in it are read one by one. */
export const CategoryNode = z
  .object({ category: z.object({ categoryId: CategoryId }), childCategoryTreeNodes: Children })
  .transform(({ category, childCategoryTreeNodes }) => ({
    id: category.categoryId,
    children: childCategoryTreeNodes,
  }));

/** GET /commerce/taxonomy/v1/category_tree/{id} */
export const CategoryTree = z
  .object({ rootCategoryNode: z.object({ childCategoryTreeNodes: Children }) })
  .transform(({ rootCategoryNode }) => ({ children: rootCategoryNode.childCategoryTreeNodes }));
