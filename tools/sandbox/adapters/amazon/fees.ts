import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Cents, cents } from '#domain/units.ts';
import { dollars, priceOf } from '#sandbox/adapters/money.ts';
import type { Market } from '#sandbox/world/market.ts';
import { feesOf } from '#sandbox/world/shoppers.ts';
import { MARKETPLACE_ID, SELLER_ID } from './amazon-auth.ts';
import { amazonRefusal } from './amazon-errors.ts';

const Money = z.looseObject({ CurrencyCode: z.literal('USD'), Amount: z.number() });
const Queries = z
  .array(
    z.looseObject({
      IdType: z.enum(['ASIN', 'SellerSKU']),
      IdValue: z.string(),
      FeesEstimateRequest: z.looseObject({
        MarketplaceId: z.string(),
        IsAmazonFulfilled: z.boolean().optional(),
        PriceToEstimateFees: z.looseObject({ ListingPrice: Money, Shipping: Money.optional() }),
        Identifier: z.string(),
      }),
    }),
  )
  .min(1)
  .max(20);
type Query = z.infer<typeof Queries>[number];

/** getMyFeesEstimates of the Product Fees API v0. */
export function addFees(app: FastifyInstance, market: Market): void {
  app.post(
    '/products/fees/v0/feesEstimate',
    { config: { operation: 'getMyFeesEstimates' } },
    async (request) => {
      const queries = Queries.safeParse(request.body);
      if (!queries.success) throw amazonRefusal(400, 'The list of queries is not well-formed or too long.');
      return queries.data.map((query) => estimate(market, query));
    },
  );
}

function estimate(market: Market, { IdType, IdValue, FeesEstimateRequest }: Query) {
  const { MarketplaceId, IsAmazonFulfilled = false, PriceToEstimateFees, Identifier } = FeesEstimateRequest;
  const identifier = {
    MarketplaceId,
    SellerId: SELLER_ID,
    IdType,
    IdValue,
    IsAmazonFulfilled,
    PriceToEstimateFees,
    SellerInputIdentifier: Identifier,
  };
  const item =
    IdType === 'SellerSKU' ? market.item(IdValue) : market.find(({ itemId }) => itemId === IdValue);
  const price = priceOf(PriceToEstimateFees.ListingPrice.Amount);
  if (item === null || price === null || MarketplaceId !== MARKETPLACE_ID) {
    const error = {
      Type: 'Sender',
      Code: 'InvalidParameterValue',
      Message: 'The item cannot be estimated.',
      Detail: [],
    };
    return { Status: 'ClientError', FeesEstimateIdentifier: identifier, Error: error };
  }
  const shipping = cents(Math.round((PriceToEstimateFees.Shipping?.Amount ?? 0) * 100));
  const fulfillmentType = IsAmazonFulfilled ? 'FBA/WFS' : 'FBM';
  const { commission, fulfillment } = feesOf({ ...item, fulfillmentType }, price, shipping);
  return {
    Status: 'Success',
    FeesEstimateIdentifier: identifier,
    FeesEstimate: {
      TimeOfFeesEstimation: new Date(market.now()).toISOString(),
      TotalFeesEstimate: money(cents(commission + fulfillment)),
      FeeDetailList: [
        fee('ReferralFee', commission),
        fee('VariableClosingFee', cents(0)),
        fee('PerItemFee', cents(0)),
        ...(IsAmazonFulfilled ? [fee('FBAFees', fulfillment)] : []),
      ],
    },
  };
}

function fee(FeeType: string, amount: Cents) {
  return { FeeType, FeeAmount: money(amount), FeePromotion: money(cents(0)), FinalFee: money(amount) };
}

function money(amount: Cents) {
  return { CurrencyCode: 'USD', Amount: dollars(amount) };
}
