import type { Db } from '#db/client.ts';
import { type OfferReadings, summarizeOfferReadings } from '#db/queries/marketplaces/offers/offer-queue.ts';
import { type OfferAge, readOfferAge } from '#db/queries/repricing/offer-ages.ts';
import { readSettings } from '#db/queries/repricing/pricing-context.ts';
import { OFFER_BUDGETS, type OfferBudget } from '#domain/competition/offer-budgets.ts';
import { type ReadInterval, readInterval } from '#domain/competition/read-interval.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Instant, type Millis, minutes } from '#domain/units.ts';
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

/** Figures of readings are kept so long: they take a look at every listing, and any user may ask for them. */
const KEPT_FOR = minutes(1);

interface KeptReadings {
  readonly at: Instant;
  readonly maxAge: Millis;
  readonly found: Promise<OfferReadings>;
}

/** Reports how often competitors are read, by figures that are a minute old at most. */
export class OfferRefreshReader {
  readonly #deps: { readonly db: Db; readonly now: () => Instant };
  readonly #kept = new Map<Marketplace, KeptReadings>();

  constructor(deps: { readonly db: Db; readonly now: () => Instant }) {
    this.#deps = deps;
  }

  async read(marketplace: Marketplace): Promise<OfferRefresh> {
    const { db } = this.#deps;
    const age = await readOfferAge(db, marketplace);
    const budget = OFFER_BUDGETS[marketplace];
    if (budget === null) return { age, readings: null };
    const found = await this.#readings(marketplace, age.age);
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

  /** Those who ask at the same time wait for the same figures. */
  #readings(marketplace: Marketplace, maxAge: Millis): Promise<OfferReadings> {
    const now = this.#deps.now();
    const kept = this.#kept.get(marketplace);
    // A clock that was set back must not keep them longer.
    if (kept !== undefined && kept.maxAge === maxAge && Math.abs(now - kept.at) < KEPT_FOR) return kept.found;
    const found = summarizeOfferReadings(this.#deps.db, marketplace, now, maxAge);
    const entry = { at: now, maxAge, found };
    this.#kept.set(marketplace, entry);
    found.catch(() => {
      if (this.#kept.get(marketplace) === entry) this.#kept.delete(marketplace);
    });
    return found;
  }
}
