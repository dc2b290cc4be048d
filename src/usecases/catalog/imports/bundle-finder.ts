interface PackedRow {
  readonly listingSku: string | null;
  readonly sku: string | null;
}

/**
 * Returns whether a component of a bundle is a bundle itself. Rows of the file override what is stored; a set of its
 * own SKU leaves that SKU a product.
 * @param stored codes that are those of stored bundles
 */
export function bundleFinder(
  rows: readonly PackedRow[],
  stored: ReadonlySet<string>,
): (listingSku: string, sku: string) => boolean {
  const packedHere = new Set(rows.map(({ listingSku }) => listingSku));
  const ofItself = new Set(rows.flatMap(({ listingSku, sku }) => (sku === listingSku ? [sku] : [])));
  return (listingSku, sku) =>
    sku !== listingSku && !ofItself.has(sku) && (packedHere.has(sku) || stored.has(sku));
}
