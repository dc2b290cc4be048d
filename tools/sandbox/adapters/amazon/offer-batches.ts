import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import { MARKETPLACE_ID } from './amazon-auth.ts';
import { amazonRefusal, errorsBody } from './amazon-errors.ts';
import { offersView } from './offers-view.ts';

const MAX_BATCH_SIZE = 20;

const Batch = z.looseObject({
  requests: z
    .array(
      z.looseObject({
        uri: z.string(),
        method: z.literal('GET'),
        MarketplaceId: z.string(),
        ItemCondition: z.enum(['New', 'Used', 'Collectible', 'Refurbished', 'Club']),
        CustomerType: z.enum(['Consumer', 'Business']).optional(),
      }),
    )
    .min(1)
    .max(MAX_BATCH_SIZE),
});
type Asked = z.infer<typeof Batch>['requests'][number];

/** The batches of the Product Pricing API v0: offers by our own SKUs and by ASIN. */
export function addOfferBatches(app: FastifyInstance, market: Market): void {
  const base = '/batches/products/pricing/v0';
  app.post(`${base}/listingOffers`, { config: { operation: 'getListingOffersBatch' } }, async (request) => ({
    responses: askedOf(request).map((requested) => {
      const sku = partOf(requested, /^\/products\/pricing\/v0\/listings\/([^/]+)\/offers$/);
      const item = sku === null ? null : market.item(sku);
      return answer(market, requested, item, { SellerSKU: sku ?? '' });
    }),
  }));
  app.post(`${base}/itemOffers`, { config: { operation: 'getItemOffersBatch' } }, async (request) => ({
    responses: askedOf(request).map((requested) => {
      const asin = partOf(requested, /^\/products\/pricing\/v0\/items\/([^/]+)\/offers$/);
      return answer(
        market,
        requested,
        market.find(({ itemId }) => itemId === asin),
        { Asin: asin ?? '' },
      );
    }),
  }));
}

function askedOf(request: FastifyRequest): Asked[] {
  const batch = Batch.safeParse(request.body);
  if (!batch.success) throw amazonRefusal(400, 'The batch is not well-formed or too large.');
  return batch.data.requests;
}

function partOf({ uri }: Asked, pattern: RegExp): string | null {
  const [, part] = pattern.exec(uri) ?? [];
  try {
    return part === undefined ? null : decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** Each element has its own status: one can fail while the others succeed. */
function answer(market: Market, requested: Asked, item: MarketItem | null, name: Record<string, string>) {
  const { MarketplaceId, ItemCondition, CustomerType } = requested;
  const customer = CustomerType === undefined ? {} : { CustomerType };
  const request = { MarketplaceId, ItemCondition, ...customer, ...name };
  const headers = { Date: new Date(market.now()).toUTCString(), 'x-amzn-RequestId': `batch-${market.now()}` };
  if (item === null || MarketplaceId !== MARKETPLACE_ID) {
    const { errors } = errorsBody(
      400,
      `${Object.values(name)[0]} is not a valid identifier in the marketplace.`,
    );
    return { headers, status: { statusCode: 400, reasonPhrase: 'Client Error' }, body: { errors }, request };
  }
  if (market.happens(market.quirks.told?.batchFails)) {
    const status = { statusCode: 500, reasonPhrase: 'Internal Server Error' };
    return { headers, status, body: errorsBody(500), request };
  }
  const view = offersView(market.seenIn('box', item), ItemCondition, 'SellerSKU' in name);
  const { uncounted = 0 } = market.quirks.told ?? {};
  const TotalOfferCount = view.Summary.TotalOfferCount + uncounted;
  const payload = { ...view, Summary: { ...view.Summary, TotalOfferCount } };
  return { headers, status: { statusCode: 200, reasonPhrase: 'OK' }, body: { payload }, request };
}
