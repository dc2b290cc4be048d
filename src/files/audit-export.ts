import { EXPORT_START, exportLine, plainCell, textCell } from './export-cells.ts';

/** A row of the audit log as its file has it. */
export interface AuditExport {
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly who: string | null;
  readonly action: string;
  readonly sentence: string;
  readonly targetKind: string | null;
  readonly targetId: string | null;
  readonly target: string | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly address: string | null;
  readonly requestId: string | null;
}

const json = (values: AuditExport['before']): string =>
  textCell(values === null ? null : JSON.stringify(values));

const CELLS: Readonly<Record<keyof AuditExport, (row: AuditExport) => string>> = {
  at: (row) => plainCell(row.at),
  who: (row) => textCell(row.who),
  action: (row) => textCell(row.action),
  sentence: (row) => textCell(row.sentence),
  targetKind: (row) => textCell(row.targetKind),
  targetId: (row) => textCell(row.targetId),
  target: (row) => textCell(row.target),
  before: (row) => json(row.before),
  after: (row) => json(row.after),
  address: (row) => textCell(row.address),
  requestId: (row) => textCell(row.requestId),
};
const WRITERS = Object.values(CELLS);

/** The start of an audit log file. */
export function auditExportHeader(): string {
  return EXPORT_START + exportLine(Object.keys(CELLS));
}

/** One row of it. */
export function auditExportLine(row: AuditExport): string {
  return exportLine(WRITERS.map((write) => write(row)));
}
