import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Cents, cents } from '#domain/units.ts';
import { dollars } from '#sandbox/adapters/money.ts';
import type { MarketItem, ShownOffer } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import { appeal, featuredOffer } from '#sandbox/world/offers.ts';
import { MARKETPLACE_ID, SELLER_ID } from './amazon-auth.ts';
import { amazonRefusal, errorsBody } from './amazon-errors.ts';
import { sellerOf } from './offers-view.ts';

const URI = '/products/pricing/2022-05-01/offer/featuredOfferExpectedPrice';

const Batch = z.looseObject({
  requests: z
    .array(
      z.looseObject({
        marketplaceId: z.string(),
        sku: z.string(),
        method: z.literal('GET'),
        uri: z.literal(URI),
      }),
    )
    .min(1)
    .max(40),
});
type Asked = z.infer<typeof Batch>['requests'][number];

/** featuredOfferExpectedPrice of the Product Pricing API, 2022-05-01: the highest price with which we would be featured. */
export function addFeaturedPrice(app: FastifyInstance, market: Market): void {
  app.post(
    `/batches${URI}`,
    { config: { operation: 'getFeaturedOfferExpectedPriceBatch' } },
    async (request) => {
      const batch = Batch.safeParse(request.body);
      if (!batch.success) throw amazonRefusal(400, 'The batch is not well-formed or too large.');
      return { responses: batch.data.requests.map((requested) => answer(market, requested)) };
    },
  );
}

function answer(market: Market, { marketplaceId, sku }: Asked) {
  const request = { marketplaceId, sku };
  const headers = {};
  const fails = market.happens(market.quirks.told?.batchFails);
  const item = market.item(sku);
  if (fails || item === null || marketplaceId !== MARKETPLACE_ID) {
    const status = fails
      ? { statusCode: 500, reasonPhrase: 'Internal Server Error' }
      : { statusCode: 400, reasonPhrase: 'Client Error' };
    const { errors } = errorsBody(status.statusCode, fails ? undefined : `The SKU ${sku} is not valid.`);
    return { status, headers, body: { errors }, request };
  }
  const shown = market.seenIn('box', item);
  return {
    status: { statusCode: 200, reasonPhrase: 'Success' },
    headers,
    body: {
      offerIdentifier: {
        marketplaceId: MARKETPLACE_ID,
        sellerId: SELLER_ID,
        sku,
        asin: item.itemId,
        fulfillmentType: item.fulfillmentType === 'FBA/WFS' ? 'AFN' : 'MFN',
      },
      featuredOfferExpectedPriceResults: [resultOf(shown, market.quirks.told?.featuredPrice?.[sku])],
    },
    request,
  };
}

/** @param planned the status that the world plans for the SKU */
function resultOf(item: MarketItem, planned: string | undefined) {
  const withoutUs = { ...item, isActive: false };
  const competing = featuredOffer(withoutUs);
  const current = featuredOffer(item);
  const resultStatus = planned ?? statusOf(item, competing);
  const price = resultStatus === 'VALID_FOEP' && competing !== null ? winningPrice(item, competing) : null;
  return {
    resultStatus,
    ...(price === null ? {} : { featuredOfferExpectedPrice: { listingPrice: money(price) } }),
    ...(competing === null ? {} : { competingFeaturedOffer: offerView(item, competing) }),
    ...(current === null ? {} : { currentFeaturedOffer: offerView(item, current) }),
  };
}

function statusOf({ isActive, quantity }: MarketItem, competing: ShownOffer | null): string {
  if (!isActive || quantity === 0) return 'OFFER_NOT_ELIGIBLE';
  return competing === null ? 'NO_COMPETING_OFFER' : 'VALID_FOEP';
}

/** The highest price with which our offer is better than that one; at the same worth the other wins. */
function winningPrice(item: MarketItem, competing: ShownOffer): Cents {
  const { competitor } = competing;
  const theirs = appeal(competing) * (competitor === null || competitor.rating >= 9_000 ? 1 : 1.05);
  const { shippingCharge, fulfillmentType, handlingDays } = item;
  const perCent = appeal({ ...competing, competitor: null, landed: cents(1), fulfillmentType, handlingDays });
  return cents(Math.max(1, Math.ceil(theirs / perCent) - 1 - shippingCharge));
}

function offerView({ itemId }: MarketItem, offer: ShownOffer) {
  return {
    offerIdentifier: {
      marketplaceId: MARKETPLACE_ID,
      sellerId: sellerOf(offer),
      asin: itemId,
      fulfillmentType: offer.fulfillmentType === 'FBA/WFS' ? 'AFN' : 'MFN',
    },
    condition: 'New',
    price: { listingPrice: money(offer.price), shippingPrice: money(offer.shippingCharge) },
  };
}

function money(amount: Cents) {
  return { currencyCode: 'USD', amount: dollars(amount) };
}
