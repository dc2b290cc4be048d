import { READ_COVERAGES } from '#domain/competition/competition.ts';
import { type Offer, sellerKey } from '#domain/competition/offer.ts';
import { CAPABILITIES } from '#domain/connections/marketplace-capabilities.ts';
import type { OwnPrice } from '#domain/decision/cross-channel.ts';
import type { ExternalPrice } from '#domain/decision/entered-facts.ts';
import type { ListingFacts, SisterPrice } from '#domain/decision/facts.ts';
import type { LocalTime } from '#domain/limits/policy.ts';
import type { Weekday } from '#domain/lines/line.ts';
import { type FulfillmentType, MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { type Bps, type Cents, hours, type Instant, instant } from '#domain/units.ts';
import { momentFrom } from '#files/timestamps.ts';
import {
  amount,
  count,
  flag,
  listOf,
  type Members,
  objectOf,
  oneOf,
  price,
  type Reader,
  refuse,
  share,
  text,
} from './json-members.ts';

/** When period 0 begins, a Monday at midnight UTC. */
const START = Date.UTC(2026, 0, 5);
/** Since when a listing is there, where the observation does not say. */
const LONG_AGO = 0 as Instant;
/** Periods of a day, where the observation does not say. */
const PERIODS_PER_DAY = 24;

/** One listing at one time, as a simulator sees it. */
export interface PolicyObservation
  extends Pick<
    ListingFacts,
    | 'marketplace'
    | 'fulfillmentType'
    | 'minPrice'
    | 'maxPrice'
    | 'readAt'
    | 'coverage'
    | 'offers'
    | 'elsewhere'
  > {
  readonly listingId: string;
  readonly now: Instant;
  /** Null: worked out from the time zone, if that is known. */
  readonly local: LocalTime | null;
  readonly currentPrice: Cents;
  readonly pendingPrice: Cents | null;
  /** Null: the one of the state, else the current price. */
  readonly ownPrice: Cents | null;
  /** Smaller changes are skipped; null: the limit of a new installation. */
  readonly tick: Cents | null;
  /** Units sold in the last period. */
  readonly units: number;
  readonly shippingCharge: Cents;
  /** Of one unit, without fees. */
  readonly cost: Cents;
  readonly feeRate: Bps;
  readonly fixedFee: Cents;
  readonly mapPrice: Cents | null;
  readonly featuredPrice: Cents | null;
  readonly isBoxSuppressed: boolean;
  readonly boxShare: Bps | null;
  readonly followShare: Bps | null;
  readonly stock: number | null;
  readonly daysOfSupply: number | null;
  readonly stockAgeDays: number | null;
  readonly lastSaleAt: Instant | null;
  readonly listedAt: Instant;
  readonly sold: { readonly d1: number; readonly d7: number; readonly d30: number } | null;
  readonly externalPrice: ExternalPrice | null;
  readonly sisters: readonly SisterPrice[];
  readonly state: Members | null;
}

/** @throws MemberError naming the member that cannot be read */
export function observationOf(members: Members): PolicyObservation {
  const moment = momentReader(members.find('periodsPerDay', periods) ?? PERIODS_PER_DAY);
  const now = members.get('t', moment);
  const marketplace = members.get('marketplace', oneOf(MARKETPLACES));
  const isRead = members.has('competitors') || members.has('buyBox');
  const readAt = members.find('readAt', moment) ?? (isRead ? now : null);
  const currentPrice = members.get('currentPrice', price);
  const shippingCharge = members.find('shippingCharge', amount) ?? (0 as Cents);
  const box = members.find('buyBox', objectOf(boxOf));
  const ours = (currentPrice + shippingCharge) as Cents;
  const listed =
    members.find('competitors', listOf(competitorReader(marketplace, readAt, box, moment))) ?? [];
  const summary = members.find('summary', objectOf(summaryReader(marketplace, readAt))) ?? [];
  const offers = listed.length === 0 ? summary : listed;
  return {
    listingId: members.get('listingId', text),
    now,
    local: members.find('local', objectOf(localOf)),
    marketplace,
    fulfillmentType: fulfillmentOf(members) ?? 'FBM',
    currentPrice,
    pendingPrice: members.find('pendingPrice', price),
    ownPrice: members.find('ownPrice', price),
    minPrice: tighter(members.find('minPrice', price), members.find('floor', price), Math.max),
    maxPrice: tighter(members.find('maxPrice', price), members.find('ceiling', price), Math.min),
    tick: members.find('tick', price),
    units:
      members.find(
        'last',
        objectOf((last) => last.find('units', count)),
      ) ?? 0,
    shippingCharge,
    cost: members.get('cost', price),
    feeRate: members.find('feeRate', share) ?? (0 as Bps),
    fixedFee: members.find('fixedFee', amount) ?? (0 as Cents),
    mapPrice: members.find('mapPrice', price),
    readAt,
    coverage:
      members.find('coverage', oneOf([...READ_COVERAGES, 'none'])) ?? coverageOf(members, marketplace),
    offers: withBox(offers, box, ours, marketplace, readAt),
    elsewhere: members.find('elsewhere', listOf(objectOf(ownPriceOf))) ?? [],
    featuredPrice: members.find('featuredPrice', price),
    isBoxSuppressed: box?.isSuppressed ?? false,
    boxShare: box?.myShare ?? null,
    followShare: members.find('followShare', share),
    stock: members.find('stock', count),
    daysOfSupply: members.find('daysOfSupply', count),
    stockAgeDays: members.find('stockAgeDays', count),
    lastSaleAt: members.find('lastSaleAt', moment),
    listedAt: members.find('listedAt', moment) ?? LONG_AGO,
    sold: members.find('sold', objectOf(soldOf)),
    externalPrice: externalPriceOf(members, now, moment),
    sisters: members.find('sisters', listOf(objectOf(sisterOf))) ?? [],
    state: members.find(
      'state',
      objectOf((state) => state),
    ),
  };
}

/** Where only the buy box is reported, the other sellers are not known. */
function coverageOf(members: Members, marketplace: Marketplace): ListingFacts['coverage'] {
  if (CAPABILITIES[marketplace].competitors === 'none') return 'none';
  const isListed = members.has('competitors') || members.has('summary');
  return isListed || !members.has('buyBox') ? 'all' : 'box';
}

/** A limit of the seller and one of the simulator: both hold. */
function tighter(one: Cents | null, other: Cents | null, of: (...limits: number[]) => number): Cents | null {
  return one === null || other === null ? (one ?? other) : (of(one, other) as Cents);
}

/** A moment: ISO 8601 with a zone, or the number of a period. */
export function momentReader(periodsPerDay: number): Reader<Instant> {
  return (value, path) => {
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) {
      return instant(START + Math.round(hours((24 * value) / periodsPerDay)));
    }
    const moment = typeof value === 'string' ? momentFrom(value) : null;
    return (
      moment ?? refuse(path, 'is neither a timestamp such as 2026-11-21T12:00:00Z nor the number of a period')
    );
  };
}

