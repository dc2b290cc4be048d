import { z } from 'zod';
import { Dollars, FigureOrNull, isFiner, OwnPrice, RoundedPriceOrNull } from '#connectors/dollars.ts';
import { tolerant } from '#connectors/passed-over.ts';

/** The members of Walmart's responses that are used. Unknown members are ignored. */
const Text = z.string().max(10_000).nullish();
const Cursor = z
  .string()
  .max(10_000)
  .nullish()
  .transform((cursor) => cursor || null);

/** No error is missed because of its format. */
const Word = z
  .union([z.string(), z.number()])
  .transform(String)
  .nullish()
  .catch(null)
  .transform((word) => word || null);
const Problem = z.object({
  code: Word,
  description: Word,
  info: Word,
  message: Word,
  severity: Word,
  category: Word,
});
export type Problem = z.output<typeof Problem>;
const Problems = z
  .union([
    z.array(Problem),
    z.object({ error: z.array(Problem) }).transform(({ error }) => error),
    Problem.transform((problem) => [problem]),
    z.string().transform((message) => [Problem.parse({ message })]),
  ])
  .nullish()
  .transform((problems) => problems ?? []);
/** Walmart uses both spellings, also inside a 200 response. */
export const Refusal = z
  .object({ errors: Problems, error: Problems })
  .transform(({ errors, error }) => [...errors, ...error]);

/** POST /v3/token */
export const TokenAnswer = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]+$/),
  /** Seconds. */
  expires_in: z.coerce.number().int().positive().max(86_400),
});

/** GET /v3/token/detail */
export const TokenDetail = z.object({ scopes: z.record(z.string(), z.string().nullish()).nullish() });

const ItemPrice = z.object({ currency: Text, amount: OwnPrice }).nullish();

const Item = z.object({
  sku: Text,
  wpid: Text,
  productName: Text,
  productType: Text,
  price: ItemPrice,
  publishedStatus: Text,
  lifecycleStatus: Text,
});
export type Item = z.output<typeof Item>;

/** GET /v3/items */
export const ItemsPage = z.object({
  ItemResponse: z.array(tolerant(Item, 'sku', 'wpid')),
  totalItems: z.number().int().min(0).nullish(),
  nextCursor: Cursor,
});

/** GET /v3/items/{sku}: documented as one record, returned as a list of one. */
export const OneItem = z.union([
  z.object({ ItemResponse: z.array(Item).max(10) }).transform(({ ItemResponse }) => ItemResponse),
  z.object({ ItemResponse: Item }).transform(({ ItemResponse }) => [ItemResponse]),
  z.object({ responseRecord: Item }).transform(({ responseRecord }) => [responseRecord]),
]);

const CatalogRow = z.object({
  sku: Text,
  itemId: Text,
  fulfillmentType: Text,
  num_reviews: FigureOrNull,
  customerRating: FigureOrNull,
});
export type CatalogRow = z.output<typeof CatalogRow>;

/** POST /v3/items/catalog/search */
export const CatalogPage = z.object({
  payload: z
    .array(tolerant(CatalogRow, 'sku', 'itemId'))
    .nullish()
    .transform((rows) => rows ?? []),
  totalItems: z.number().int().min(0).nullish(),
  nextCursor: Cursor,
});
const QualityRow = z.object({
  sku: Text,
  itemId: Text,
  // Walmart's spelling.
  imageUrL: Text,
  // Text according to the documentation, a number in its examples.
  wfsEnabled: z.union([z.string(), z.number(), z.boolean()]).nullish(),
});
export type QualityRow = z.output<typeof QualityRow>;

/** POST /v3/insights/items/listingQuality/items */
export const QualityPage = z.object({
  payload: z
    .array(tolerant(QualityRow, 'sku', 'itemId'))
    .nullish()
    .transform((rows) => rows ?? []),
  nextCursor: Cursor,
});
const Insight = z.object({
  sku: z.string().min(1).max(1_000),
  // Ours, so one that is finer than a cent is none.
  currentPrice: OwnPrice.transform((reported) => (isFiner(reported) ? null : reported)),
  buyBoxBasePrice: RoundedPriceOrNull,
  buyBoxTotalPrice: RoundedPriceOrNull,
  buyBoxWinRate: FigureOrNull,
  fulfillment: Text,
  // No price depends on it.
  inventoryCount: z.number().int().min(0).nullish().catch(null),
  salesRank: FigureOrNull,
  repricerStrategyName: Text,
  repricerStatus: Text,
});
export type Insight = z.output<typeof Insight>;

