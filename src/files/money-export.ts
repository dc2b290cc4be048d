import type { Marketplace } from '#domain/marketplaces.ts';
import { EXPORT_START, exportLine, plainCell, textCell } from './export-cells.ts';

/** A booked amount as its file has it. */
interface MoneyExport {
  /** ISO 8601 in UTC. */
  readonly postedAt: string;
  /** Null while it is booked, but not released. */
  readonly releasedAt: string | null;
  readonly marketplace: Marketplace;
  readonly settlementRef: string | null;
  readonly kind: string;
  readonly rawType: string;
  /** Decimal text: above zero is received, below zero is charged. */
  readonly amount: string;
  readonly orderRef: string | null;
  readonly sku: string | null;
  readonly quantity: number | null;
  readonly matchedBy: string;
  readonly externalId: string;
  readonly profitOf: string;
}

const CELLS: Readonly<Record<keyof MoneyExport, (row: MoneyExport) => string>> = {
  postedAt: (row) => plainCell(row.postedAt),
  releasedAt: (row) => plainCell(row.releasedAt),
  marketplace: (row) => plainCell(row.marketplace),
  settlementRef: (row) => textCell(row.settlementRef),
  kind: (row) => plainCell(row.kind),
  rawType: (row) => textCell(row.rawType),
  amount: (row) => plainCell(row.amount),
  orderRef: (row) => textCell(row.orderRef),
  sku: (row) => textCell(row.sku),
  quantity: (row) => plainCell(row.quantity),
  matchedBy: (row) => plainCell(row.matchedBy),
  externalId: (row) => textCell(row.externalId),
  profitOf: (row) => plainCell(row.profitOf),
};
const WRITERS = Object.values(CELLS);

/** The start of a file of booked amounts. */
export function moneyExportHeader(): string {
  return EXPORT_START + exportLine(Object.keys(CELLS));
}

/** One amount of it. */
export function moneyExportLine(row: MoneyExport): string {
  return exportLine(WRITERS.map((write) => write(row)));
}
