import type { Db } from '#db/client.ts';
import { type OfferReadings, summarizeOfferReadings } from '#db/queries/marketplaces/sync-queue.ts';
import { type OfferAge, readOfferAge } from '#db/queries/repricing/offer-ages.ts';
import { readSettings } from '#db/queries/repricing/pricing-context.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { OFFER_BUDGETS, type OfferBudget } from '#domain/offer-budgets.ts';
import { type ReadInterval, readInterval } from '#domain/offer-refresh.ts';
import type { Instant } from '#domain/units.ts';
import { syncInterval } from './due-syncs.ts';

/** How often competitors are read on a marketplace, and how long an offer counts there. */
export interface OfferRefresh {
  readonly age: OfferAge;
  /** Null where competitors cannot be read. */
  readonly readings: {
    readonly found: OfferReadings;
    readonly interval: ReadInterval | null;
    readonly contestedInterval: ReadInterval | null;
    readonly budget: OfferBudget;
  } | null;
}

/** Contested listings get half of the calls, by the order in which listings are read. */
const CONTESTED_SHARE = 0.5;

export async function readOfferRefresh(
  { db, now }: { readonly db: Db; readonly now: () => Instant },
  marketplace: Marketplace,
): Promise<OfferRefresh> {
  const age = await readOfferAge(db, marketplace);
  const budget = OFFER_BUDGETS[marketplace];
  if (budget === null) return { age, readings: null };
  const found = await summarizeOfferReadings(db, marketplace, now(), age.age);
  const between = syncInterval('offers', (await readSettings(db)).checkInterval);
  const contested = {
    listings: found.contested,
    read: found.contestedRead,
    age95: found.contestedAge95,
  };
  return {
    age,
    readings: {
      found,
      interval: readInterval(marketplace, found, 1, between),
      contestedInterval: readInterval(marketplace, contested, CONTESTED_SHARE, between),
      budget,
    },
  };
}
