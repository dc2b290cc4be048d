import type { Db } from '#db/client.ts';
import { readDatedBundles, readDatedSkuCosts } from '#db/queries/catalog/due-sales.ts';
import type { SkuCosts } from '#domain/costs/cost.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type OtherPackages, otherPackages, withPackage } from '#domain/sales/package-changes.ts';
import type { Instant } from '#domain/units.ts';

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

/** When the packages of these listings were others, by ID, with what is not saved. Two statements. */
export async function readOtherPackages(
  db: Db,
  listings: readonly { readonly id: number; readonly sku: string; readonly marketplace: Marketplace }[],
  { skus, since, components, now }: PackageEdit,
): Promise<ReadonlyMap<number, OtherPackages>> {
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
  return new Map(
    listings.map(({ id, sku, marketplace }) => {
      return [id, otherPackages({ marketplace, sku, bundles: bundlesOf(sku), costsOf })] as const;
    }),
  );
}
