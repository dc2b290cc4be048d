import type { Db } from '#db/client.ts';
import { type BundleFilter, eachBundleRow } from '#db/queries/catalog/bundle-list.ts';
import { bundleExportHeader, bundleExportLine } from '#files/bundle-export.ts';

/**
 * Writes the bundles of a filter, with all components, as a file that imports again unchanged, from one snapshot.
 * Components whose SKU was deleted are included: without them the imported bundle would cost less.
 * @param write resolves when it can receive the next chunk
 */
export async function exportBundles(
  db: Db,
  filter: BundleFilter,
  write: (text: string) => Promise<void>,
): Promise<void> {
  await write(bundleExportHeader());
  await eachBundleRow(db, filter, (rows) => write(rows.map(bundleExportLine).join('')));
}
