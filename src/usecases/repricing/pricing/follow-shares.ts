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
import { type CountingListing, landedPrice, offerStatus } from '#domain/competitors.ts';
import { followShare, type KnownPrices } from '#domain/follow-share.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Offer, sellerKey } from '#domain/offer.ts';
import type { Policy } from '#domain/policy.ts';
import type { Rule } from '#domain/rule.ts';
import { type Bps, type Cents, hours, type Instant } from '#domain/units.ts';

/** A share is worked out again once it is as old as this: it changes with occasions, and none is judged sooner than 12 hours. */
const KEPT_FOR = hours(6);
/** So many listings are worked out at once, to bound what their offers take. */
const BATCH = 500;

/** A listing whose rule asks whether competitors follow. */
export interface AskingListing {
  readonly id: number;
  readonly rule: Rule;
  readonly policy: Policy;
}

/** What is known of a listing, and whether it has to be stored. */
export interface FollowShare extends FollowShareRow {
  readonly isNew: boolean;
}

/**
 * How often competitors followed our raises: as kept, or worked out from the recorded offers and the price history where
 * nothing is kept, it is hours old, or the rule counts other offers. Reads only.
 */
export async function followSharesOf(
  db: Db,
  asking: readonly AskingListing[],
  now: Instant,
): Promise<ReadonlyMap<number, FollowShare>> {
  if (asking.length === 0) return new Map();
  const kept = await readFollowShares(
    db,
    asking.map(({ id }) => id),
  );
  const shares = new Map<number, FollowShare>();
  const missing: AskingListing[] = [];
  for (const one of asking) {
    const row = kept.get(one.id);
    if (row !== undefined && isUsable(row, one, now)) shares.set(one.id, { ...row, isNew: false });
    else missing.push(one);
  }
  for (let from = 0; from < missing.length; from += BATCH) {
    for (const share of await workedOut(db, missing.slice(from, from + BATCH), now)) {
      shares.set(share.listingId, share);
    }
  }
  return shares;
}

function isUsable(row: FollowShareRow, { rule, policy }: AskingListing, now: Instant): boolean {
  const age = now - row.knownAt;
  return age >= 0 && age < KEPT_FOR && row.countedHash === countedHash(rule, policy);
}

/** A short name of all that decides which offers count, besides the listing. */
function countedHash({ filter, onlySameShipping }: Rule, { ownSellers, maxOfferAge }: Policy): string {
  const ignored = filter === null ? [] : [...filter.ignoreSellers].sort();
  const terms = [
    { ...filter, ignoreSellers: ignored },
    onlySameShipping,
    [...ownSellers].sort(),
    maxOfferAge,
  ];
  return createHash('sha256').update(JSON.stringify(terms)).digest('hex');
}

async function workedOut(db: Db, asking: readonly AskingListing[], now: Instant): Promise<FollowShare[]> {
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
      share: shareOf(risesOf.get(one.id) ?? [], known, now),
      countedHash: countedHash(one.rule, one.policy),
      knownAt: now,
      isNew: true,
    };
  });
}

function shareOf(
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
  return { marketplace, fulfillmentType, shippingCharge, ...priceThen, ownPrices: prices };
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
