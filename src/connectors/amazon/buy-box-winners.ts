import { z } from 'zod';
import { ConnectorError } from '#connectors/connector-error.ts';
import { chunks } from '#connectors/map-limited.ts';
import type { AmazonCalls } from './amazon-calls.ts';
import { Id, read } from './amazon-responses.ts';
import type { AmazonShop } from './amazon-shop.ts';
import type { Winner } from './market-offers.ts';

const PATH = '/products/pricing/2022-05-01/items/competitiveSummary';
const ITEMS_PER_BATCH = 20;

const Featured = z.object({
  sellerId: Id,
  fulfillmentType: z.enum(['AFN', 'MFN']),
  featuredOfferSegments: z
    .array(
      z.object({
        segmentDetails: z
          .object({ glanceViewWeightPercentage: z.number().min(0).max(100).nullish() })
          .nullish(),
      }),
    )
    .nullish(),
});
type Featured = z.output<typeof Featured>;

const Summaries = z.object({
  responses: z.array(
    z.object({
      status: z.object({ statusCode: z.int() }),
      body: z.object({
        asin: z.string().nullish(),
        featuredBuyingOptions: z
          .array(z.object({ buyingOptionType: z.string(), segmentedFeaturedOffers: z.array(Featured) }))
          .nullish(),
      }),
    }),
  ),
});

/**
 * The buy box winners of these items as new, as far as Amazon responds immediately: it allows this call for twenty
 * items in half a minute. Items without a response stay unknown.
 * @throws ConnectorError only of fault "time"
 */
export async function readWinners(
  calls: AmazonCalls,
  shop: AmazonShop,
  asins: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Winner>> {
  const winners = new Map<string, Winner>();
  try {
    for (const slice of chunks([...new Set(asins)], ITEMS_PER_BATCH)) {
      for (const [asin, winner] of await askFor(calls, shop, slice, signal)) winners.set(asin, winner);
    }
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.fault === 'time') throw error;
  }
  return winners;
}

async function askFor(
  calls: AmazonCalls,
  shop: AmazonShop,
  asins: readonly string[],
  signal: AbortSignal,
): Promise<[string, Winner][]> {
  const requests = asins.map((asin) => ({
    asin,
    marketplaceId: shop.marketplaceId,
    includedData: ['featuredBuyingOptions'],
    method: 'GET',
    uri: PATH,
  }));
  const answer = await calls.ask(
    shop,
    {
      method: 'POST',
      path: `/batches${PATH}`,
      operation: 'competitiveSummary',
      text: JSON.stringify({ requests }),
    },
    signal,
  );
  const { responses } = read(Summaries, answer.body, 'list of featured offers');
  return responses.flatMap(({ status, body }): [string, Winner][] => {
    const option = body.featuredBuyingOptions?.find(({ buyingOptionType }) => buyingOptionType === 'New');
    const most = mostSeen(option?.segmentedFeaturedOffers ?? []);
    if (status.statusCode !== 200 || body.asin == null || most === null) return [];
    const fulfillmentType = most.fulfillmentType === 'AFN' ? 'FBA/WFS' : 'FBM';
    return [[body.asin, { sellerId: most.sellerId, fulfillmentType }]];
  });
}

/** Buyers in different places may see different offers: the one that most of them see. */
function mostSeen(offers: readonly Featured[]): Featured | null {
  const weightOf = ({ featuredOfferSegments }: Featured): number =>
    (featuredOfferSegments ?? []).reduce(
      (sum, { segmentDetails }) => sum + (segmentDetails?.glanceViewWeightPercentage ?? 0),
      0,
    );
  return offers.toSorted((a, b) => weightOf(b) - weightOf(a))[0] ?? null;
}
