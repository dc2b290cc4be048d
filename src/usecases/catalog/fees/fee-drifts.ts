import { FEE_DRIFT_LIMIT, type FeeDrifts } from '#contract/fee-facts.ts';
import type { Db } from '#db/client.ts';
import { listFeeDrifts } from '#db/queries/repricing/fee-drift.ts';
import { decimalFromBps, decimalFromCents } from '#domain/decimal.ts';
import type { Instant } from '#domain/units.ts';

/** Where marketplaces told other commissions than the fee schedules have. */
export async function readFeeDrifts(db: Db, now: Instant): Promise<FeeDrifts> {
  const drifts = await listFeeDrifts(db, FEE_DRIFT_LIMIT, now);
  return {
    drifts: drifts.map(({ marketplace, told, scheduled, listings, belowMarginFloor, cost }) => ({
      marketplace,
      told: decimalFromBps(told),
      scheduled: decimalFromBps(scheduled),
      listings,
      belowMarginFloor,
      cost30Days: decimalFromCents(cost),
    })),
  };
}
