import { z } from 'zod';
import type { FeaturedPriceReading, ListingRef, UnavailableListing } from '#connectors/connector.ts';
import { chunks } from '#connectors/map-limited.ts';
import { OWN_COMPETING_OFFER, VALID_FEATURED_PRICE } from '#domain/competition/featured-price.ts';
import { groupBy } from '#domain/group-by.ts';
import { cents, type Instant, MAX_CENTS } from '#domain/units.ts';
import type { AmazonCalls } from './amazon-calls.ts';
import { read, Text } from './amazon-responses.ts';
import type { AmazonShop } from './amazon-shop.ts';

/** Source: productPricing_2022-05-01.json, getFeaturedOfferExpectedPriceBatch: forty SKUs, 0.033 calls a second. */
const PATH = '/products/pricing/2022-05-01/offer/featuredOfferExpectedPrice';
const SKUS_PER_BATCH = 40;

type Reading = FeaturedPriceReading | UnavailableListing;

/** A calculated price: a fraction of a cent is rounded down, because the offer is featured at or below it. */
const Price = z
  .object({
    currencyCode: z.literal('USD'),
    amount: z
      .number()
      .min(0.01)
      .max(MAX_CENTS / 100),
  })
  .transform(({ amount }) => cents(Math.floor(Number((amount * 100).toFixed(4)))));

const Result = z.object({
  resultStatus: z.string().min(1).max(100),
  featuredOfferExpectedPrice: z.object({ listingPrice: Price }).nullish(),
  /** The one that would be featured in place of ours. */
  competingFeaturedOffer: z
    .object({ offerIdentifier: z.object({ sellerId: Text.nullish() }).nullish() })
    .nullish(),
});
const Part = z.object({
  status: z.object({ statusCode: z.int() }).nullish(),
  request: z.object({ sku: Text.nullish() }).nullish(),
  body: z
    .object({
      featuredOfferExpectedPriceResults: z.array(Result).max(100).nullish(),
      errors: z.array(z.object({ message: Text })).nullish(),
    })
    .nullish(),
});
type Part = z.output<typeof Part>;
/** Each is parsed apart: one that cannot be read must not cost the others their answers. */
const Batch = z.object({ responses: z.array(z.unknown()).max(200) });

/** What it takes to become the featured offer, forty SKUs per call. */
export async function* readFeaturedPrices(
  calls: AmazonCalls,
  shop: AmazonShop,
  refs: readonly ListingRef[],
  signal: AbortSignal,
): AsyncGenerator<readonly Reading[]> {
  for (const slice of chunks(refs, SKUS_PER_BATCH)) yield await readBatch(calls, shop, slice, signal);
}

async function readBatch(
  calls: AmazonCalls,
  shop: AmazonShop,
  refs: readonly ListingRef[],
  signal: AbortSignal,
): Promise<Reading[]> {
  const requests = refs.map(({ sku }) => ({
    uri: PATH,
    method: 'GET',
    marketplaceId: shop.marketplaceId,
    sku,
  }));
  const text = JSON.stringify({ requests });
  const readAt = calls.now();
  const answer = await calls.ask(
    shop,
    { method: 'POST', path: `/batches${PATH}`, operation: 'featuredPrices', text, isPatient: true },
    signal,
  );
  const { responses } = read(Batch, answer.body, 'list of featured offer prices');
  const parts = groupBy(
    responses.flatMap((each) => Part.safeParse(each).data ?? []),
    ({ request }) => request?.sku ?? null,
  );
  return refs.map((ref) => readingOf(ref, parts.get(ref.sku) ?? [], shop, readAt));
}

function readingOf(
  { listingId }: ListingRef,
  [part, ...others]: readonly Part[],
  { sellerId }: Pick<AmazonShop, 'sellerId'>,
  readAt: Instant,
): Reading {
  const unread = (why: string): UnavailableListing => ({ kind: 'unread', listingId, why });
  if (others.some((other) => JSON.stringify(other.body) !== JSON.stringify(part?.body))) {
    return unread('Amazon answered twice with different featured offer prices.');
  }
  // One result for each group of buyers that is requested: we ask for all of them.
  const [result] = part?.body?.featuredOfferExpectedPriceResults ?? [];
  if ((part?.status?.statusCode ?? 200) !== 200 || result === undefined) {
    const words = part?.body?.errors?.[0]?.message;
    return unread(
      words
        ? `Amazon did not report the featured offer price: ${words}`
        : 'Amazon did not report the featured offer price.',
    );
  }
  const { resultStatus, featuredOfferExpectedPrice: reported, competingFeaturedOffer: competing } = result;
  // The price that beats another listing of ours of the same product is none to go to.
  const isOwn = competing?.offerIdentifier?.sellerId === sellerId;
  const status = isOwn && resultStatus === VALID_FEATURED_PRICE ? OWN_COMPETING_OFFER : resultStatus;
  const price = status === VALID_FEATURED_PRICE ? (reported?.listingPrice ?? null) : null;
  if (status === VALID_FEATURED_PRICE && price === null) {
    return unread('Amazon reported a valid featured offer price without its amount.');
  }
  return { kind: 'featured_price', listingId, price, status, readAt };
}
