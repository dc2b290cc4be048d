import { z } from 'zod';
import type { FeeEstimate, FeeQuery, UnavailableListing, UnusableFees } from '#connectors/connector.ts';
import { chunks } from '#connectors/map-limited.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Cents } from '#domain/units.ts';
import type { AmazonCalls } from './amazon-calls.ts';
import { read, Text } from './amazon-responses.ts';
import type { AmazonShop } from './amazon-shop.ts';
import { Estimated, feesFrom, Question } from './fee-parts.ts';

const PATH = '/products/fees/v0/feesEstimate';
const QUERIES_PER_BATCH = 20;

type Answer = FeeEstimate | UnusableFees | UnavailableListing;

const Identifier = z.object({ SellerInputIdentifier: z.string() }).and(Question);
const Estimate = z.object({
  Status: z.string(),
  FeesEstimateIdentifier: Identifier,
  FeesEstimate: Estimated.nullish(),
  Error: z.object({ Message: Text.nullish() }).nullish(),
});
type Estimate = z.output<typeof Estimate>;
/** Each is parsed apart: one that cannot be read must not cost the other nineteen their answers. */
const Estimates = z.array(z.unknown()).max(200);

/** Amazon's fees at these prices, twenty per call. */
export async function* estimateFees(
  calls: AmazonCalls,
  shop: AmazonShop,
  queries: readonly FeeQuery[],
  signal: AbortSignal,
): AsyncGenerator<readonly Answer[]> {
  for (const slice of chunks(queries, QUERIES_PER_BATCH))
    yield await estimateBatch(calls, shop, slice, signal);
}

async function estimateBatch(
  calls: AmazonCalls,
  shop: AmazonShop,
  queries: readonly FeeQuery[],
  signal: AbortSignal,
): Promise<Answer[]> {
  const text = `[${queries.map((query, at) => requestOf(query, at, shop)).join(',')}]`;
  const answer = await calls.ask(shop, { method: 'POST', path: PATH, operation: 'fees', text }, signal);
  const byNumber = groupBy(
    read(Estimates, answer.body, 'list of fees').flatMap((each) => Estimate.safeParse(each).data ?? []),
    ({ FeesEstimateIdentifier: { SellerInputIdentifier } }) => SellerInputIdentifier,
  );
  return queries.map((query, at) => estimateOf(query, byNumber.get(String(at + 1)) ?? []));
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

function estimateOf(query: FeeQuery, [estimate, ...others]: readonly Estimate[]): Answer {
  const { listingId } = query.ref;
  const unread = (why: string): UnavailableListing => ({ kind: 'unread', listingId, why });
  if (others.some((other) => JSON.stringify(other) !== JSON.stringify(estimate))) {
    return unread('Amazon answered twice with different fees.');
  }
  const reported = estimate?.FeesEstimate;
  if (estimate?.Status !== 'Success' || reported == null) {
    const words = estimate?.Error?.Message;
    return unread(words ? `Amazon did not estimate the fees: ${words}` : 'Amazon did not estimate the fees.');
  }
  // A total alone does not report what of it grows with the price, and what a promotion takes off it.
  if ((reported.FeeDetailList ?? []).length === 0) return unread('Amazon named a total without its fees.');
  return feesFrom(query, estimate.FeesEstimateIdentifier, reported);
}
