import type { Marketplace } from '#domain/marketplaces.ts';
import { EXPORT_START, exportLine, plainCell, textCell } from './export-cells.ts';

/** An order line as its file has it. Amounts are decimal strings; blank is unknown. */
export interface SaleExport {
  /** ISO 8601 in UTC. */
  readonly saleDate: string;
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly productTitle: string;
  readonly orderRef: string | null;
  readonly lineNumber: number | null;
  readonly quantitySold: number;
  readonly unitPrice: string;
  readonly totalRevenue: string;
  readonly shippingRevenue: string | null;
  readonly marketplaceFees: string | null;
  readonly feesEstimated: string | null;
  readonly feesTold: string | null;
  readonly unitCost: string | null;
  readonly shippingCost: string | null;
  readonly totalCost: string | null;
  readonly adjustment: string | null;
  readonly ads: string | null;
  readonly refunds: string | null;
  /** Profit of the line. */
  readonly totalMargin: string | null;
  readonly state: string;
  readonly isAbout: boolean;
}

const CELLS: Readonly<Record<string, (row: SaleExport) => string>> = {
  saleDate: (row) => plainCell(row.saleDate),
  marketplace: (row) => plainCell(row.marketplace),
  sku: (row) => textCell(row.sku),
  productTitle: (row) => textCell(row.productTitle),
  orderRef: (row) => textCell(row.orderRef),
  lineNumber: (row) => plainCell(row.lineNumber),
  quantitySold: (row) => plainCell(row.quantitySold),
  unitPrice: (row) => plainCell(row.unitPrice),
  totalRevenue: (row) => plainCell(row.totalRevenue),
  shippingRevenue: (row) => plainCell(row.shippingRevenue),
  marketplaceFees: (row) => plainCell(row.marketplaceFees),
  feesEstimated: (row) => plainCell(row.feesEstimated),
  feesTold: (row) => plainCell(row.feesTold),
  unitCost: (row) => plainCell(row.unitCost),
  shippingCost: (row) => plainCell(row.shippingCost),
  totalCost: (row) => plainCell(row.totalCost),
  adjustment: (row) => plainCell(row.adjustment),
  ads: (row) => plainCell(row.ads),
  refunds: (row) => plainCell(row.refunds),
  profit: (row) => plainCell(row.totalMargin),
  state: (row) => plainCell(row.state),
  isAbout: (row) => plainCell(row.totalMargin === null ? null : row.isAbout),
};
const WRITERS = Object.values(CELLS);

/** The start of a file of sales. */
export function salesExportHeader(): string {
  return EXPORT_START + exportLine(Object.keys(CELLS));
}

/** One order line of it. */
export function salesExportLine(row: SaleExport): string {
  return exportLine(WRITERS.map((write) => write(row)));
}