/** Periods of a day. */
export const periods: Reader<number> = (value, path) =>
  typeof value === 'number' && value > 0 && value <= 86_400 ? value : refuse(path, 'is not above 0');

/** Amazon's and Walmart's names for their warehouses, what rules say, and a shop that ships from its own site. */
const FULFILLMENTS = {
  'FBA/WFS': 'FBA/WFS',
  FBA: 'FBA/WFS',
  WFS: 'FBA/WFS',
  FBM: 'FBM',
  own: 'FBM',
} as const;

/** Simulators write the member in both spellings. */
function fulfillmentOf(members: Members): FulfillmentType | null {
  const words = oneOf(Object.keys(FULFILLMENTS) as (keyof typeof FULFILLMENTS)[]);
  const word = members.find('fulfillment', words) ?? members.find('fulfilment', words);
  return word === null ? null : FULFILLMENTS[word];
}

/** The buy box as last read. */
interface Box {
  /** Landed; null if not reported. */
  readonly price: Cents | null;
  readonly sellerId: string | null;
  readonly isMine: boolean;
  readonly isSuppressed: boolean;
  readonly myShare: Bps | null;
  readonly fulfillmentType: FulfillmentType | null;
}

function boxOf(members: Members): Box {
  return {
    price: members.find('price', price),
    sellerId: members.find('sellerId', text),
    isMine: members.find('isMine', flag) ?? false,
    isSuppressed: members.find('isSuppressed', flag) ?? false,
    myShare: members.find('myShare', share),
    fulfillmentType: fulfillmentOf(members),
  };
}

