import type { AnalyticsInsert, ListingDayInsert } from '#db/queries/demo/seed.ts';
import { type Bps, hours, type Instant } from '#domain/units.ts';
import type { SeededRandom } from './seeded-random.ts';

/** A listing as its marketplace reports on it. */
export interface ReportedListing {
  readonly id: number;
  readonly isStory: boolean;
  /** Whether another seller has it too: without competitors there is no buy box to win. */
  readonly hasCompetitors: boolean;
}

const DAYS = 30;
const DAY = hours(24);
/** One check per 15 minutes. */
const CHECKS = 96;
const CATEGORIES = ['Home & Kitchen', 'Patio & Garden', 'Arts & Crafts', 'Clothing', 'Pet Supplies'] as const;

/** Reviews, rank and thirty days of buy box; a few listings have no report, and some figures are unknown. */
export function reportOn(
  random: SeededRandom,
  { id, isStory, hasCompetitors }: ReportedListing,
  now: Instant,
): { readonly analytics: AnalyticsInsert; readonly days: readonly ListingDayInsert[] } | null {
  if (isStory || random.happens(0.1)) return null;
  const days = hasCompetitors ? buyBoxDays(random, id, now) : [];
  const checks = days.reduce((sum, { buyBoxPolls = 0 }) => sum + buyBoxPolls, 0);
  const wins = days.reduce((sum, { buyBoxWins = 0 }) => sum + buyBoxWins, 0);
  const reviewCount = random.happens(0.15) ? 0 : Math.round(1_800 * random.next() ** 3) + 1;
  const isRanked = random.happens(0.85);
  return {
    days,
    analytics: {
      listingId: id,
      reviewCount,
      lastUpdated: (now - random.whole(0, 20) * 60_000) as Instant,
      averageRating: reviewCount === 0 ? null : (3.2 + random.next() * 1.75).toFixed(2),
      salesRank: isRanked ? random.whole(40, 250_000) : null,
      salesRankCategory: isRanked ? random.pick(CATEGORIES) : null,
      buyBoxPercentage: checks === 0 ? null : (Math.round((10_000 * wins) / checks) as Bps),
    },
  };
}

function buyBoxDays(random: SeededRandom, listingId: number, now: Instant): ListingDayInsert[] {
  let share = random.next();
  return Array.from({ length: DAYS }, (_, index) => {
    share = Math.min(1, Math.max(0, share + (random.next() - 0.5) * 0.3));
    const day = new Date(now - DAY * (DAYS - 1 - index)).toISOString().slice(0, 10);
    return { listingId, day, buyBoxPolls: CHECKS, buyBoxWins: Math.round(CHECKS * share) };
  });
}
