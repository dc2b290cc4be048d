import type { SkuCosts } from '#domain/costs/cost.ts';
import { type Instant, instant } from '#domain/units.ts';
import { componentsAt, type DatedBundle, type DatedSkuCosts, skuCostsAt } from './dated-costs.ts';

interface Component {
  readonly sku: string;
  readonly quantity: number;
}

/** What is known of the package of a listing at any moment. */
export interface PackageHistory {
  /** The code of the listing. */
  readonly sku: string;
  /** What is in it, if it is a bundle, in the order in which it was entered. */
  readonly bundles: readonly DatedBundle<Component>[];
  /** The costs of a SKU, in the order in which they were entered. */
  costsOf(sku: string): readonly DatedSkuCosts[];
}

/**
 * The moments at which a package became another one for a warehouse: its weight, size, whether it is hazardous, or what is in it.
 * What was entered first applies since ever, and is no change.
 * @returns ascending
 */
export function packageChanges(history: PackageHistory): Instant[] {
  const { sku, bundles, costsOf } = history;
  const codes = new Set([sku, ...bundles.flatMap(({ components }) => components.map((part) => part.sku))]);
  const dated = [...codes].flatMap((code) => {
    const rows = costsOf(code);
    return rows.every((row) => hasSameSize(row, rows[0])) ? [] : rows;
  });
  const starts = new Set([...dated, ...bundles].flatMap(({ effectiveFrom }) => effectiveFrom ?? []));
  return [...starts]
    .sort((one, other) => one - other)
    .filter((start) => packageAt(history, start) !== packageAt(history, instant(start - 1)));
}

/** Whether a warehouse charges the same for two packages, as far as both are known. */
export function isSamePackage(one: SkuCosts | null, other: SkuCosts | null): boolean {
  if (one === null || other === null) return true;
  const isSame = <Value>(first: Value | null, second: Value | null) =>
    first === null || second === null || JSON.stringify(first) === JSON.stringify(second);
  return (
    isSame(one.weight, other.weight) && isSame(one.size, other.size) && one.isHazardous === other.isHazardous
  );
}

function hasSameSize(row: DatedSkuCosts, other: DatedSkuCosts | undefined): boolean {
  return (
    other !== undefined &&
    row.weight === other.weight &&
    row.lengthIn === other.lengthIn &&
    row.widthIn === other.widthIn &&
    row.heightIn === other.heightIn &&
    row.isHazardous === other.isHazardous
  );
}

/** A text that is the same for the same package. */
function packageAt({ sku, bundles, costsOf }: PackageHistory, at: Instant): string {
  const partOf = (code: string) => {
    const costs = skuCostsAt(code, costsOf(code), at);
    return costs === null ? null : [costs.weight, costs.size, costs.isHazardous];
  };
  const components = componentsAt(bundles, at);
  return JSON.stringify([partOf(sku), components.map((part) => [part.sku, part.quantity, partOf(part.sku)])]);
}
