import type { Db } from '#db/client.ts';
import { readDatedSkuCosts } from '#db/queries/catalog/due-sales.ts';
import { type ChargedSale, findListingsOfCost, pageOfSales } from '#db/queries/catalog/sku-costs.ts';
import { type DatedSkuCosts, type SkuCostChange, withCostsSince } from '#domain/sales/dated-costs.ts';
import { saleFigures } from '#domain/sales/sale-figures.ts';
import { type Cents, type Instant, instant } from '#domain/units.ts';
import { loadSaleFacts, type SaleTerms } from './sale-facts.ts';

const BATCH = 2_000;
/** More sales are not counted: the preview answers while the user types. */
const MAX_SALES = 20_000;

/** Edited costs of one SKU that would apply since a moment. */
interface CostEdit {
  readonly sku: string;
  readonly change: SkuCostChange;
  readonly since: Instant;
  readonly now: Instant;
}

/**
 * Previews what edited costs change on sales so far. Writes nothing.
 * @returns a profit that becomes known counts as a change from 0.00
 */
export async function costEffectOnSales(
  db: Db,
  { sku, change, since, now }: CostEdit,
): Promise<{ changed: number; profitChange: string; isMore: boolean }> {
  const listings = await findListingsOfCost(db, sku);
  const stored = await readDatedSkuCosts(db, [sku]);
  const assumed = withCostsSince(stored, change, since, now);
  const before = await loadSaleFacts(db, listings);
  const after = await loadSaleFacts(db, listings, new Map([[sku, assumed]]));
  const from = isKnown(stored) ? since : instant(0);
  let changed = 0;
  let difference = 0;
  let last = 0;
  for (let read = 0; read < MAX_SALES; read += BATCH) {
    const sales = await pageOfSales(db, listings, from, last, BATCH);
    for (const sale of sales) {
      const [terms, newTerms] = [before.termsOf(sale), after.termsOf(sale)];
      const lost = sale.refunds + worthOfReturned(sale, terms);
      const [old, fresh] = [profitOf(sale, terms, lost), profitOf(sale, newTerms, lost)];
      if (old === fresh) continue;
      changed += 1;
      difference += (fresh ?? 0) - (old ?? 0);
    }
    last = sales.at(-1)?.id ?? last;
    if (sales.length < BATCH) return { changed, profitChange: dollars(difference), isMore: false };
  }
  return { changed, profitChange: dollars(difference), isMore: true };
}

/** Otherwise the first known cost applies since ever. */
function isKnown(rows: readonly DatedSkuCosts[]): boolean {
  return rows.some(({ productCost }) => productCost) && rows.some(({ weight }) => weight);
}

/** @param lost what returns cost without the goods that came back */
function profitOf(sale: ChargedSale, terms: SaleTerms, lost: number): Cents | null {
  const { adjustment, ads, label } = sale;
  const { unitCost, unitShippingCost } = terms;
  const refunds = (lost - worthOfReturned(sale, terms)) as Cents;
  return saleFigures({ ...sale, unitCost, unitShippingCost, told: { adjustment, ads, label, refunds } })
    .profit;
}

/** The product cost of the units that came back into stock. */
function worthOfReturned({ quantity, restocked }: ChargedSale, { productCost }: SaleTerms): number {
  return (productCost ?? 0) * Math.min(quantity, restocked);
}

/** A sum may exceed the range of an amount. */
function dollars(cents: number): string {
  const text = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${text.slice(0, -2)}.${text.slice(-2)}`;
}
