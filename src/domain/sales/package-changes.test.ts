import { expect, it } from 'vitest';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Instant, instant, type Ounces, ounces } from '#domain/units.ts';
import { aSku } from '#tests/builders/costs.ts';
import { usd } from '#tests/builders/facts.ts';
import type { DatedBundle, DatedSkuCosts } from './dated-costs.ts';
import { otherPackages, withPackage } from './package-changes.ts';

const day = (count: number): Instant => instant(Date.UTC(2026, 5, count));
const row = (
  from: Instant | null,
  weight: Ounces | null,
  over: Partial<DatedSkuCosts> = {},
): DatedSkuCosts => ({
  effectiveFrom: from,
  productCost: usd(10),
  weight,
  lengthIn: null,
  widthIn: null,
  heightIn: null,
  isHazardous: false,
  packagingCost: usd(0),
  miscCost: usd(0),
  ...over,
});
type Bundle = DatedBundle<{ sku: string; quantity: number }>;
const packagesOf = (
  costs: Readonly<Record<string, DatedSkuCosts[]>>,
  bundles: readonly Bundle[] = [],
  marketplace: Marketplace = 'etsy',
) => otherPackages({ marketplace, sku: 'A-1', bundles, costsOf: (sku) => costs[sku] ?? [] });
/** The days from which on it is another one than before. Without a published table, where every change counts. */
const changesOf = (...of: Parameters<typeof packagesOf>) =>
  Array.from({ length: 30 }, (_, count) => day(count + 1)).filter((at) =>
    packagesOf(...of)(at)?.(instant(at - 1)),
  );

it('changes with weight, size and hazard, not with a cost, and not with what was entered first', () => {
  const cost = row(day(3), ounces(8), { productCost: usd(11) });
  expect(changesOf({ 'A-1': [row(null, ounces(8)), cost] })).toEqual([]);
  expect(changesOf({ 'A-1': [row(null, null), row(day(2), ounces(8))] })).toEqual([]);
  const size = { lengthIn: 10, widthIn: 8, heightIn: 4 };
  expect(
    changesOf({
      'A-1': [
        ...[row(null, ounces(8)), row(day(5), ounces(9)), row(day(9), ounces(9), size)],
        row(day(12), ounces(9), { ...size, isHazardous: true }),
        row(day(15), ounces(9), size),
      ],
    }),
  ).toEqual([day(5), day(15)]);
});

it('does not change where the published fee is the same in every price band', () => {
  const edited = (from: number, to: number) => [row(null, ounces(from)), row(day(5), ounces(to))];
  for (const marketplace of ['amazon', 'walmart'] as const) {
    expect(changesOf({ 'A-1': edited(10.5, 11) }, [], marketplace)).toEqual([]);
    expect(changesOf({ 'A-1': edited(11, 40) }, [], marketplace)).toEqual([day(5)]);
    // One of them has no published fee.
    expect(changesOf({ 'A-1': edited(11, 3_000) }, [], 'amazon')).toEqual([day(5)]);
  }
});

it('is the same one again once a mistake is corrected, whatever was entered in between', () => {
  const rows = [row(null, ounces(8)), row(day(5), ounces(80)), row(day(6), ounces(8))];
  const isOther = packagesOf({ 'A-1': rows }, [], 'walmart')(day(9));
  expect([4, 5, 6].map((count) => isOther?.(day(count)))).toEqual([false, true, false]);
  const edited = [...rows, row(day(12), ounces(40)), row(day(20), ounces(41))];
  const later = packagesOf({ 'A-1': edited }, [], 'walmart')(day(25));
  // Of 40 and 41 oz the published fee is the same.
  expect([4, 7, 13, 21].map((count) => later?.(day(count)))).toEqual([true, true, false, false]);
  expect(packagesOf({ 'A-1': [row(null, ounces(8))] })(day(9))).toBeNull();
});

it('does not change with the weight of the box of a bundle, which is not counted', () => {
  const bundles: Bundle[] = [{ effectiveFrom: null, components: [{ sku: 'B-1', quantity: 2 }] }];
  const box = [row(null, ounces(2)), row(day(5), ounces(60))];
  expect(changesOf({ 'A-1': box, 'B-1': [row(null, ounces(4))] }, bundles)).toEqual([]);
  const size = { lengthIn: 10, widthIn: 8, heightIn: 4 };
  const sized = [row(null, ounces(2), size), row(day(5), ounces(2), { ...size, heightIn: 9 })];
  expect(changesOf({ 'A-1': sized, 'B-1': [row(null, ounces(4))] }, bundles)).toEqual([day(5)]);
});

it('changes with other contents of a bundle whose size is not known, though the fee by weight is the same', () => {
  const of = (quantity: number) => [{ sku: 'B-1', quantity }];
  const bundles: Bundle[] = [
    { effectiveFrom: null, components: of(1) },
    { effectiveFrom: day(5), components: of(2) },
  ];
  expect(changesOf({ 'B-1': [row(null, ounces(1.5))] }, bundles, 'amazon')).toEqual([day(5)]);
});

it('changes on the day that was chosen, which replaces later ones', () => {
  const rows = [row(null, ounces(8)), row(day(10), ounces(12)), row(day(5), ounces(12))];
  expect(changesOf({ 'A-1': rows })).toEqual([day(5)]);
});

it('changes with the components of a bundle, and with those of a component', () => {
  const bundles: Bundle[] = [
    { effectiveFrom: null, components: [{ sku: 'B-1', quantity: 2 }] },
    { effectiveFrom: day(7), components: [{ sku: 'B-1', quantity: 3 }] },
  ];
  const costs = { 'B-1': [row(null, ounces(4)), row(day(4), ounces(5))] };
  expect(changesOf(costs, bundles)).toEqual([day(4), day(7)]);
});

it('changes with a package that is not saved, from its day on', () => {
  const rows = [row(null, ounces(8)), row(day(9), ounces(8), { productCost: usd(11) })];
  const changesWith = (over: Parameters<typeof aSku>[0], since = day(20)) =>
    changesOf({ 'A-1': [...withPackage(rows, aSku(over), since, day(20))] });
  expect(changesWith({ weight: ounces(8), productCost: usd(12) })).toEqual([]);
  expect(changesWith({ weight: ounces(12) })).toEqual([day(20)]);
  expect(changesWith({ weight: ounces(12) }, day(5))).toEqual([day(5)]);
  expect(changesWith({ weight: null })).toEqual([day(20)]);
  expect(changesWith({ weight: ounces(8), isHazardous: true })).toEqual([]);
});
