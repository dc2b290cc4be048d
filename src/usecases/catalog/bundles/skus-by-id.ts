import type { Db } from '#db/client.ts';
import { findSkusById, type SkuRecord } from '#db/queries/catalog/bundles.ts';
import { AppError } from '#usecases/app-error.ts';

/** SKUs by id, as the API names them; includes deleted ones. @throws AppError conflict for an id that never existed */
export async function skusById(db: Db, ids: readonly number[]): Promise<Map<string, SkuRecord>> {
  const skus = await findSkusById(db, ids);
  const found = new Map(skus.map((sku) => [String(sku.id), sku]));
  const missing = ids.find((id) => !found.has(String(id)));
  if (missing === undefined) return found;
  throw new AppError(
    'conflict',
    `There is no SKU with the number ${missing}. Reload the page and choose again.`,
  );
}
