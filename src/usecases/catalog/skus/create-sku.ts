import type { CreatedSku, NewSku } from '#contract/skus.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { findSimilarSkus } from '#db/queries/catalog/similar-codes.ts';
import { findSku, insertSku, listingsTouched } from '#db/queries/catalog/sku-writes.ts';
import { readSku } from '#db/queries/catalog/skus.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import { ounces } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { type SkuDeps, skuNotFound } from './sku-deps.ts';

/**
 * Adds a SKU. Listings and bundles that reference this code use it at once.
 * @returns the SKU, and the codes that differ from its own only in case, spaces or an apostrophe
 * @throws AppError conflict for a code that exists, with its id as `fields.existing`
 */
export async function createSku({ db, now }: SkuDeps, input: NewSku, editor: Editor): Promise<CreatedSku> {
  const at = now();
  return transact(db, async (tx) => {
    const id = await insertSku(tx, { ...input, weightOz: ounces(input.weightOz) }, at);
    if (id === null) {
      const existing = await findSku(tx, input.sku);
      const message = `SKU ${input.sku} already exists.`;
      throw new AppError('conflict', message, {
        fields: { sku: message, ...(existing && { existing: String(existing.id) }) },
      });
    }
    const sku = await readSku(tx, String(id));
    if (sku === null) throw skuNotFound();
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'sku.created',
      targetKind: 'sku',
      targetId: sku.id,
      after: sku,
    });
    const touched = await listingsTouched(tx, [id]);
    if (touched.length > 0) await notify(tx, 'pricewright_listings', touched);
    return { ...sku, similar: await similarSkus(tx, sku.sku) };
  });
}

/** SKUs, not deleted, that this code could be mistaken for; never the code itself. */
export async function similarSkus(db: Db, code: string): Promise<string[]> {
  return (await findSimilarSkus(db, [code])).filter((other) => other !== code);
}
