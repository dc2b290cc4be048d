import type { Chance } from '#sandbox/world/chance.ts';
import type { Band, FeeCategory } from './category.ts';

/** How many categories of a marketplace have rates that no page names. */
const SECRET_CATEGORIES = 12;
/** Bounds in cents, within the prices that most listings have. */
const BOUNDS = [800, 1_000, 1_500, 2_000, 2_500, 3_000, 4_500, 7_500, 10_000] as const;

/**
 * Categories with drawn rates and bands: the same for the same stream.
 * @param hasUnitFees whether the marketplace has minimums and closing fees, which are drawn too
 */
export function drawCategories(chance: Chance, hasUnitFees: boolean): readonly FeeCategory[] {
  return Array.from({ length: SECRET_CATEGORIES }, (_, at) =>
    drawCategory(at + 1, chance.for(String(at)), hasUnitFees),
  );
}

function drawCategory(number: number, chance: Chance, hasUnitFees: boolean): FeeCategory {
  const bandCount = chance.pick([1, 2, 2, 3]);
  const bounds = new Set<number>();
  while (bounds.size < bandCount - 1) bounds.add(chance.pick(BOUNDS));
  return {
    name: `Special Selection ${number}`,
    code: String(170_000 + number),
    reach: chance.happens(0.3) ? 'marginal' : 'whole',
    bands: [...[...bounds].sort((a, b) => a - b), null].map((upTo) => ({ upTo, rate: drawRate(chance) })),
    minimum: hasUnitFees ? chance.pick([0, 30, 30, 50]) : 0,
    closing: hasUnitFees ? chance.pick([0, 0, 0, 99, 180]) : 0,
  };
}

/** From 5% to 22% in steps of half a percent. */
function drawRate(chance: Chance): number {
  return chance.whole(10, 44) * 50;
}

/** The category after its rates were changed by one to three points; two of three categories stay as they are. */
export function changedCategory(category: FeeCategory, chance: Chance): FeeCategory {
  if (!chance.happens(1 / 3)) return category;
  const shift = chance.whole(2, 6) * (chance.happens(0.5) ? 50 : -50);
  const bands = category.bands.map(({ upTo, rate }): Band => ({ upTo, rate: Math.max(100, rate + shift) }));
  return { ...category, bands };
}
