import { createHash } from 'node:crypto';
import type { Db } from '#db/client.ts';
import {
  type CountedListing,
  type FollowShareRow,
  type OfferSetRow,
  readCountedListings,
  readFollowShares,
  readRises,
  readSetsAround,
} from '#db/queries/repricing/follow-shares.ts';
import type { RecordedOffer } from '#db/schema/offers.ts';
import { type CountingListing, landedPrice, offerStatus } from '#domain/competition/competitors.ts';
import { followShare, type KnownPrices } from '#domain/competition/follow-share.ts';
import { type Offer, sellerKey } from '#domain/competition/offer.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Policy } from '#domain/limits/policy.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Rule } from '#domain/rules/rule.ts';
import { type Bps, type Cents, hours, type Instant } from '#domain/units.ts';

/** An older share is unknown: it was not computed again, so that it may be of another month. */
const USED_FOR = hours(24);

/** A listing whose rule asks whether competitors follow. */
export interface AskingListing {
  readonly id: number;
  readonly rule: Rule;
  readonly policy: Policy;
}

/** How often competitors followed our raises, as computed last for the offers that this rule counts; null while it was not. */
export async function followSharesOf(
  db: Db,
  asking: readonly AskingListing[],
  now: Instant,
): Promise<ReadonlyMap<number, Bps | null>> {
  if (asking.length === 0) return new Map();
  const kept = await readFollowShares(
    db,
    asking.map(({ id }) => id),
  );
  return new Map(
    asking.map(({ id, rule, policy }) => {
      const row = kept.get(id);
      const isUsable =
        row !== undefined &&
        row.knownAt <= now &&
        now - row.knownAt < USED_FOR &&
        row.countedHash === countedHash(rule, policy);
      return [id, isUsable ? row.share : null];
    }),
  );
}

/** A short name of all that decides which offers count, besides the listing. */
export function countedHash({ filter, onlySameShipping }: Rule, { ownSellers, maxOfferAge }: Policy): string {
  const ignored = filter === null ? [] : [...filter.ignoreSellers].sort();
  const terms = [
    { ...filter, ignoreSellers: ignored },
    onlySameShipping,
    [...ownSellers].sort(),
    maxOfferAge,
  ];
  return createHash('sha256').update(JSON.stringify(terms)).digest('hex');
}

/**
 * Computes the shares from the recorded offers and the price history; null for fewer than three occasions.
 * @param asking some hundred at most, to bound what their offers take
 */
export async function computeFollowShares(
  db: Db,
  asking: readonly AskingListing[],
  now: Instant,
): Promise<FollowShareRow[]> {
  const ids = asking.map(({ id }) => id);
  const rises = await readRises(db, ids, now);
  const rising = [...new Set(rises.map(({ listingId }) => listingId))];
  const sets = groupBy(await readSetsAround(db, rises), ({ listingId }) => listingId);
  const listings = await readCountedListings(db, rising, now);
  const risesOf = groupBy(rises, ({ listingId }) => listingId);
  return asking.map((one) => {
    const listing = listings.get(one.id);
    const known =
      listing === undefined ? [] : (sets.get(one.id) ?? []).map((set) => pricesIn(set, listing, one));
    return {
      listingId: one.id,
      share: followShareOf(risesOf.get(one.id) ?? [], known, now),
      countedHash: countedHash(one.rule, one.policy),
      knownAt: now,
    };
  });
}

function followShareOf(
  rises: Parameters<typeof followShare>[0],
  known: readonly KnownPrices[],
  now: Instant,
): Bps | null {
  return rises.length === 0 ? null : followShare(rises, known, now);
}

/** The two lowest offers of a set that count for the rule of today. */
function pricesIn(set: OfferSetRow, listing: CountedListing, { rule, policy }: AskingListing): KnownPrices {
  const then: Policy = { ...policy, now: set.at };
  const facts = countingListing(listing);
  let lowest = Number.POSITIVE_INFINITY;
  let second = Number.POSITIVE_INFINITY;
  for (const recorded of set.offers) {
    const offer = offerOf(recorded, set.at, listing.marketplace);
    const landed = landedPrice(offer);
    if (!(landed < second) || offerStatus(offer, facts, rule, then) !== 'counted') continue;
    if (landed < lowest) [lowest, second] = [landed, lowest];
    else second = landed;
  }
  return { at: set.at, until: (set.seenAt + policy.maxOfferAge) as Instant, lowest, second };
}

/**
 * What the status of an offer depends on. At which of our prices it was seen is not looked up: one without a seller at any
 * of them could be ours.
 */
function countingListing({
  marketplace,
  fulfillmentType,
  shippingCharge,
  prices,
}: CountedListing): CountingListing {
  const priceThen = { currentPrice: null, pendingPrice: null };
  // Only offers on its own channel are recorded.
  return { marketplace, fulfillmentType, shippingCharge, ...priceThen, ownPrices: prices, elsewhere: [] };
}

/** Ratings and handling times are recorded in part: a rule that limits them finds too few offers, and so no share. */
function offerOf(recorded: RecordedOffer, at: Instant, channel: Marketplace): Offer {
  return {
    sellerName: recorded.seller,
    seller: sellerKey(recorded.seller),
    isMarketplace: recorded.marketplace === true,
    price: recorded.price as Cents,
    shipping: recorded.shipping as Cents,
    fulfillmentType: recorded.by ?? null,
    isFeatured: recorded.featured === true,
    isOurs: recorded.ours === true,
    seenAt: recorded.at === null ? null : (Math.min(recorded.at, at) as Instant),
    rating: (recorded.rating ?? null) as Bps | null,
    ratingCount: null,
    handlingDays: null,
    channel,
  };
}
