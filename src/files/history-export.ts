import type { Marketplace } from '#domain/marketplaces.ts';
import { EXPORT_START, exportLine, plainCell, textCell } from './export-cells.ts';

/** A price change as its file has it. Amounts and percentage points are decimal strings. */
export interface HistoryExport {
  /** ISO 8601 in UTC. */
  readonly timestamp: string;
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly productTitle: string;
  readonly oldPrice: string | null;
  readonly newPrice: string;
  /** New minus old. */
  readonly change: string | null;
  readonly reason: string;
  /** Percentage points. */
  readonly marginImpact: string | null;
  readonly source: string;
  /** The person. */
  readonly changedBy: string | null;
  readonly rule: string | null;
  readonly competitorPrice: string | null;
  readonly lowestLegalPrice: string | null;
}

const CELLS: Readonly<Record<keyof HistoryExport, (row: HistoryExport) => string>> = {
  timestamp: (row) => plainCell(row.timestamp),
  marketplace: (row) => plainCell(row.marketplace),
  sku: (row) => textCell(row.sku),
  productTitle: (row) => textCell(row.productTitle),
  oldPrice: (row) => plainCell(row.oldPrice),
  newPrice: (row) => plainCell(row.newPrice),
  change: (row) => plainCell(row.change),
  reason: (row) => textCell(row.reason),
  marginImpact: (row) => plainCell(row.marginImpact),
  source: (row) => plainCell(row.source),
  changedBy: (row) => textCell(row.changedBy),
  rule: (row) => textCell(row.rule),
  competitorPrice: (row) => plainCell(row.competitorPrice),
  lowestLegalPrice: (row) => plainCell(row.lowestLegalPrice),
};
const WRITERS = Object.values(CELLS);

/** The start of a price history file. */
export function historyExportHeader(): string {
  return EXPORT_START + exportLine(Object.keys(CELLS));
}

/** One price change of it. */
export function historyExportLine(row: HistoryExport): string {
  return exportLine(WRITERS.map((write) => write(row)));
}
