import { type BundleComponent, MAX_QUANTITY, type SkuFigures } from '#contract/bundles.ts';
import { bundleCost } from '#domain/costs/bundle-cost.ts';
import type { CostGap, SkuCosts } from '#domain/costs/cost.ts';
import { centsFromDecimal } from '#domain/decimal.ts';
import { type Cents, isAmount, type Ounces, ounces } from '#domain/units.ts';

/** A SKU that can be a component. */
export interface SkuOption extends SkuFigures {
  readonly id: string;
  readonly sku: string;
  readonly name: string;
}

/** One component of the draft. */
export interface DraftPart extends SkuOption {
  readonly quantity: number;
  /** The SKU was deleted: its cost is unknown. */
  readonly isDeleted: boolean;
}

/** A bundle as edited, saved or not. Every SKU occurs once. */
export type Draft = readonly DraftPart[];

/** The initial draft of a stored bundle. */
export function draftOf(stored: readonly BundleComponent[]): Draft {
  return stored.map(({ componentSkuId, id: _, listingSku: __, ...rest }) => ({
    ...rest,
    id: componentSkuId,
  }));
}

/** Adds a SKU; if it is already there, increases its quantity. */
export function addPart(draft: Draft, sku: SkuOption, quantity: number): Draft {
  const known = draft.find(({ id }) => id === sku.id);
  if (known === undefined) return [...draft, { ...sku, quantity: within(quantity), isDeleted: false }];
  return setQuantity(draft, sku.id, known.quantity + quantity);
}

export function removePart(draft: Draft, id: string): Draft {
  return draft.filter((part) => part.id !== id);
}

/** Restores a removed component at its position; does nothing if it is there again. */
export function restorePart(draft: Draft, part: DraftPart, at: number): Draft {
  return draft.some(({ id }) => id === part.id) ? draft : draft.toSpliced(at, 0, part);
}

export function setQuantity(draft: Draft, id: string, quantity: number): Draft {
  return draft.map((part) => (part.id === id ? { ...part, quantity: within(quantity) } : part));
}

/** Whether two drafts have the same components, in any order. */
export function isSameDraft(one: Draft, other: Draft): boolean {
  return (
    one.length === other.length &&
    one.every(({ id, quantity }) => other.some((part) => part.id === id && part.quantity === quantity))
  );
}

/** The quantity of a field: 1 if it is not a number, at least 1, without decimals. */
export function quantityOf(text: string): number {
  const number = Number(text.trim().replaceAll(',', ''));
  return Number.isFinite(number) ? within(Math.floor(number)) : 1;
}

function within(quantity: number): number {
  return Math.min(Math.max(quantity, 1), MAX_QUANTITY);
}

/** Cost and weight of one bundle without its box. Null is unknown. */
export interface DraftTotals {
  /** Product, packaging and misc. */
  readonly cost: Cents | null;
  readonly weight: Ounces | null;
  /** SKUs without a product cost, and those without a weight. */
  readonly withoutCost: readonly string[];
  readonly withoutWeight: readonly string[];
  readonly deleted: readonly string[];
  /** SKUs that are bundles themselves: only the cost of their box is known. */
  readonly bundles: readonly string[];
}

/**
 * Totals of a draft, with the arithmetic of the pricing engine.
 * @param box the SKU with the bundle's code
 * @param bundlesInside SKUs that are bundles themselves
 */
export function totalsOf(
  draft: Draft,
  box: SkuFigures | null,
  bundlesInside: readonly string[] = [],
): DraftTotals {
  const gaps: CostGap[] = [];
  const goods = bundleCost(
    {
      own: box === null ? null : costsOf('', box),
      components: draft.map((part) => ({
        sku: part.sku,
        quantity: part.quantity,
        costs: part.isDeleted ? null : costsOf(part.sku, part),
        isBundle: bundlesInside.includes(part.sku),
      })),
    },
    gaps,
  );
  const { product, packaging, misc, weight } = goods;
  const sum = product === null || packaging === null || misc === null ? null : product + packaging + misc;
  return {
    cost: sum !== null && isAmount(sum) ? sum : null,
    weight,
    withoutCost: gaps.flatMap((gap) => (gap.kind === 'no_product_cost' ? [gap.sku] : [])),
    withoutWeight: draft
      .filter(
        ({ sku, weightOz, isDeleted }) => weightOz === null && !isDeleted && !bundlesInside.includes(sku),
      )
      .map(({ sku }) => sku),
    deleted: draft.filter(({ isDeleted }) => isDeleted).map(({ sku }) => sku),
    bundles: draft.filter(({ sku }) => bundlesInside.includes(sku)).map(({ sku }) => sku),
  };
}

function costsOf(sku: string, { productCost, weightOz, packagingCost, miscCost }: SkuFigures): SkuCosts {
  return {
    sku,
    productCost: productCost === null ? null : centsFromDecimal(productCost),
    weight: weightOz === null ? null : ounces(weightOz),
    // The totals of a draft have no fulfillment fee, which is all that these are for.
    size: null,
    isHazardous: false,
    packagingCost: centsFromDecimal(packagingCost),
    miscCost: centsFromDecimal(miscCost),
  };
}
