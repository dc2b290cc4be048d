import type { Marketplace } from '#domain/marketplaces.ts';
import type { Cells } from './cells.ts';
import { MARKETPLACE_KEYWORDS } from './keywords.ts';
import type { TableFormat } from './table.ts';

export type SaleColumn =
  | 'marketplace'
  | 'sku'
  | 'saleDate'
  | 'quantitySold'
  | 'unitPrice'
  | 'totalRevenue'
  | 'unitCost'
  | 'totalCost'
  | 'marketplaceFees'
  | 'shippingCost';

/** The sales file. */
export const SALE_FORMAT: TableFormat<SaleColumn> = {
  columns: {
    marketplace: 'required',
    sku: 'required',
    saleDate: 'required',
    quantitySold: 'required',
    unitPrice: 'optional',
    totalRevenue: 'optional',
    unitCost: 'optional',
    totalCost: 'optional',
    marketplaceFees: 'optional',
    shippingCost: 'optional',
  },
};

/** What a sale row says about how often something sold. */
export interface SaleCount {
  readonly marketplace: Marketplace | null;
  readonly quantity: number | null;
}

/** Reads the current row of `cells`. Use it only when `cells.bad` stays empty. */
export function readSaleCount(cells: Cells<SaleColumn>): SaleCount {
  const marketplace = cells.required(
    'marketplace',
    cells.word('marketplace', MARKETPLACE_KEYWORDS),
    MARKETPLACE_KEYWORDS.fix,
  );
  cells.required('saleDate', cells.moment('saleDate'), 'Write it as 2026-11-21.');
  const quantity = cells.required(
    'quantitySold',
    cells.quantity('quantitySold'),
    'Write a whole number of at least 1.',
  );
  return { marketplace, quantity };
}
