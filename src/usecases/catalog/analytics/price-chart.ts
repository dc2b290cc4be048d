import type { AnalyticsRange, PriceChart } from '#contract/listing-analytics.ts';
import {
  type ChartWindow,
  listFloors,
  listOfferReadings,
  listPriceSteps,
  type OfferReading,
} from '#db/queries/catalog/price-chart.ts';
import { ownSellerKeys, summedOffer } from '#db/queries/marketplaces/offers/offer-aggregates.ts';
import { readOfferAge } from '#db/queries/repricing/offer-ages.ts';
import { type SellerKey, sellerKey } from '#domain/competition/offer.ts';
import { summarizeOffers } from '#domain/competition/offer-summary.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { hours, type Instant, type Millis } from '#domain/units.ts';
import { findLiveListing } from '#usecases/catalog/listings/find-listing.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import { windowOf } from './analytics-window.ts';

/** Hours between two points of the chart: about as many as it has room for. */
const READING_HOURS: Record<AnalyticsRange, number> = { '7': 1, '30': 6, '90': 24 };
const MAX_STEPS = 1_000;

/** Our price, the margin floor and the competitors' prices over the last days. @throws AppError not_found */
export async function priceChart(
  { db, now }: ListingDeps,
  listingId: number,
  range: AnalyticsRange,
): Promise<PriceChart> {
  const { marketplace, shippingCharge } = await findLiveListing(db, listingId);
  const window = windowOf(now(), range);
  const readingHours = READING_HOURS[range];
  const { age: maxAge } = await readOfferAge(db, marketplace);
  const steps = await listPriceSteps(db, listingId, window, MAX_STEPS + 1);
  const inWindow = steps.filter(({ source }) => source !== null);
  const isCut = inWindow.length > MAX_STEPS;
  const readings = await listOfferReadings(db, listingId, window, hours(readingHours), maxAge);
  const own = (await ownSellerKeys(db))(marketplace);
  const figuresOf = (reading: OfferReading): Figures => figuresIn(reading, marketplace, own);
  return {
    from: iso(window.from),
    to: iso(window.to),
    shippingCharge: decimalFromCents(shippingCharge),
    own: isCut ? inWindow.slice(1) : steps,
    isCut,
    floor: fromStart(await listFloors(db, listingId, window.to), window),
    readingHours,
    offers: fromStart(spansOf(readings, figuresOf, window, maxAge), window),
  };
}

type Span = PriceChart['offers'][number];
type Figures = Omit<Span, 'at'>;

/** The figures of each sync, with a gap where offers are too old to count. */
function spansOf(
  readings: readonly OfferReading[],
  figuresOf: (reading: OfferReading) => Figures,
  { to }: ChartWindow,
  maxAge: Millis,
): Span[] {
  return readings.flatMap((reading) => {
    const span = { ...figuresOf(reading), at: reading.at };
    const end = Date.parse(reading.lastSeenAt) + maxAge;
    const isHeld = end >= (reading.next === null ? to : Date.parse(reading.next));
    return isHeld ? [span] : [span, { ...GAP, at: iso(end as Instant) }];
  });
}

const GAP = { lowest: null, highest: null, buyBox: null, isBuyBoxOurs: false } as const;

/** Calculated again where the offers are kept: your sellers may have been set afterwards. */
function figuresIn(
  { offers, lowest, highest, buyBox, buyBoxSeller }: OfferReading,
  marketplace: Marketplace,
  own: ReadonlySet<SellerKey>,
): Figures {
  if (offers === null) {
    const key = sellerKey(buyBoxSeller);
    return { lowest, highest, buyBox, isBuyBoxOurs: key !== null && own.has(key) };
  }
  const summary = summarizeOffers(offers.map(summedOffer), marketplace, own);
  return {
    lowest: summary.lowest === null ? null : decimalFromCents(summary.lowest),
    highest: summary.highest === null ? null : decimalFromCents(summary.highest),
    buyBox: summary.buyBox === null ? null : decimalFromCents(summary.buyBox.price),
    isBuyBoxOurs: summary.buyBox?.isOurs ?? false,
  };
}

/** Drops entries from before the window, except the last one: it applies when the window begins. */
function fromStart<Entry extends { readonly at: string }>(
  entries: readonly Entry[],
  { from }: ChartWindow,
): Entry[] {
  const first = entries.findLastIndex(({ at }) => Date.parse(at) <= from);
  const held = entries[first];
  const later = entries.slice(first + 1);
  return held === undefined ? later : [{ ...held, at: iso(from) }, ...later];
}

function iso(at: Instant): string {
  return new Date(at).toISOString();
}
