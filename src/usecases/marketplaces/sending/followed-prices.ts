import type { BusinessOrder } from '#connectors/connector.ts';
import type { Db } from '#db/client.ts';
import { readBusinessGaps, readBusinessPricePolicy } from '#db/queries/marketplaces/business-gaps.ts';
import type { OpenIntent } from '#db/queries/marketplaces/send-queue.ts';
import { type BusinessPlan, businessPlan } from '#domain/business-plan.ts';
import { missingFact } from '#domain/completeness.ts';
import { allowedPricesOf } from '#domain/decide.ts';
import { manualPriceMargin } from '#domain/manual-price.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';

/** The business prices that go with a price. */
export interface FollowedPrices extends BusinessPlan, BusinessOrder {}

/**
 * The business prices that go with prices which are about to be sent, by listing, from the facts of now. Listings without
 * any, or for which none is allowed, are not among them: there these prices stay as they are.
 */
export async function followedPrices(
  tx: Db,
  marketplace: Marketplace,
  intents: readonly Pick<OpenIntent, 'listingId' | 'price'>[],
  inputs: ReadonlyMap<number, PricingInput>,
): Promise<ReadonlyMap<number, FollowedPrices>> {
  if ((await readBusinessPricePolicy(tx, marketplace)) !== 'follow') return new Map();
  const gaps = await readBusinessGaps(
    tx,
    intents.map(({ listingId }) => listingId),
  );
  const followed = new Map<number, FollowedPrices>();
  for (const { listingId, price } of intents) {
    const kept = gaps.get(listingId);
    const input = inputs.get(listingId);
    if (kept === undefined || input === undefined || missingFact(input.facts) !== null) continue;
    const { facts, choice } = input;
    // MAP and the seller's limits on the marketplace bind the regular price alone.
    const own = { ...facts, marketplaceLimits: null };
    const plan = businessPlan(kept, price, allowedPricesOf(own, manualPriceMargin(choice, facts)));
    if (plan !== null) followed.set(listingId, { ...plan, known: kept.tiers.map(({ from }) => from) });
  }
  return followed;
}
