import { z } from 'zod';
import { tolerant } from '#connectors/passed-over.ts';
import { type Cents, type Instant, instant, MAX_CENTS } from '#domain/units.ts';

/** An amount in a response of Etsy. */
export interface Money {
  readonly amount: Cents;
  readonly currency: string;
  /** In a catalog: what Etsy names in place of an amount in whole cents. */
  readonly finer?: string;
}

const RawMoney = z.object({
  amount: z.int().min(0),
  divisor: z.int().min(1).max(1_000_000),
  currency_code: z.string().regex(/^[A-Z]{3}$/),
});

/**
 * The members of Etsy's responses that are used, validated as untrusted input. One amount that is negative, or not
 * a whole number of cents, fails the row that contains it.
 */
const Money = RawMoney.refine(
  ({ amount, divisor }) => (amount * 100) % divisor === 0 && (amount * 100) / divisor <= MAX_CENTS,
).transform(
  ({ amount, divisor, currency_code }): Money => ({
    amount: ((amount * 100) / divisor) as Cents,
    currency: currency_code,
  }),
);

/** A price of ours in the catalog. */
const CatalogMoney = RawMoney.refine(
  ({ amount, divisor }) => (amount * 100) / divisor <= MAX_CENTS,
).transform(({ amount, divisor, currency_code }): Money => {
  const hundredths = Math.floor((amount * 100) / divisor) as Cents;
  const isWhole = (amount * 100) % divisor === 0;
  return {
    amount: hundredths,
    currency: currency_code,
    ...(isWhole ? {} : { finer: String(amount / divisor) }),
  };
});

const Id = z.int().positive();
const Text = z.string().max(100_000).nullish();
const Second = z
  .int()
  .min(0)
  .max(100_000_000_000)
  .transform((seconds): Instant => instant(seconds * 1_000));
const Properties = z
  .array(Id)
  .nullish()
  .transform((ids) => ids ?? []);

function offeringWith(price: typeof Money) {
  return z.object({
    price,
    quantity: z.int().min(0),
    is_enabled: z.boolean(),
    is_deleted: z.boolean().nullish(),
    readiness_state_id: Id.nullish(),
  });
}

const PropertyValues = z
  .array(
    z.object({
      property_id: Id,
      property_name: Text,
      scale_id: Id.nullish(),
      value_ids: z.array(Id),
      values: z.array(z.string().max(1_000)),
    }),
  )
  .nullish()
  .transform((values) => values ?? []);
export type PropertyValues = z.output<typeof PropertyValues>;

function inventoryWith(price: typeof Money) {
  return z.object({
    products: z.array(
      z.object({
        product_id: Id,
        sku: z
          .string()
          .max(1_000)
          .nullish()
          .transform((sku) => sku ?? ''),
        is_deleted: z.boolean().nullish(),
        offerings: z.array(offeringWith(price)),
        property_values: PropertyValues,
      }),
    ),
    price_on_property: Properties,
    quantity_on_property: Properties,
    sku_on_property: Properties,
    readiness_state_on_property: z.array(Id).nullish(),
  });
}

/** GET and PUT /v3/application/listings/{listing_id}/inventory */
export const Inventory = inventoryWith(Money);
export type Inventory = z.output<typeof Inventory>;
/** The same where it is only read. */
export const ShownInventory = inventoryWith(CatalogMoney);
export type Product = Inventory['products'][number];

const Listing = z.object({
  listing_id: Id,
  title: z.string().max(100_000),
  state: z.string().max(100),
  price: CatalogMoney.nullish(),
  quantity: z.int().min(0).nullish(),
  skus: z.array(z.string().max(1_000)).nullish(),
  images: z.array(z.object({ url_570xN: Text })).nullish(),
  inventory: inventoryWith(CatalogMoney).nullish(),
});
export type Listing = z.output<typeof Listing>;

const Count = z.int().min(0);

/** GET /v3/application/shops/{shop_id}/listings */
export const ListingPage = z.object({
  count: Count,
  results: z.array(tolerant(Listing, 'listing_id')),
});

const Transaction = z.object({
  transaction_id: Id,
  listing_id: Id.nullish(),
  product_id: Id.nullish(),
  sku: Text,
  quantity: z.int().min(1),
  price: Money,
  shipping_cost: Money.nullish(),
  /** The values of the variation that was bought. */
  product_data: PropertyValues,
  paid_timestamp: Second.nullish(),
});
export type Transaction = z.output<typeof Transaction>;

const Receipt = z.object({
  receipt_id: Id,
  status: z.string().max(100),
  is_paid: z.boolean(),
  created_timestamp: Second,
  /** The price of all lines after discounts, without tax and shipping. */
  subtotal: Money.nullish(),
  total_shipping_cost: Money.nullish(),
  transactions: z.array(Transaction),
});
export type Receipt = z.output<typeof Receipt>;

/** GET /v3/application/shops/{shop_id}/receipts */
export const ReceiptPage = z.object({ count: Count, results: z.array(tolerant(Receipt, 'receipt_id')) });
export type ReceiptPage = z.output<typeof ReceiptPage>;

/** An entry of the page below. Its amount is checked apart: one that cannot be used must not fail the others. */
export const LedgerEntry = z.object({
  entry_id: Id,
  /** Whole pennies, signed. */
  amount: z.unknown(),
  currency: z
    .string()
    .max(10)
    .nullish()
    .transform((currency) => currency ?? null),
  ledger_type: z.string().min(1).max(200),
  reference_type: z
    .string()
    .max(200)
    .nullish()
    .transform((type) => (type ?? '').toLowerCase()),
  reference_id: z
    .union([z.string().max(100), z.number()])
    .nullish()
    .transform((id) => (id == null || id === '' ? null : String(id))),
  created_timestamp: Second,
});

/** GET /v3/application/shops/{shop_id}/payment-account/ledger-entries */
export const LedgerPage = z.object({ count: Count, results: z.array(z.unknown()) });

/** GET /v3/application/shops/{shop_id}/payment-account/ledger-entries/payments, each of which is checked apart. */
export const PaymentPage = z.object({ results: z.array(z.unknown()) });

export const Payment = z.object({
  payment_id: Id,
  receipt_id: Id,
  payment_adjustments: z
    .array(z.object({ payment_adjustment_id: Id }))
    .nullish()
    .transform((all) => (all ?? []).map(({ payment_adjustment_id }) => payment_adjustment_id)),
});

/** GET /v3/application/shops/{shop_id}/receipts, for what was sold when. */
export const SoldPage = z.object({
  count: Count,
  results: z.array(
    z.object({
      created_timestamp: Second,
      transactions: z.array(z.object({ transaction_id: Id, listing_id: Id.nullish() })),
    }),
  ),
});

/** GET /v3/application/listings/{listing_id}/reviews */
export const ReviewPage = z.object({
  count: Count,
  results: z.array(z.object({ rating: z.int().min(1).max(5) })),
});

/** GET /v3/application/users/me */
export const Self = z.object({ user_id: Id, shop_id: Id.nullish() });

/** GET /v3/application/shops/{shop_id} */
export const Shop = z.object({ shop_id: Id, shop_name: z.string().min(1).max(200), currency_code: Text });

/** GET /v3/application/shops */
export const ShopPage = z.object({ results: z.array(Shop) });

const TokenText = z.string().regex(/^[\x21-\x7e]{1,4000}$/);

/** POST /v3/public/oauth/token */
export const Token = z.object({
  access_token: TokenText,
  refresh_token: TokenText,
  expires_in: z.int().positive(),
});

export const Refusal = z.object({ error: z.string(), error_description: Text });