function competitorReader(
  marketplace: Marketplace,
  readAt: Instant | null,
  box: Box | null,
  moment: Reader<Instant>,
): Reader<Offer> {
  return objectOf((members) => {
    const name = members.find('id', text);
    return {
      ...offerOf(name, members.get('price', price), marketplace, members.find('seenAt', moment) ?? readAt),
      isMarketplace: members.find('isAmazon', flag) ?? false,
      fulfillmentType: fulfillmentOf(members),
      isFeatured: box !== null && !box.isMine && name !== null && name === box.sellerId,
      rating: members.find('rating', share),
    };
  });
}

/** The lowest prices of other sellers, where no single offer is reported. A nameless one at our price could be ours. */
function summaryReader(marketplace: Marketplace, readAt: Instant | null): (members: Members) => Offer[] {
  return (members) =>
    (['amazonDirectPrice', 'thirdPartyMin'] as const).flatMap((name) => {
      const landed = members.find(name, price);
      if (landed === null) return [];
      return [{ ...offerOf(null, landed, marketplace, readAt), isMarketplace: name === 'amazonDirectPrice' }];
    });
}

/**
 * The offers, and the holder of the buy box where it is not among them. A seller with a name holds it without a price, too.
 * @param ours our landed price
 */
function withBox(
  offers: readonly Offer[],
  box: Box | null,
  ours: Cents,
  marketplace: Marketplace,
  readAt: Instant | null,
): readonly Offer[] {
  if (box === null || offers.some(({ isFeatured }) => isFeatured)) return offers;
  const unknown = box.sellerId === null ? null : (Number.NaN as Cents);
  const landed = box.isMine ? ours : (box.price ?? unknown);
  if (landed === null) return offers;
  const holder = {
    ...offerOf(box.isMine ? null : box.sellerId, landed, marketplace, readAt),
    fulfillmentType: box.fulfillmentType,
    isFeatured: true,
    isOurs: box.isMine,
  };
  return [...offers, holder];
}

function offerOf(
  name: string | null,
  landed: Cents,
  marketplace: Marketplace,
  seenAt: Instant | null,
): Offer {
  return {
    sellerName: name,
    seller: sellerKey(name),
    isMarketplace: false,
    price: landed,
    shipping: 0 as Cents,
    fulfillmentType: null,
    isFeatured: false,
    isOurs: false,
    seenAt,
    rating: null,
    ratingCount: null,
    handlingDays: null,
    channel: marketplace,
  };
}

function ownPriceOf(members: Members): OwnPrice {
  return {
    marketplace: members.get('marketplace', oneOf(MARKETPLACES)),
    price: members.get('price', price),
    shippingCharge: members.find('shippingCharge', amount) ?? (0 as Cents),
  };
}

function externalPriceOf(members: Members, now: Instant, moment: Reader<Instant>): ExternalPrice | null {
  const external = members.find('externalPrice', price);
  return external === null ? null : { price: external, at: members.find('externalPriceAt', moment) ?? now };
}

function sisterOf(members: Members): SisterPrice {
  return { sku: members.get('sku', text), ...ownPriceOf(members) };
}

function soldOf(members: Members): { d1: number; d7: number; d30: number } {
  return { d1: members.get('d1', count), d7: members.get('d7', count), d30: members.get('d30', count) };
}

const LAST_MINUTE = 1_439;
const SUNDAY = 7;

function localOf(members: Members): LocalTime {
  const minuteOfDay = members.get('minuteOfDay', upTo(LAST_MINUTE));
  const weekday = members.get('weekday', upTo(SUNDAY));
  if (weekday === 0) refuse('local.weekday', 'is not a number from 1 to 7; Monday is 1');
  return { minuteOfDay, weekday: weekday as Weekday, day: members.get('day', day) };
}

function upTo(most: number): Reader<number> {
  return (value, path) => {
    const whole = count(value, path);
    return whole <= most ? whole : refuse(path, `is above ${most}`);
  };
}

const day: Reader<string> = (value, path) => {
  const written = text(value, path);
  const isDay = written.length === 10 && momentFrom(written) !== null;
  return isDay ? written : refuse(path, 'is not a day such as 2026-11-21');
};
