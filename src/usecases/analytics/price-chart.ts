import type { AnalyticsRange, PriceChart } from '#contract/listing-analytics.ts';
import { ownSellerKeys, summedOffer } from '#db/queries/offer-aggregates.ts';
import {
  type ChartWindow,
  listFloors,
  listOfferReadings,
  listPriceSteps,
  type OfferReading,
} from '#db/queries/price-chart.ts';
import { readSettings } from '#db/queries/shop.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { type OfferSummary, summarizeOffers } from '#domain/offer-summary.ts';
import { hours, type Instant, type Millis } from '#domain/units.ts';
import { windowOf } from './analytics-window.ts';
import { type AnalyticsDeps, findLiveListing } from './live-listing.ts';

/** Hours between two readings of the offers: about as many as a chart has room for. */
const READING_HOURS: Record<AnalyticsRange, number> = { '7': 1, '30': 6, '90': 24 };
const MOST_STEPS = 1_000;
const MINUTE = 60_000;

/**
 * Our price, the floor and what others asked over the last days.
 * @throws AppError not_found
 */
export async function priceChart(
  { db, now }: AnalyticsDeps,
  listingId: number,
  range: AnalyticsRange,
): Promise<PriceChart> {
  const { marketplace, shippingCharge } = await findLiveListing(db, listingId);
  const window = windowOf(now(), range);
  const readingHours = READING_HOURS[range];
  const maxAge = ((await readSettings(db)).maxOfferAgeMinutes * MINUTE) as Millis;
  const steps = await listPriceSteps(db, listingId, window, MOST_STEPS + 1);
  const inWindow = steps.filter(({ source }) => source !== null);
  const isCut = inWindow.length > MOST_STEPS;
  const readings = await listOfferReadings(db, listingId, window, hours(readingHours), maxAge);
  const own = (await ownSellerKeys(db))(marketplace);
  const summarize = ({ offers }: OfferReading): OfferSummary =>
    summarizeOffers(offers.map(summedOffer), marketplace, own);
  return {
    from: iso(window.from),
    to: iso(window.to),
    shippingCharge: decimalFromCents(shippingCharge),
    own: isCut ? inWindow.slice(1) : steps,
    isCut,
    floor: fromStart(await listFloors(db, listingId, window.to), window),
    readingHours,
    offers: fromStart(spansOf(readings, summarize, window, maxAge), window),
  };
}

type Span = PriceChart['offers'][number];

/** What each reading found, and a gap from where nothing that was seen counts any more. */
function spansOf(
  readings: readonly OfferReading[],
  summarize: (reading: OfferReading) => OfferSummary,
  { to }: ChartWindow,
  maxAge: Millis,
): Span[] {
  return readings.flatMap((reading) => {
    const span = spanOf(reading.at, summarize(reading));
    const end = Date.parse(reading.at) + maxAge;
    const isHeld = end >= (reading.next === null ? to : Date.parse(reading.next));
    return isHeld ? [span] : [span, { ...GAP, at: iso(end as Instant) }];
  });
}

const GAP = { lowest: null, highest: null, buyBox: null, isBuyBoxOurs: false } as const;

function spanOf(at: string, { lowest, highest, buyBox }: OfferSummary): Span {
  return {
    at,
    lowest: lowest === null ? null : decimalFromCents(lowest),
    highest: highest === null ? null : decimalFromCents(highest),
    buyBox: buyBox === null ? null : decimalFromCents(buyBox.price),
    isBuyBoxOurs: buyBox?.isOurs ?? false,
  };
}

/** What happened before the window, but for the last of it: that one holds when the window begins. */
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
