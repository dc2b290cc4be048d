import { insertAudit } from '#db/queries/identity/audit.ts';
import { chooseOfferAge, type OfferAge, readOfferAge } from '#db/queries/repricing/offer-ages.ts';
import { lockRepricingLimits } from '#db/queries/repricing/repricing-limits.ts';
import { transact } from '#db/transact.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { hours, type Millis } from '#domain/units.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { requireStepUp, type SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';

/**
 * Sets the maximum offer age of a marketplace. Repeating it changes nothing.
 * @param age null: automatic
 * @throws AppError step_up_required when offers would count for longer, without a recent step-up
 */
export async function saveOfferAge(
  { db, now }: Pick<ListingDeps, 'db' | 'now'>,
  marketplace: Marketplace,
  age: Millis | null,
  editor: Editor,
  assurance: SessionAssurance,
): Promise<OfferAge> {
  return transact(db, async (tx) => {
    // Two administrators at once: the second one is compared with what the first one saved.
    await lockRepricingLimits(tx);
    const before = await readOfferAge(tx, marketplace);
    if (before.chosen === age) return before;
    if ((age ?? before.automatic) > before.age) requireStepUp(assurance);
    await chooseOfferAge(tx, marketplace, age);
    await insertAudit(tx, {
      ...madeBy(editor, now()),
      action: 'offer_age.set',
      targetKind: 'marketplaces',
      targetId: marketplace,
      before: { hours: inHours(before.chosen) },
      after: { hours: inHours(age) },
    });
    return readOfferAge(tx, marketplace);
  });
}

function inHours(age: Millis | null): number | null {
  return age === null ? null : age / hours(1);
}
