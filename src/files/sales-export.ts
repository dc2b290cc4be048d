import { MONEY_KINDS, type MoneyKind } from '#domain/money/money-event.ts';
import type { ListedSale } from '#domain/sales/listed-sale.ts';
import { FEE_KINDS } from '#domain/sales/sale-fees.ts';
import { EXPORT_START, exportLine, plainCell, textCell } from './export-cells.ts';

type Cell = (row: ListedSale) => string;

/** The columns of a kind of money, signed: what was estimated of it, if it can be, and what was reported. */
function partCells(kind: MoneyKind): [string, Cell][] {
  const name = kind.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const cell =
    (of: 'estimated' | 'told'): Cell =>
    ({ parts }) =>
      plainCell(parts.find((part) => part.kind === kind)?.[of] ?? null);
  const reported: [string, Cell] = [`${name}Told`, cell('told')];
  const isEstimated = (FEE_KINDS as readonly MoneyKind[]).includes(kind);
  return isEstimated ? [[`${name}Estimated`, cell('estimated')], reported] : [reported];
}

const CELLS: Readonly<Record<string, Cell>> = {
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
  isPending: (row) => plainCell(row.isPending),
  priceSource: (row) => plainCell(row.priceSource),
  ruleId: (row) => plainCell(row.ruleId),
  runId: (row) => plainCell(row.runId),
  ...Object.fromEntries(MONEY_KINDS.filter((kind) => kind !== 'transfer').flatMap(partCells)),
};
const WRITERS = Object.values(CELLS);

/** The start of a file of sales. */
export function salesExportHeader(): string {
  return EXPORT_START + exportLine(Object.keys(CELLS));
}

/** One order line of it. */
export function salesExportLine(row: ListedSale): string {
  return exportLine(WRITERS.map((write) => write(row)));
}
