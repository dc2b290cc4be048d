import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Cents, cents } from '#domain/units.ts';
import { dollars } from '#sandbox/adapters/money.ts';
import type { MarketItem, ShownOffer } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import { featuredOffer, shownOffers } from '#sandbox/world/offers.ts';
import { MARKETPLACE_ID } from './amazon-auth.ts';
import { amazonRefusal, errorsBody } from './amazon-errors.ts';
import { sellerOf } from './offers-view.ts';

const PARTS = ['featuredBuyingOptions', 'referencePrices', 'lowestPricedOffers', 'similarItems'] as const;

const Input = z.looseObject({ itemCondition: z.string(), offerType: z.string() });
const Batch = z.looseObject({
  requests: z
    .array(
      z.looseObject({
        asin: z.string(),
        marketplaceId: z.string(),
        includedData: z.array(z.enum(PARTS)).min(1),
        lowestPricedOffersInputs: z.array(Input).max(5).optional(),
        method: z.literal('GET'),
        uri: z.literal('/products/pricing/2022-05-01/items/competitiveSummary'),
      }),
    )
    .min(1)
    .max(20),
});
type Asked = z.infer<typeof Batch>['requests'][number];

/** competitiveSummary of the Product Pricing API, 2022-05-01. */
export function addCompetitiveSummary(app: FastifyInstance, market: Market): void {
  const path = '/batches/products/pricing/2022-05-01/items/competitiveSummary';
  app.post(path, { config: { operation: 'getCompetitiveSummary' } }, async (request) => {
    const batch = Batch.safeParse(request.body);
    if (!batch.success) throw amazonRefusal(400, 'The batch is not well-formed or too large.');
    return { responses: batch.data.requests.map((requested) => answer(market, requested)) };
  });
}

function answer(market: Market, requested: Asked) {
  const { asin, marketplaceId } = requested;
  const item = market.find(({ itemId }) => itemId === asin);
  if (item === null || marketplaceId !== MARKETPLACE_ID) {
    const { errors } = errorsBody(400, `The asin ${asin} is not valid in the marketplace.`);
    return {
      status: { statusCode: 400, reasonPhrase: 'Client Error' },
      body: { asin, marketplaceId, errors },
    };
  }
  const shown = market.seenIn('box', item);
  const included = new Set(requested.includedData);
  const body = {
    asin,
    marketplaceId,
    ...(included.has('featuredBuyingOptions') ? { featuredBuyingOptions: featuredOptions(shown) } : {}),
    ...(included.has('lowestPricedOffers')
      ? { lowestPricedOffers: lowestOffers(shown, requested.lowestPricedOffersInputs ?? []) }
      : {}),
    ...(included.has('referencePrices') ? { referencePrices: referencePrices(shown) } : {}),
    ...(included.has('similarItems') ? { similarItems: [] } : {}),
  };
  return { status: { statusCode: 200, reasonPhrase: 'Success' }, body };
}

function featuredOptions(item: MarketItem) {
  const featured = featuredOffer(item);
  if (featured === null) return [];
  const segments = [{ customerMembership: 'DEFAULT', segmentDetails: { glanceViewWeightPercentage: 100 } }];
  return [
    {
      buyingOptionType: 'New',
      segmentedFeaturedOffers: [{ ...offerView(featured), featuredOfferSegments: segments }],
    },
  ];
}

function lowestOffers(item: MarketItem, inputs: readonly z.infer<typeof Input>[]) {
  return inputs.map((lowestPricedOffersInput) => ({
    lowestPricedOffersInput,
    offers:
      lowestPricedOffersInput.itemCondition === 'New' ? shownOffers(item).slice(0, 20).map(offerView) : [],
  }));
}

function referencePrices(item: MarketItem) {
  const threshold = featuredOffer(item)?.landed;
  if (threshold === undefined) return [];
  return [{ name: 'CompetitivePriceThreshold', price: money(cents(Math.round(threshold * 1.02))) }];
}

function offerView(offer: ShownOffer) {
  const isTheirs = offer.fulfillmentType === 'FBA/WFS';
  return {
    sellerId: sellerOf(offer),
    condition: 'New',
    subCondition: 'New',
    fulfillmentType: isTheirs ? 'AFN' : 'MFN',
    listingPrice: money(offer.price),
    shippingOptions: [{ shippingOptionType: 'DEFAULT', price: money(offer.shippingCharge) }],
    primeDetails: { eligibility: isTheirs ? 'NATIONAL' : 'NONE' },
  };
}

function money(amount: Cents) {
  return { currencyCode: 'USD', amount: dollars(amount) };
}
