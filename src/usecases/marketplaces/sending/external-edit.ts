import type { Db } from '#db/client.ts';
import { clearUploadMarks } from '#db/queries/catalog/listing-acts.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { confirmEnded } from '#db/queries/marketplaces/confirmed-prices.ts';
import type { CurrentPrice } from '#db/queries/marketplaces/send-queue.ts';
import { insertPriceHistory } from '#db/queries/repricing/decision-rows.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { moneyText } from '#domain/text.ts';
import { type Cents, hours, type Instant, instant } from '#domain/units.ts';
import { actedBy } from '#usecases/editor.ts';
import { ENGINE } from '#usecases/repricing/engine/engine-deps.ts';
import { holdAfterPrices } from '#usecases/repricing/prices/manual-price.ts';

/** A price we sent within this time may still be the one that buyers see, even if the marketplace reported a failure. */
const OWN_PRICE_WINDOW = hours(6);

/**
 * Adopts the price that buyers see where it is neither the current price nor an open intent: as our own when it matches an
 * intent that seemed rejected or lost, else as an external edit. Lock the listing first.
 * @returns whether it was an external edit
 */
export async function adoptExternalPrice(
  tx: Db,
  listing: CurrentPrice,
  price: Cents,
  marketplace: Marketplace,
  now: Instant,
): Promise<boolean> {
  if (await confirmEnded(tx, listing.id, price, instant(now - OWN_PRICE_WINDOW), now)) return false;
  await adoptPrice(tx, listing, price, marketplace, now);
  return true;
}

/** Adopts an external edit, allowed or not, and puts the listing on hold for the time set in the settings. */
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
  // The price that was waiting for upload is no longer the current one.
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
