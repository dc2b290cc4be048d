import type { EditOwnSellers } from '#contract/repricing-limits.ts';
import type { Db } from '#db/client.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import {
  listOwnSellers,
  lockOwnSellers,
  type OwnSeller,
  replaceOwnSellers,
} from '#db/queries/marketplaces/connections/own-sellers.ts';
import { transact } from '#db/transact.ts';
import { sellerKey } from '#domain/competition/offer.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';

/**
 * Saves your seller names per marketplace: your own offers never count as competitors. Two spellings of one name are one
 * seller; the later one is kept.
 * @throws AppError validation_failed for a blank name, which would make every offer without a name your own
 */
export async function saveOwnSellers(
  { db, now }: { db: Db; now: () => Instant },
  { marketplaces }: EditOwnSellers,
  editor: Editor,
): Promise<void> {
  const touched = marketplaces.map(({ marketplace }) => marketplace);
  const sellers = marketplaces.flatMap(({ marketplace, names }) => uniqueSellers(marketplace, names));
  await transact(db, async (tx) => {
    await lockOwnSellers(tx);
    const before = (await listOwnSellers(tx)).filter(({ marketplace }) => touched.includes(marketplace));
    await replaceOwnSellers(tx, touched, sellers);
    await insertAudit(tx, {
      ...madeBy(editor, now()),
      action: 'own_sellers.saved',
      targetKind: 'settings',
      before: namesBy(touched, before),
      after: namesBy(touched, sellers),
    });
  });
}

function uniqueSellers(marketplace: Marketplace, names: readonly string[]): OwnSeller[] {
  const sellers = new Map<string, OwnSeller>();
  for (const name of names) {
    const key = sellerKey(name);
    if (key === null) {
      throw new AppError('validation_failed', 'A seller needs a name. Enter it, or remove the empty one.');
    }
    sellers.set(key, { marketplace, name: name.trim(), sellerKey: key });
  }
  return [...sellers.values()];
}

function namesBy(
  marketplaces: readonly Marketplace[],
  sellers: readonly Pick<OwnSeller, 'marketplace' | 'name'>[],
): Record<string, string[]> {
  const of = (wanted: Marketplace): string[] =>
    sellers.filter(({ marketplace }) => marketplace === wanted).map(({ name }) => name);
  return Object.fromEntries(marketplaces.map((marketplace) => [marketplace, of(marketplace)]));
}
