import { FEE_DRIFT_LIMIT, type FeeDrifts, JUMP_LIMIT } from '#contract/fee-facts.ts';
import type { Db } from '#db/client.ts';
import { listOpenFeeBreakers } from '#db/queries/marketplaces/money/fee-breakers.ts';
import { listFeeDrifts } from '#db/queries/repricing/fee-drift.ts';
import { decimalFromBps, decimalFromCents } from '#domain/decimal.ts';
import type { FeeJump } from '#domain/fees/fee-jump.ts';
import type { Instant } from '#domain/units.ts';

/** Where marketplaces reported other commissions than the fee schedules have, and which of them an administrator has to decide about. */
export async function readFeeDrifts(db: Db, now: Instant): Promise<FeeDrifts> {
  const drifts = await listFeeDrifts(db, FEE_DRIFT_LIMIT, now);
  const breakers = await listOpenFeeBreakers(db, JUMP_LIMIT);
  return {
    readings: breakers.map(({ id, marketplace, since, listings, repriced, pairs, shown }) => ({
      id: String(id),
      marketplace,
      since: new Date(since).toISOString(),
      listings,
      repriced,
      pairs: pairs.map((pair) => ({ ...jumpView(pair), listings: pair.listings })),
      shown: shown.map((listing) => ({
        ...jumpView(listing),
        listingId: String(listing.id),
        sku: listing.sku,
        title: listing.title,
        currentPrice: decimalFromCents(listing.currentPrice),
      })),
    })),
    drifts: drifts.map(
      ({ marketplace, told, scheduled, listings, belowMarginFloor, waiting, ownRates, cost }) => ({
        marketplace,
        told: decimalFromBps(told),
        scheduled: decimalFromBps(scheduled),
        listings,
        belowMarginFloor,
        waiting,
        ownRates,
        cost30Days: decimalFromCents(cost),
      }),
    ),
  };
}

function jumpView({ before, told }: FeeJump): { before: string; told: string } {
  return { before: decimalFromBps(before), told: decimalFromBps(told) };
}
