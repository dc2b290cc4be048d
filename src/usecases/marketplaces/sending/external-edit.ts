import type { Db } from '#db/client.ts';
import { clearUploadMarks } from '#db/queries/catalog/listing-acts.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { confirmEnded } from '#db/queries/marketplaces/confirm-intent.ts';
import type { CurrentPrice } from '#db/queries/marketplaces/send-queue.ts';
import { insertPriceHistory } from '#db/queries/repricing/write-decisions.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { moneyText } from '#domain/text.ts';
import { type Cents, hours, type Instant, instant } from '#domain/units.ts';
import { actedBy } from '#usecases/editor.ts';
import { ENGINE } from '#usecases/repricing/engine/engine-deps.ts';
import { holdAfterPrices } from '#usecases/repricing/prices/manual-price.ts';

/** A price of ours that was sent within that time may still be the one that buyers see, whatever was said of it. */
const OURS_FOR = hours(6);

/**
 * Takes over the price that buyers see where it is neither the one in force nor one that is out: as ours when it is one
 * that was taken for refused or lost, else as an edit. Lock the listing first.
 * @returns whether it was an edit
 */
export async function adoptExternalPrice(
  tx: Db,
  listing: CurrentPrice,
  price: Cents,
  marketplace: Marketplace,
  now: Instant,
): Promise<boolean> {
  if (await confirmEnded(tx, listing.id, price, instant(now - OURS_FOR), now)) return false;
  await adoptPrice(tx, listing, price, marketplace, now);
  return true;
}

/**
 * Somebody set another price on the marketplace itself: it is taken over, legal or not, and the listing is held for as
 * long as the settings say.
 */
async function adoptPrice(
  tx: Db,
  listing: CurrentPrice,
  price: Cents,
  marketplace: Marketplace,
  now: Instant,
): Promise<void> {
  const { id, currentPrice, awaitsUpload } = listing;
  const where = MARKETPLACE_NAMES[marketplace];
  const move = {
    listingId: id,
    oldPrice: currentPrice,
    newPrice: price,
    reason: `Changed to ${moneyText(price)} on ${where}, outside Pricewright.`,
    marginImpact: null,
    ruleId: null,
    competitorPrice: null,
    marginFloor: null,
    feeVersion: null,
    facts: null,
  };
  await insertPriceHistory(tx, [move], { source: 'observed', at: now, runId: null, actor: null });
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
