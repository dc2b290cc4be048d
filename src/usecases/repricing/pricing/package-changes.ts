import type { Db } from '#db/client.ts';
import { readDatedBundles, readDatedSkuCosts } from '#db/queries/catalog/due-sales.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { packageChanges } from '#domain/sales/package-changes.ts';
import type { Instant } from '#domain/units.ts';

/** When the package of a listing last changed before a moment, or at it; null where it never did. */
export type LastChange = (at: Instant) => Instant | null;

/** @param moments ascending */
export function lastChangeOf(moments: readonly Instant[]): LastChange {
  return (at) => moments.findLast((moment) => moment <= at) ?? null;
}

/** When the packages of these listings changed, by ID; those that never did are not in it. Two statements. */
export async function readPackageChanges(
  db: Db,
  listings: readonly { readonly id: number; readonly sku: string; readonly marketplace: Marketplace }[],
): Promise<ReadonlyMap<number, LastChange>> {
  if (listings.length === 0) return new Map();
  const codes = [...new Set(listings.map(({ sku }) => sku))];
  const bundles = groupBy(await readDatedBundles(db, codes), ({ listingSku }) => listingSku);
  const parts = [...bundles.values()].flat().flatMap(({ components }) => components.map(({ sku }) => sku));
  const dated = groupBy(await readDatedSkuCosts(db, [...new Set([...codes, ...parts])]), ({ sku }) => sku);
  const costsOf = (sku: string) => dated.get(sku) ?? [];
  const found = listings.map(({ id, sku, marketplace }) => {
    const moments = packageChanges({ marketplace, sku, bundles: bundles.get(sku) ?? [], costsOf });
    return [id, moments] as const;
  });
  return new Map(
    found.flatMap(([id, moments]) => (moments.length === 0 ? [] : [[id, lastChangeOf(moments)]])),
  );
}
