import { eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { appSettings } from '#db/schema/settings.ts';

/** Listings whose fulfillment fee is estimated, as last decided, and whether prices may change because of it. */
export interface FeeEstimates {
  readonly listings: number;
  readonly areAccepted: boolean;
}

export async function readFeeEstimates(db: Db): Promise<FeeEstimates> {
  const { rows } = await db.execute<{ listings: number; areAccepted: boolean }>(sql`
    SELECT (
      SELECT count(*)::int FROM listings l JOIN listing_metrics m ON m.listing_id = l.id
      WHERE l.deleted_at IS NULL AND l.fulfillment_type = 'FBA/WFS' AND l.fulfillment_cost IS NULL
        AND m.fulfillment_cost IS NOT NULL
    ) AS listings, fee_estimates_accepted AS "areAccepted" FROM app_settings WHERE id = 'default'`);
  const [row] = rows;
  if (row === undefined) throw new Error('The settings row is missing; the migrations write it.');
  return row;
}

/** Lets prices change because of estimated fees, or not. */
export async function writeFeeEstimates(tx: Db, areAccepted: boolean): Promise<void> {
  await tx
    .update(appSettings)
    .set({ areFeeEstimatesAccepted: areAccepted })
    .where(eq(appSettings.id, 'default'));
}
