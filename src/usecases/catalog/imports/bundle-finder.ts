interface PackedRow {
  readonly listingSku: string | null;
  readonly sku: string | null;
}

/**
 * Says whether a component of a bundle is a bundle itself. What the rows say of one comes in the place of what is
 * stored; a bundle packed from its own SKU, as a set of two is, leaves that SKU an article.
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
