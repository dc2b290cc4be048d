import { z } from 'zod';
import type { FeeEstimate, FeeQuery, UnavailableListing } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { type Cents, cents } from '#domain/units.ts';
import type { AmazonCalls } from './amazon-calls.ts';
import { OldFee } from './amazon-money.ts';
import { read, Text } from './amazon-responses.ts';
import type { AmazonShop } from './amazon-shop.ts';
import { chunks } from './map-sequential.ts';

const PATH = '/products/fees/v0/feesEstimate';
const QUERIES_PER_BATCH = 20;
/** Amazon's fees for picking, packing and shipping. */
const FULFILLMENT = 'FBAFees';

const Estimate = z.object({
  Status: z.string(),
  FeesEstimateIdentifier: z.object({ SellerInputIdentifier: z.string() }),
  FeesEstimate: z
    .object({
      TotalFeesEstimate: OldFee.nullish(),
      FeeDetailList: z.array(z.object({ FeeType: z.string(), FinalFee: OldFee })).nullish(),
    })
    .nullish(),
  Error: z.object({ Message: Text.nullish() }).nullish(),
});
type Estimate = z.output<typeof Estimate>;
const Estimates = z.array(Estimate).max(200);

/** Amazon's fees at these prices, twenty per call. */
export async function* estimateFees(
  calls: AmazonCalls,
  shop: AmazonShop,
  queries: readonly FeeQuery[],
  signal: AbortSignal,
): AsyncGenerator<readonly (FeeEstimate | UnavailableListing)[]> {
  for (const slice of chunks(queries, QUERIES_PER_BATCH))
    yield await estimateBatch(calls, shop, slice, signal);
}

async function estimateBatch(
  calls: AmazonCalls,
  shop: AmazonShop,
  queries: readonly FeeQuery[],
  signal: AbortSignal,
): Promise<(FeeEstimate | UnavailableListing)[]> {
  const text = `[${queries.map((query, at) => requestOf(query, at, shop)).join(',')}]`;
  const answer = await calls.ask(shop, { method: 'POST', path: PATH, operation: 'fees', text }, signal);
  const byNumber = new Map<string, Estimate>();
  for (const estimate of read(Estimates, answer.body, 'list of fees')) {
    const number = estimate.FeesEstimateIdentifier.SellerInputIdentifier;
    const known = byNumber.get(number);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(estimate)) {
      throw new ConnectorError('unreadable', 'Unexpected response from Amazon: duplicate fee.');
    }
    byNumber.set(number, estimate);
  }
  return queries.map((query, at) => estimateOf(query, byNumber.get(String(at + 1))));
}

/** As JSON text, with amounts written from whole cents. */
function requestOf({ ref, price, shippingCharge }: FeeQuery, at: number, shop: AmazonShop): string {
  const dollars = (amount: Cents): string => `{"CurrencyCode":"USD","Amount":${decimalFromCents(amount)}}`;
  const inner = [
    `"MarketplaceId":${JSON.stringify(shop.marketplaceId)}`,
    `"IsAmazonFulfilled":${ref.fulfillmentType === 'FBA/WFS'}`,
    `"PriceToEstimateFees":{"ListingPrice":${dollars(price)},"Shipping":${dollars(shippingCharge)}}`,
    `"Identifier":"${at + 1}"`,
  ].join(',');
  return `{"IdType":"SellerSKU","IdValue":${JSON.stringify(ref.sku)},"FeesEstimateRequest":{${inner}}}`;
}

function estimateOf(
  { ref, price }: FeeQuery,
  estimate: Estimate | undefined,
): FeeEstimate | UnavailableListing {
  const { listingId } = ref;
  const total = estimate?.FeesEstimate?.TotalFeesEstimate;
  if (estimate?.Status !== 'Success' || total == null) {
    const words = estimate?.Error?.Message;
    const why = words ? `Amazon did not estimate the fees: ${words}` : 'Amazon did not estimate the fees.';
    return { kind: 'unread', listingId, why };
  }
  const sent = (estimate.FeesEstimate?.FeeDetailList ?? []).filter(({ FeeType }) => FeeType === FULFILLMENT);
  const fulfillment = sent.reduce((sum, { FinalFee }) => sum + FinalFee, 0);
  const isFba = ref.fulfillmentType === 'FBA/WFS';
  if ((isFba && sent.length === 0) || fulfillment > total) {
    return { kind: 'unread', listingId, why: 'Amazon did not say what it takes for sending this.' };
  }
  return {
    kind: 'fees',
    listingId,
    price,
    commission: cents(total - fulfillment),
    fulfillment: isFba ? cents(fulfillment) : null,
  };
}
