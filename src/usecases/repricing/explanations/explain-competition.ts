import type { BuyBox, ListingCompetition } from '#contract/listing-analytics.ts';
import type { Db } from '#db/client.ts';
import { findBoxNow, listBoxReadings } from '#db/queries/catalog/box-holders.ts';
import { ownSellerKeys } from '#db/queries/marketplaces/offers/offer-aggregates.ts';
import { findUnread } from '#db/queries/marketplaces/offers/offers.ts';
import { boxHolding } from '#domain/competition/box-holding.ts';
import { competitionText } from '#domain/competition/competition-text.ts';
import { featuredPriceText } from '#domain/competition/featured-price-text.ts';
import { explain } from '#domain/decision/explain.ts';
import type { DecisionCase } from '#domain/decision/stored-case.ts';
import { lowestAllowed } from '#domain/limits/lowest-allowed.ts';
import type { Cents } from '#domain/units.ts';
import { findLiveListing, listingNotFound } from '#usecases/catalog/listings/find-listing.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import { moment, money, moneyOrNull } from '#usecases/repricing/pricing/api-values.ts';
import { loadPricingInputs } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';

/**
 * What is known about the competitors of a listing now, and since when.
 * @throws AppError not_found
 */
export async function explainCompetition(
  { db, now }: ListingDeps,
  listingId: number,
): Promise<ListingCompetition> {
  await findLiveListing(db, listingId);
  const context = await loadPricingContext(db, now());
  const [input] = await loadPricingInputs(db, context, [listingId]);
  if (input === undefined) throw listingNotFound(listingId);
  const { facts, choice, policy } = input;
  const { decision, trace } = explain(facts, choice, policy);
  const { competition } = trace;
  const unread = await findUnread(db, listingId);
  return {
    status: competition.status,
    readAt: competition.readAt === null ? null : moment(competition.readAt),
    text: competitionText({ competition, facts, policy }),
    unread: unread === null ? null : { at: moment(unread.at), reason: unread.reason },
    buyBox: await buyBoxPart(db, listingId, input),
    featuredPrice: featuredPart(input, lowestAllowed(decision.marginFloor, facts.minPrice)),
  };
}

/** Who holds the buy box. A reading that shows none, or that is too old, is no loss: then the holder is not known. */
async function buyBoxPart(
  db: Db,
  listingId: number,
  { facts, policy }: DecisionCase,
): Promise<BuyBox | null> {
  const own = (await ownSellerKeys(db))(facts.marketplace);
  const holding = boxHolding(await listBoxReadings(db, listingId), facts.marketplace, own);
  if (holding === null) return null;
  const { holder, seller, since, isAtLeast, before } = holding;
  const current = await findBoxNow(db, listingId);
  const seenAt = current.seenAt !== null && current.seenAt > holding.seenAt ? current.seenAt : holding.seenAt;
  return {
    holder,
    seller,
    price: money(holding.price),
    since: since === null ? null : moment(since),
    isAtLeast,
    seenAt: moment(seenAt),
    isOutdated: current.seenAt === null || policy.now - seenAt > policy.maxOfferAge,
    isSuppressed: current.isSuppressed,
    before: before === null ? null : { ...before, seenAt: moment(before.seenAt) },
  };
}

function featuredPart(
  { facts: { featuredPrice: reported }, policy }: DecisionCase,
  lowest: Cents | null,
): ListingCompetition['featuredPrice'] {
  if (reported === null) return null;
  return {
    price: moneyOrNull(reported.price),
    status: reported.status,
    readAt: moment(reported.readAt),
    text: featuredPriceText(reported, lowest, policy.now),
  };
}
