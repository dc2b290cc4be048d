import type { Db } from '#db/client.ts';
import { clearUploadMarks } from '#db/queries/catalog/listing-writes.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import type { CurrentPrice } from '#db/queries/marketplaces/sending/confirmed-prices.ts';
import { confirmEnded } from '#db/queries/marketplaces/sending/confirmed-prices.ts';
import { restoreAnchorPrice } from '#db/queries/marketplaces/sending/external-edits.ts';
import { recordReturn } from '#db/queries/marketplaces/sync/suspect-prices.ts';
import { insertPriceHistory } from '#db/queries/repricing/decision-rows.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { OWN_PRICE_WINDOW } from '#domain/readings/own-recent-prices.ts';
import { moneyText } from '#domain/text.ts';
import { type Cents, type Instant, instant } from '#domain/units.ts';
import { actedBy } from '#usecases/editor.ts';
import { ENGINE } from '#usecases/repricing/engine/engine-deps.ts';
import { holdAfterPrices } from '#usecases/repricing/prices/manual-price.ts';

/**
 * Adopts the price that an item shows where it is neither the current price nor an open intent: as our own when it matches
 * an intent that seemed rejected or lost, else as an external edit. Lock the listing first.
 * @returns whether it was an external edit
 */
export async function adoptExternalPrice(
  tx: Db,
  listing: CurrentPrice,
  price: Cents,
  marketplace: Marketplace,
  now: Instant,
): Promise<boolean> {
  if (await adoptArrivedPrice(tx, listing, price, now)) return false;
  const where = MARKETPLACE_NAMES[marketplace];
  const reason = `Changed to ${moneyText(price)} on ${where}, outside Pricewright.`;
  await adoptPrice(tx, listing, { price, reason }, now);
  await holdAfterPrices(tx, [listing], `Price changed on ${where}`, ENGINE, now);
  return true;
}

/**
 * Buyers see a price that was sent within the last 24 hours and given up: it arrived after all.
 * @returns false when no such price was sent
 */
export function adoptArrivedPrice(
  tx: Db,
  { id }: CurrentPrice,
  price: Cents,
  now: Instant,
): Promise<boolean> {
  return confirmEnded(tx, id, price, instant(now - OWN_PRICE_WINDOW), now);
}

/**
 * Adopts a former price of ours that the marketplace shows again. It is no edit, so the anchor price stays and the
 * listing is repriced; only where it happens too often is it held until a user resumes it.
 */
export async function adoptReturnedPrice(
  tx: Db,
  listing: CurrentPrice,
  price: Cents,
  marketplace: Marketplace,
  isTooOften: boolean,
  now: Instant,
): Promise<void> {
  const where = MARKETPLACE_NAMES[marketplace];
  const reason = `${where} shows ${moneyText(price)} again instead of your price of ${moneyText(listing.currentPrice)}.`;
  await adoptPrice(tx, listing, { price, reason }, now);
  await restoreAnchorPrice(tx, listing.id, listing.anchorPrice);
  await recordReturn(tx, listing.id, now);
  if (!isTooOften) return;
  await holdAfterPrices(
    tx,
    [listing],
    `${where} went back to a former price three times in a day`,
    ENGINE,
    now,
  );
}

async function adoptPrice(
  tx: Db,
  { id, currentPrice, awaitsUpload }: CurrentPrice,
  { price, reason }: { readonly price: Cents; readonly reason: string },
  now: Instant,
): Promise<void> {
  const move = {
    listingId: id,
    oldPrice: currentPrice,
    newPrice: price,
    reason,
    marginImpact: null,
    marginAfter: null,
    ruleId: null,
    competitorPrice: null,
    marginFloor: null,
    feeVersion: null,
    facts: null,
  };
  await insertPriceHistory(tx, [move], { source: 'observed', at: now, runId: null, actor: null });
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
