import type { Db } from '#db/client.ts';
import { listMappedCategories, replaceMappedCategories } from '#db/queries/catalog/category-map.ts';
import { transact } from '#db/transact.ts';
import type { MappedCategory } from '#domain/fees/fee-category.ts';

/** Brings this release's map of fee categories into the database: called at every start, writes only what is new. */
export async function loadCategoryMap(db: Db, shipped: readonly MappedCategory[]): Promise<void> {
  if (isSame(await listMappedCategories(db), shipped)) return;
  await transact(db, (tx) => replaceMappedCategories(tx, shipped));
}

function isSame(stored: readonly MappedCategory[], shipped: readonly MappedCategory[]): boolean {
  const textOf = ({ marketplace, kind, key, category }: MappedCategory): string =>
    JSON.stringify([marketplace, kind, key, category]);
  const known = new Set(stored.map(textOf));
  return known.size === shipped.length && shipped.every((entry) => known.has(textOf(entry)));
}
