import type { Db } from '#db/client.ts';
import { insertAudit } from '#db/queries/audit.ts';
import type { StandingPrice } from '#db/queries/intent-work.ts';
import { clearUploadMarks } from '#db/queries/listing-acts.ts';
import { movePrices } from '#db/queries/record-rows.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { moneyText } from '#domain/text.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { actedBy } from '#usecases/editor.ts';
import { ENGINE } from '#usecases/engine/engine-deps.ts';
import { holdAfterPrices } from '#usecases/listings/persons-price.ts';

/**
 * Somebody set another price on the marketplace itself: it is taken over, legal or not, and the listing is held for as
 * long as the settings say. Lock the listing first.
 */
export async function adoptPrice(
  tx: Db,
  listing: StandingPrice,
  price: Cents,
  marketplace: Marketplace,
  now: Instant,
): Promise<void> {
  const { id, currentPrice, awaitsUpload } = listing;
  const where = MARKETPLACE_NAMES[marketplace];
  const move = {
    ...{ listingId: id, oldPrice: currentPrice, newPrice: price },
    reason: `${where} shows ${moneyText(price)}: it was changed there, not from here.`,
    ...{ marginImpact: null, ruleId: null, competitorPrice: null, lowestLegalPrice: null },
    ...{ feeVersion: null, facts: null },
  };
  await movePrices(tx, [move], { source: 'observed', at: now, runId: null, actor: null });
  await holdAfterPrices(tx, [listing], `Price changed on ${where}`, ENGINE, now);
  // The price that was to be uploaded is not the one in force any more.
  if (awaitsUpload) await clearUploadMarks(tx, [id], now);
  await insertAudit(tx, {
    ...actedBy(ENGINE, now),
    action: 'price.observed',
    targetKind: 'listing',
    targetId: String(id),
    before: { price: decimalFromCents(currentPrice) },
    after: { price: decimalFromCents(price) },
  });
}
