import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Cents, cents } from '#domain/units.ts';
import { dollars, priceOf } from '#sandbox/adapters/money.ts';
import type { Market } from '#sandbox/world/market.ts';
import { rounded } from '#sandbox/world/truth/category.ts';
import { MARKETPLACE_ID, SELLER_ID } from './amazon-auth.ts';
import { amazonRefusal } from './amazon-errors.ts';

const Money = z.looseObject({ CurrencyCode: z.string(), Amount: z.number() });
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
  const { CurrencyCode, Amount } = PriceToEstimateFees.ListingPrice;
  const price = CurrencyCode === 'USD' ? priceOf(Amount) : null;
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
  const at = market.now();
  const basis = { unitPrice: price, shipping, quantity: 1, tax: cents(0), at };
  const { commission, closing, fulfillment } = market.fees.feesFor({ ...item, fulfillmentType }, basis);
  const promotion = cents(rounded(commission * (market.fees.promotionOf(item.sku, at)?.share ?? 0)));
  return {
    Status: 'Success',
    FeesEstimateIdentifier: identifier,
    FeesEstimate: {
      TimeOfFeesEstimation: new Date(at).toISOString(),
      TotalFeesEstimate: money(cents(commission - promotion + closing + fulfillment)),
      FeeDetailList: [
        fee('ReferralFee', commission, promotion),
        fee('VariableClosingFee', closing),
        fee('PerItemFee', cents(0)),
        ...(IsAmazonFulfilled ? [warehouseFee(fulfillment)] : []),
      ],
    },
  };
}

/** A fee that repeats its parts, whose sum it is. */
function warehouseFee(amount: Cents) {
  return { ...fee('FBAFees', amount), IncludedFeeDetailList: [fee('FBAPickAndPack', amount)] };
}

function fee(FeeType: string, amount: Cents, promotion = cents(0)) {
  return {
    FeeType,
    FeeAmount: money(amount),
    FeePromotion: money(promotion),
    TaxAmount: money(cents(0)),
    FinalFee: money(cents(amount - promotion)),
  };
}

function money(amount: Cents) {
  return { CurrencyCode: 'USD', Amount: dollars(amount) };
}
