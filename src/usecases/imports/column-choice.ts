import type { ImportKind, ImportSource } from '#contract/imports.ts';
import type { Header } from '#files/header.ts';
import { plainName } from '#files/header.ts';
import { IMPORT_FORMATS, type ImportFormat } from '#files/import-columns.ts';
import { REPORT_SOURCES, reportColumns, reportOf } from '#files/report-sources.ts';

/** Which columns of a file are taken for what. */
export interface ColumnChoice {
  /** By our names, from 0; null takes none. */
  readonly mapping: Readonly<Record<string, number | null>>;
  /** Values for columns that the file lacks. */
  readonly defaults: Readonly<Record<string, string>>;
}

/** The column that our own files of rejected rows say the mistake in. */
export const ERROR_COLUMN = 'error';

/** What the header of a file lets us choose by ourselves. */
export function chooseColumns(
  kind: ImportKind,
  header: readonly string[],
): ColumnChoice & { readonly source: ImportSource } {
  const format: ImportFormat = IMPORT_FORMATS[kind];
  const report = kind === 'listings' ? reportOf(header) : null;
  if (report !== null) {
    const found: Readonly<Partial<Record<string, number>>> = reportColumns(report, header);
    return {
      source: report.source,
      mapping: Object.fromEntries(format.columns.map(({ name }) => [name, found[name] ?? null])),
      defaults: { marketplace: report.source },
    };
  }
  const names = header.map(plainName);
  const wanted = new Map(Object.entries(format.aliases).map(([alias, name]) => [plainName(alias), name]));
  for (const { name } of format.columns) wanted.set(plainName(name), name);
  const mapping: Record<string, number | null> = {};
  for (const { name } of format.columns) {
    const at = names.findIndex((written) => wanted.get(written) === name);
    mapping[name] = at < 0 ? null : at;
  }
  return { source: 'own', mapping, defaults: {} };
}

/** Columns that have to be there and are neither mapped nor given. */
export function missingColumns(kind: ImportKind, { mapping, defaults }: ColumnChoice): string[] {
  return IMPORT_FORMATS[kind].columns
    .filter(({ name, isRequired }) => isRequired && mapping[name] == null && defaults[name] === undefined)
    .map(({ name }) => name);
}

/** Columns of the file that nothing is taken from. */
export function ignoredColumns(header: readonly string[], { mapping }: ColumnChoice): string[] {
  const used = new Set(Object.values(mapping));
  return header.filter((name, at) => !used.has(at) && plainName(name) !== ERROR_COLUMN);
}

/** Where the columns of a kind stand, for its reader. */
export function headerOf<Name extends string>(
  names: readonly Name[],
  header: readonly string[],
  source: ImportSource,
  { mapping }: ColumnChoice,
): Header<Name> {
  const report = REPORT_SOURCES.find((known) => known.source === source);
  const found: Readonly<Partial<Record<string, number>>> = report ? reportColumns(report, header) : {};
  const at = Object.fromEntries(
    // A column that was taken away by hand stays away; those that help to read a report were never shown.
    names.map((name) => [name, (name in mapping ? mapping[name] : found[name]) ?? -1]),
  ) as Record<Name, number>;
  return { at, names: header, unknown: [] };
}
