import type { CostRow } from '#contract/cost-list.ts';
import type { CostPartName } from '#contract/costs.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';

/** Column labels of the parts. */
export const PART_LABELS = {
  product: 'Product Cost',
  shipping: 'Shipping',
  fulfillment: 'Fulfillment',
  packaging: 'Packaging',
  misc: 'Misc',
} as const satisfies Record<CostPartName, string>;

/** "Product Cost of A-1 on Walmart" */
export function cellName({ sku, marketplace }: CostRow, part: CostPartName): string {
  return `${PART_LABELS[part]} of ${sku} on ${MARKETPLACE_NAMES[marketplace]}`;
}

/** Why a part cannot be edited in the list; null if it can. Shipping always can. */
export function whyFixed(row: CostRow, part: CostPartName): string | null {
  if (part === 'shipping') return null;
  return part === 'fulfillment' ? row.fulfillmentReadOnly : row.goodsReadOnly;
}
