import { insertAudit } from '#db/queries/identity/audit.ts';
import {
  clearBusinessGaps,
  listOffersWithPrice,
  setBusinessPricePolicy,
  writeBusinessGaps,
} from '#db/queries/marketplaces/sending/business-gaps.ts';
import { transact } from '#db/transact.ts';
import { CAPABILITIES } from '#domain/connections/marketplace-capabilities.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { type BusinessPricePolicy, gapsOf } from '#domain/sending/business-plan.ts';
import { AppError } from '#usecases/app-error.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';

const LISTINGS_AT_ONCE = 1_000;

/**
 * Sets whether prices for business buyers follow the regular price. Switching it on takes the distance that each listing
 * has now; switching it off forgets them and writes nothing. Repeating it changes nothing.
 * @throws AppError not_found where the marketplace has no business prices
 */
export async function saveBusinessPricePolicy(
  { db, now }: Pick<ListingDeps, 'db' | 'now'>,
  marketplace: Marketplace,
  policy: BusinessPricePolicy,
  editor: Editor,
): Promise<void> {
  if (!CAPABILITIES[marketplace].hasBusinessPrices) {
    throw new AppError('not_found', `${MARKETPLACE_NAMES[marketplace]} has no business prices to follow.`);
  }
  const at = now();
  await transact(db, async (tx) => {
    if (!(await setBusinessPricePolicy(tx, marketplace, policy))) return;
    await clearBusinessGaps(tx, marketplace);
    let after = 0;
    for (let isMore = policy === 'follow'; isMore; ) {
      const offers = await listOffersWithPrice(tx, marketplace, after, LISTINGS_AT_ONCE);
      const rows = offers.map(({ listingId, offer, regular }) => ({
        listingId,
        gaps: gapsOf(offer, regular),
      }));
      await writeBusinessGaps(tx, rows, at);
      after = offers.at(-1)?.listingId ?? after;
      isMore = offers.length === LISTINGS_AT_ONCE;
    }
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'business_prices.set',
      targetKind: 'marketplaces',
      targetId: marketplace,
      before: { policy: policy === 'follow' ? 'leave' : 'follow' },
      after: { policy },
    });
  });
}