/** POST /v3/price/getPricingInsights */
export const InsightsPage = z.object({
  pageContext: z.object({ totalPages: z.number().int().min(0).nullish(), nextCursor: Cursor }).nullish(),
  pricingInsightsResponseList: z
    .array(tolerant(Insight, 'sku'))
    .nullish()
    .transform((rows) => rows ?? []),
});

/** GET /v3/promo/sku/{sku} */
export const Promotions = z.object({
  payload: z
    .object({
      pricingList: z
        .object({
          pricing: z
            .array(z.object({ effectiveDate: Moment(), expirationDate: Moment() }))
            .nullish()
            .transform((rows) => rows ?? []),
        })
        .nullish(),
    })
    .nullish(),
});

/** PUT /v3/price, with and without the envelope of older responses. */
export const PriceAnswer = z
  .union([z.object({ ItemPriceResponse: z.object({ sku: z.string() }) }), z.object({ sku: z.string() })])
  .transform((answer) => ('ItemPriceResponse' in answer ? answer.ItemPriceResponse.sku : answer.sku));

/** POST /v3/feeds */
export const FeedReceipt = z.object({ feedId: z.string().min(1).max(500) });

const IngestionErrors = z
  .object({ ingestionError: z.array(z.object({ type: Text, code: Text, description: Text })).nullish() })
  .nullish()
  .transform((errors) => errors?.ingestionError ?? []);

/** GET /v3/feeds/{feedId} */
export const FeedStatus = z.object({
  feedStatus: z.string(),
  itemsReceived: z.number().int().min(0).nullish(),
  ingestionErrors: IngestionErrors,
  itemDetails: z
    .object({
      itemIngestionStatus: z
        .array(z.object({ sku: Text, ingestionStatus: z.string(), ingestionErrors: IngestionErrors }))
        .nullish(),
    })
    .nullish()
    .transform((details) => details?.itemIngestionStatus ?? []),
});

/** POST /v3/reports/reportRequests, and GET of one of them. */
export const ReportRequest = z.object({ requestId: z.string().min(1).max(200), requestStatus: Text });

/** GET /v3/reports/downloadReport */
export const ReportAddress = z.object({ downloadURL: z.string().min(1).max(10_000) });

/** "1", "1.0" or 1. */
const Pieces = z
  .union([z.number(), z.string().regex(/^\d{1,9}(\.0+)?$/)])
  .transform(Number)
  .pipe(z.number().int().min(0));

const OrderLine = z.object({
  lineNumber: z.union([z.string().min(1), z.number()]).transform(String),
  item: z.object({ sku: Text }).nullish(),
  charges: z
    .object({
      charge: z.array(
        z.object({
          chargeType: z.string(),
          chargeAmount: z.object({ currency: Text, amount: Dollars }),
        }),
      ),
    })
    .nullish()
    .transform((charges) => charges?.charge ?? []),
  orderLineQuantity: z.object({ amount: Pieces.pipe(z.number().min(1)) }),
  orderLineStatuses: z
    .object({
      orderLineStatus: z.array(
        z.object({ status: z.string(), statusQuantity: z.object({ amount: Pieces }).nullish() }),
      ),
    })
    .nullish()
    .transform((statuses) => statuses?.orderLineStatus ?? []),
});
export type OrderLine = z.output<typeof OrderLine>;

const Order = z.object({
  purchaseOrderId: z.union([z.string().min(1), z.number()]).transform(String),
  orderType: Text,
  orderDate: z.number().int().positive(),
  orderLines: z.object({ orderLine: z.array(OrderLine) }),
});
export type Order = z.output<typeof Order>;

/** GET /v3/orders */
export const OrdersPage = z.object({
  list: z.object({
    meta: z.object({ nextCursor: Cursor }).nullish(),
    elements: z
      .object({ order: z.array(tolerant(Order, 'purchaseOrderId')).nullish() })
      .nullish()
      .transform((elements) => elements?.order ?? []),
  }),
});

/** Milliseconds, or a timestamp as text; null for neither. */
function Moment() {
  return z
    .union([z.number(), z.string()])
    .nullish()
    .transform((value) => {
      const at = typeof value === 'number' ? value : Date.parse(value ?? '');
      return Number.isFinite(at) ? at : null;
    });
}

/** GET /v3/report/reconreport/availableReconFiles */
export const ReconDates = z
  .object({ availableApReportDates: z.array(z.string().min(1).max(50)).nullish() })
  .transform(({ availableApReportDates }) => availableApReportDates ?? []);

/** GET /v3/report/reconreport/reconFileJson. Each row is checked for itself. */
export const ReconPage = z.object({
  reportData: z
    .array(z.record(z.string(), z.unknown()))
    .nullish()
    .transform((rows) => rows ?? []),
  nextOffset: z
    .number()
    .int()
    .nullish()
    .transform((offset) => offset ?? null),
});
