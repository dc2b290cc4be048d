import type { Db } from '#db/client.ts';
import { type BundleFilter, eachBundleRow } from '#db/queries/catalog/bundle-list.ts';
import { bundleExportHeader, bundleExportLine } from '#files/bundle-export.ts';

/**
 * Writes the bundles of a filter as a file that imports again unchanged, each with all its components, all of one
 * moment. A component whose SKU was deleted stands in it too: without it the bundle would come back cheaper.
 * @param write takes the next piece when it resolves
 */
export async function exportBundles(
  db: Db,
  filter: BundleFilter,
  write: (text: string) => Promise<void>,
): Promise<void> {
  await write(bundleExportHeader());
  await eachBundleRow(db, filter, (rows) => write(rows.map(bundleExportLine).join('')));
}
