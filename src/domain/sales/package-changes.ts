import { bundleCost, weightOf } from '#domain/costs/bundle-cost.ts';
import type { SkuCosts } from '#domain/costs/cost.ts';
import { estimateFulfillment, type WarehouseQuestion } from '#domain/fees/warehouse-fee.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Instant, instant } from '#domain/units.ts';
import {
  componentsAt,
  type DatedBundle,
  type DatedSkuCosts,
  type SkuCostChange,
  skuCostsAt,
  withCostsSince,
} from './dated-costs.ts';

interface Component {
  readonly sku: string;
  readonly quantity: number;
}

/** What is known of the package of a listing at any moment. */
export interface PackageHistory {
  /** The one whose published fees say whether two packages cost the same. */
  readonly marketplace: Marketplace;
  /** The code of the listing. */
  readonly sku: string;
  /** What is in it, if it is a bundle, in the order in which it was entered. */
  readonly bundles: readonly DatedBundle<Component>[];
  /** The costs of a SKU, in the order in which they were entered. */
  costsOf(sku: string): readonly DatedSkuCosts[];
}

/** Whether the package was another one at a moment. */
export type IsOtherPackage = (at: Instant) => boolean;

/** What says which moments had another package than a given one; null where it never was another. The same for the same package. */
export type OtherPackages = (than: Instant) => IsOtherPackage | null;

/**
 * When the package was another one for a warehouse: its weight, size, whether it is hazardous, or what is in it, where the published
 * fee of any price band is another one, or none is published. Each moment is compared with the given one: a mistake that was
 * corrected changes nothing of the time before it. What was entered first applies since ever; so does the first time that it is
 * entered as hazardous.
 */
export function otherPackages(history: PackageHistory): OtherPackages {
  const { marketplace, sku, bundles } = history;
  const codes = new Set([sku, ...bundles.flatMap(({ components }) => components.map((part) => part.sku))]);
  const rowsOf = new Map([...codes].map((code) => [code, withFirstHazard(history.costsOf(code))]));
  const dated = [...rowsOf.values()].filter((rows) => !rows.every((row) => hasSameSize(row, rows[0])));
  const starts = new Set([...dated.flat(), ...bundles].flatMap(({ effectiveFrom }) => effectiveFrom ?? []));
  const known = { ...history, costsOf: (code: string) => rowsOf.get(code) ?? [] };
  const spans: PackageSpan[] = [];
  for (const start of [...starts].sort((one, other) => one - other)) {
    if (spans.length === 0) spans.push({ start: null, ...packageAt(known, instant(start - 1)) });
    const found = packageAt(known, start);
    if (found.text !== spans.at(-1)?.text) spans.push({ start, ...found });
  }
  const spanAt = (at: Instant) => spans.findLast(({ start }) => start === null || start <= at);
  const others = spans.map((span) => {
    const different = new Set(spans.filter((each) => isOther(each, span, marketplace)));
    if (different.size === 0) return null;
    return (at: Instant) => {
      const then = spanAt(at);
      return then !== undefined && different.has(then);
    };
  });
  return (than) => {
    const span = spanAt(than);
    return span === undefined ? null : (others[spans.indexOf(span)] ?? null);
  };
}

/** A package, and since when it was the one. */
interface PackageSpan extends KnownPackage {
  /** Null: since ever. */
  readonly start: Instant | null;
}

function isOther(one: PackageSpan, other: PackageSpan, marketplace: Marketplace): boolean {
  if (one.text === other.text) return false;
  // By weight alone the published fee says little of how large other contents are together.
  const isSized = one.size !== null && other.size !== null;
  if (!isSized && one.contents !== other.contents) return true;
  const now = instant(Math.max(one.start ?? 0, other.start ?? 0));
  return !hasSameFee(one, other, { marketplace, now });
}

/** Entered as hazardous for the first time it was so before, as with a first weight. */
function withFirstHazard(rows: readonly DatedSkuCosts[]): readonly DatedSkuCosts[] {
  const first = rows.findIndex(({ isHazardous }) => isHazardous);
  return first < 1 ? rows : rows.map((row, at) => (at < first ? { ...row, isHazardous: true } : row));
}

/** Whether the published fee of two packages is the same in every price band; false where one has none. */
function hasSameFee(
  one: KnownPackage,
  other: KnownPackage,
  at: { readonly marketplace: Marketplace; readonly now: Instant },
): boolean {
  const [first, second] = [one, other].map(({ weight, size, isHazardous }) =>
    estimateFulfillment({ ...at, weight, size, isHazardous, feeCategory: null }),
  );
  if (typeof first !== 'object' || typeof second !== 'object') return false;
  return JSON.stringify(first.steps) === JSON.stringify(second.steps);
}

/**
 * The costs of a SKU as they would be once a package that is not saved yet is: for what is found from its changes.
 * @param rows in the order in which they were entered
 * @param since from when what differs applies, at most now
 */
export function withPackage(
  rows: readonly DatedSkuCosts[],
  { sku, weight, size, isHazardous }: SkuCosts,
  since: Instant,
  now: Instant,
): readonly DatedSkuCosts[] {
  const stored = skuCostsAt(sku, rows, now);
  if (stored === null) return rows;
  const sides = {
    lengthIn: size?.length ?? null,
    widthIn: size?.width ?? null,
    heightIn: size?.height ?? null,
  };
  const change: SkuCostChange = {
    ...(weight === stored.weight ? {} : { weight }),
    ...(JSON.stringify(size) === JSON.stringify(stored.size) ? {} : sides),
    ...(isHazardous === stored.isHazardous ? {} : { isHazardous }),
  };
  return withCostsSince(rows, change, since, now);
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

/** A package at a moment. */
interface KnownPackage extends Pick<WarehouseQuestion, 'weight' | 'size' | 'isHazardous'> {
  /** The same for the same package. The weight of the box of a bundle is not counted. */
  readonly text: string;
  /** What is in a bundle, as text. */
  readonly contents: string;
}

function packageAt({ sku, bundles, costsOf }: PackageHistory, at: Instant): KnownPackage {
  const costsAt = (code: string) => skuCostsAt(code, costsOf(code), at);
  const own = costsAt(sku);
  const components = componentsAt(bundles, at).map((part) => ({
    ...part,
    costs: costsAt(part.sku),
    isBundle: false,
  }));
  const isBundle = components.length > 0;
  const single = {
    weight: own === null ? null : weightOf(own),
    size: own?.size ?? null,
    isHazardous: own?.isHazardous === true,
  };
  const { weight, size, isHazardous } = isBundle ? bundleCost({ own, components }, []) : single;
  const parts = components.map(({ sku: code, quantity, costs }) => {
    return [code, quantity, costs?.weight, costs?.size, costs?.isHazardous];
  });
  const box = isBundle ? null : own?.weight;
  const contents = JSON.stringify(components.map(({ sku: code, quantity }) => [code, quantity]));
  const text = JSON.stringify([box, own?.size, own?.isHazardous, parts]);
  return { weight, size, isHazardous, text, contents };
}
