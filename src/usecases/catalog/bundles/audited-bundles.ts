import type { StoredComponent } from '#db/queries/catalog/bundles.ts';

interface AuditedComponent {
  readonly listingSku: string;
  readonly sku: string;
  readonly quantity: number;
}

/** Bundles as the audit log shows them: by listing SKU, each component as "2 x MUG". */
export function auditedBundles(
  components: readonly AuditedComponent[],
  listingSkus: readonly string[],
): Record<string, string[]> {
  const bundles = new Map<string, string[]>(listingSkus.map((listingSku) => [listingSku, []]));
  for (const { listingSku, sku, quantity } of components)
    bundles.get(listingSku)?.push(`${quantity} x ${sku}`);
  return Object.fromEntries(bundles);
}

/** {@link auditedBundles} of stored components. */
export function auditedStored(
  stored: readonly StoredComponent[],
  listingSkus: readonly string[],
): Record<string, string[]> {
  return auditedBundles(
    stored.map(({ component, sku }) => ({ ...component, sku: sku.sku })),
    listingSkus,
  );
}
