import type { SaleDetail } from '#contract/sales.ts';
import type { Db } from '#db/client.ts';
import { readSale } from '#db/queries/catalog/sales-list.ts';
import { centsFromDecimal, decimalFromCents } from '#domain/decimal.ts';
import { reconcileSale } from '#domain/sales/reconcile-sale.ts';
import { type Cents, instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { loadSaleFacts } from './sale-facts.ts';

/**
 * A sale with what was reported of it held against the estimates.
 * @throws AppError not_found
 */
export async function saleDetail(db: Db, id: number): Promise<SaleDetail> {
  const sale = await readSale(db, id);
  if (sale === null) throw new AppError('not_found', 'This sale does not exist or was canceled.');
  const parts = sale.parts.map(({ kind, estimated, told }) => ({
    kind,
    estimated: centsOf(estimated),
    told: centsOf(told),
  }));
  const reconciled = reconcileSale({
    marketplace: sale.marketplace,
    quantity: sale.quantitySold,
    state: sale.state,
    parts,
    feesEstimated: centsOf(sale.feesEstimated),
    feesTold: centsOf(sale.feesTold),
  });
  const listingId = Number(sale.listingId);
  const facts = await loadSaleFacts(db, [listingId]);
  const { productCost } = facts.termsOf({
    listingId,
    soldAt: instant(Date.parse(sale.saleDate)),
    quantity: sale.quantitySold,
    revenue: centsFromDecimal(sale.totalRevenue),
  });
  return {
    ...sale,
    parts: sale.parts.map((part) => ({ ...part, reconciliation: reconciled.kinds.get(part.kind) ?? null })),
    productCost: productCost === null ? null : decimalFromCents(productCost),
    reconciliation: reconciled.sale,
  };
}

function centsOf(amount: string | null): Cents | null {
  return amount === null ? null : centsFromDecimal(amount);
}
