import type { Db } from '#db/client.ts';
import { readDatedBundles, readDatedSkuCosts } from '#db/queries/catalog/due-sales.ts';
import type { SkuCosts } from '#domain/costs/cost.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { packageChanges, withPackage } from '#domain/sales/package-changes.ts';
import type { Instant } from '#domain/units.ts';

/** When the package of a listing last changed before a moment, or at it; null where it never did. */
export type LastChange = (at: Instant) => Instant | null;

/** @param moments ascending */
export function lastChangeOf(moments: readonly Instant[]): LastChange {
  return (at) => moments.findLast((moment) => moment <= at) ?? null;
}

/** A package that is not saved, such as that of a preview. */
export interface PackageEdit {
  /** Costs of SKUs in place of the stored ones; null for a deleted one. */
  readonly skus: ReadonlyMap<string, SkuCosts | null>;
  /** From when they apply. */
  readonly since: Instant;
  /** What would be in the listings from now on; absent: what is. */
  readonly components?: readonly { readonly sku: string; readonly quantity: number }[];
  readonly now: Instant;
}

/** When the packages of these listings changed, by ID; those that never did are not in it, with what is not saved. Two statements. */
export async function readPackageChanges(
  db: Db,
  listings: readonly { readonly id: number; readonly sku: string; readonly marketplace: Marketplace }[],
  { skus, since, components, now }: PackageEdit,
): Promise<ReadonlyMap<number, LastChange>> {
  if (listings.length === 0) return new Map();
  const codes = [...new Set(listings.map(({ sku }) => sku))];
  const bundles = groupBy(await readDatedBundles(db, codes), ({ listingSku }) => listingSku);
  const added = components === undefined ? [] : [{ effectiveFrom: now, components }];
  const bundlesOf = (sku: string) => [...(bundles.get(sku) ?? []), ...added];
  const parts = codes.flatMap(bundlesOf).flatMap((bundle) => bundle.components.map(({ sku }) => sku));
  const dated = groupBy(await readDatedSkuCosts(db, [...new Set([...codes, ...parts])]), ({ sku }) => sku);
  const costsOf = (sku: string) => {
    const [rows, edited] = [dated.get(sku) ?? [], skus.get(sku) ?? null];
    return edited === null ? rows : withPackage(rows, edited, since, now);
  };
  const found = listings.map(({ id, sku, marketplace }) => {
    const moments = packageChanges({ marketplace, sku, bundles: bundlesOf(sku), costsOf });
    return [id, moments] as const;
  });
  return new Map(
    found.flatMap(([id, moments]) => (moments.length === 0 ? [] : [[id, lastChangeOf(moments)]])),
  );
}
