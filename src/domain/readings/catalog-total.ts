/** A catalog that lacked entries by the marketplace's own total, compared with those before it. */
export interface PartialCatalog {
  /** How many in a row lacked entries since one was whole or believed, this one included. */
  readonly readings: number;
  /** The smallest total that the marketplace named, and how many entries came. */
  readonly told: number;
  readonly came: number;
  /** Digest of what came: the same entries have the same. */
  readonly digest: string;
  /** Came like this twice in a row: the total is wrong, and what came is the catalog. */
  readonly isBelieved: boolean;
}

/** Hours until the next catalog is read after one, two, and three or more partial ones in a row. */
const RETRY_HOURS = [1, 6, 24] as const;

/**
 * What a catalog means by its total.
 * @param before of the reading before; null when that was whole, or named no total
 * @returns null for a whole one, and without a total
 */
export function partialCatalog(
  before: PartialCatalog | null,
  total: { readonly told: number; readonly came: number } | null,
  digest: string,
): PartialCatalog | null {
  if (total === null || total.came >= total.told) return null;
  const { told, came } = total;
  const isSame = before?.digest === digest && before.told - before.came === told - came;
  // After a believed catalog another one is the first of its kind.
  const earlier = before === null || (before.isBelieved && !isSame) ? 0 : before.readings;
  return { readings: earlier + 1, told, came, digest, isBelieved: isSame };
}

/** Hours from the start of a partial catalog to the next one; null where the usual interval holds. */
export function hoursUntilRetry(partial: PartialCatalog | null): number | null {
  if (partial === null || partial.isBelieved) return null;
  return RETRY_HOURS[Math.min(partial.readings, RETRY_HOURS.length) - 1] ?? null;
}
