import type { BusinessOrder } from '#connectors/connector.ts';
import type { Db } from '#db/client.ts';
import { readBusinessGaps, readBusinessPricePolicy } from '#db/queries/marketplaces/sending/business-gaps.ts';
import type { OpenIntent } from '#db/queries/marketplaces/sending/queued-prices.ts';
import { readBusinessOffers } from '#db/queries/marketplaces/sync/business-offers.ts';
import { missingFact } from '#domain/decision/completeness.ts';
import { allowedPricesOf } from '#domain/decision/decide.ts';
import { manualPriceMargin } from '#domain/decision/manual-price.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { type BusinessPlan, businessPlan, tooLowAfter } from '#domain/sending/business-plan.ts';
import type { UnitPrice } from '#domain/sending/business-prices.ts';
import { moneyText } from '#domain/text.ts';
import type { PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';

/** The business prices that go with a price. */
export interface FollowedPrices extends BusinessPlan, BusinessOrder {}

/** What happens to business prices when prices are sent, by listing. */
export interface BusinessPlans {
  /** Those that go with a price. */
  readonly followed: ReadonlyMap<number, FollowedPrices>;
  /** Why a price must not be lowered now: one of them cannot follow, and would stay below the lowest allowed price. */
  readonly tooLow: ReadonlyMap<number, string>;
}

const NONE: BusinessPlans = { followed: new Map(), tooLow: new Map() };

/**
 * The business prices that go with prices which are about to be sent, from the facts of now. Listings without any, or for
 * which none is allowed, have none: there these prices stay as they are.
 */
export async function followedPrices(
  tx: Db,
  marketplace: Marketplace,
  intents: readonly Pick<OpenIntent, 'listingId' | 'price'>[],
  inputs: ReadonlyMap<number, PricingInput>,
): Promise<BusinessPlans> {
  if ((await readBusinessPricePolicy(tx, marketplace)) !== 'follow') return NONE;
  const ids = intents.map(({ listingId }) => listingId);
  const gaps = await readBusinessGaps(tx, ids);
  const shown = await readBusinessOffers(tx, [...gaps.keys()]);
  const followed = new Map<number, FollowedPrices>();
  const tooLow = new Map<number, string>();
  for (const { listingId, price } of intents) {
    const kept = gaps.get(listingId);
    const input = inputs.get(listingId);
    if (kept === undefined || input === undefined || missingFact(input.facts) !== null) continue;
    const { facts, choice, listing } = input;
    // MAP and the seller's limits on the marketplace bind the regular price alone.
    const own = { ...facts, marketplaceLimits: null };
    const allowed = allowedPricesOf(own, manualPriceMargin(choice, facts));
    const plan = businessPlan(kept, price, allowed);
    if (plan !== null) followed.set(listingId, { ...plan, known: kept.tiers.map(({ from }) => from) });
    const offer = shown.get(listingId);
    const low = offer === undefined ? null : tooLowAfter(offer, plan, price, allowed);
    if (low !== null && price < listing.currentPrice) tooLow.set(listingId, tooLowText(marketplace, low));
  }
  return { followed, tooLow };
}

function tooLowText(marketplace: Marketplace, { from, price }: UnitPrice): string {
  const what = from === 1 ? 'Business price' : `Price from ${from} units on`;
  const name = MARKETPLACE_NAMES[marketplace];
  return `${what}: ${moneyText(price)} on ${name} is below the lowest allowed price and cannot follow a lower price. Raise it there.`;
}
