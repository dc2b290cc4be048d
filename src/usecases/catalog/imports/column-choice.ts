import type { ImportKind, ImportSource } from '#contract/imports.ts';
import type { ImportRow } from '#db/queries/catalog/imports.ts';
import type { StoredReadings } from '#db/schema/imports.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { MAX_COLUMNS } from '#files/csv-limits.ts';
import type { Header } from '#files/header.ts';
import { plainName } from '#files/header.ts';
import { IMPORT_FORMATS, type ImportFormat } from '#files/import-columns.ts';
import { REPORT_SOURCES, type ReportKind, reportColumns, reportOf } from '#files/report-sources.ts';
import { guessColumns, isOwnName } from './column-synonyms.ts';
import { contradictedColumns, readingsOf, type Sampled } from './open-questions.ts';

/** Which columns of a file are used for which of ours. */
export interface ColumnChoice {
  /** Column positions by our names, from 0; null for none. */
  readonly mapping: Readonly<Record<string, number | null>>;
  /** Values for columns that the file lacks. */
  readonly defaults: Readonly<Record<string, string>>;
  readonly readings: StoredReadings;
}

/** The columns chosen for a file before a user has seen it. */
export interface FreshChoice extends ColumnChoice {
  readonly source: ImportSource;
  /** The user must confirm these before the file is checked. */
  readonly guessed: readonly string[];
}

/** The column of our own rejected-rows files that holds the error. */
export const ERROR_COLUMN = 'error';

/** The source of a file, by its header. */
export function sourceOf(kind: ImportKind, header: readonly string[]): ImportSource {
  const reportKind = reportKindOf(kind);
  return (reportKind === null ? null : reportOf(header, reportKind))?.source ?? 'own';
}

/**
 * Chooses the columns that the header makes clear, and guesses others.
 * @param file its rows say how to read the columns
 */
export function chooseColumns(file: Omit<Sampled, 'mapping'>): FreshChoice {
  const { kind, header } = file;
  const source = sourceOf(kind, header);
  if (source !== 'own') {
    const mapping = reportMapping(kind, source, header);
    return {
      source,
      mapping,
      guessed: [],
      defaults: kind === 'listings' ? { marketplace: source, ...reportGives(kind, header) } : {},
      // Costs stored here are usually newer than those in Shopify.
      readings: {
        ...readingsOf({ ...file, mapping }),
        ...(kind === 'skus' ? { known: 'keep' as const } : {}),
      },
    };
  }
  const sure = ownMapping(kind, header);
  const taken = new Set(Object.values(sure));
  const open = Object.keys(sure).filter((name) => sure[name] === null);
  const { found, doubted } = guessColumns(
    kind,
    header,
    open,
    (at) => !taken.has(at) && !isErrorName(header[at] ?? ''),
  );
  const mapping = { ...sure, ...found };
  const guessed = open.filter((name) => name in found || doubted.includes(name));
  const marketplace = lacksMarketplace(file, mapping) ? marketplaceIn(header) : null;
  return {
    source,
    mapping,
    guessed: marketplace === null ? guessed : [...guessed, 'marketplace'],
    defaults: marketplace === null ? {} : { marketplace },
    readings: readingsOf({ ...file, mapping }),
  };
}

/**
 * Whether the listings of a file may be of any marketplace: no column says it, and the headings are not all ours. Our own
 * files without that column are Walmart's.
 */
export function lacksMarketplace(
  { kind, header }: Pick<Sampled, 'kind' | 'header'>,
  mapping: ColumnChoice['mapping'],
): boolean {
  if (kind !== 'listings' || mapping.marketplace != null || sourceOf(kind, header) !== 'own') return false;
  const own = ownMapping(kind, header);
  return Object.entries(mapping).some(([name, at]) => at !== null && own[name] !== at);
}

/** The one marketplace that a header speaks of, "asin" or "Walmart Item ID"; null for none, or several. */
function marketplaceIn(header: readonly string[]): Marketplace | null {
  const words = new Set(header.flatMap((heading) => heading.toLowerCase().split(/[^a-z]+/)));
  const named = MARKETPLACES.filter((marketplace) =>
    [marketplace, ...(OWN_WORDS[marketplace] ?? [])].some((word) => words.has(word)),
  );
  return named.length === 1 ? (named[0] ?? null) : null;
}

/** Words that no other marketplace has. */
const OWN_WORDS: Readonly<Partial<Record<Marketplace, readonly string[]>>> = {
  amazon: ['asin', 'fnsku'],
  walmart: ['wpid'],
};

/** How many of our columns a row would have, if it were the header of a file. */
export function countKnown(kind: ImportKind, cells: readonly string[]): number {
  const asHeader = {
    kind,
    header: cells.slice(0, MAX_COLUMNS),
    preview: [],
    numbers: {},
    separator: ',',
    asked: [],
  };
  return Object.values(chooseColumns(asHeader).mapping).filter((at) => at !== null).length;
}

/**
 * Applies the columns that a user chose for an earlier file. How the cells are read is this file's own; a column whose
 * first cells cannot match is asked again, and so is a value that was given for every row.
 */
export function applyColumns(
  fresh: FreshChoice,
  mapping: ColumnChoice['mapping'],
  file: Omit<Sampled, 'mapping'>,
): FreshChoice {
  const sampled = { ...file, mapping };
  const { known } = fresh.readings;
  const isAsked = (name: string): boolean => file.asked.includes(name) && mapping[name] == null;
  const givenBefore = IMPORT_FORMATS[file.kind].columns.map(({ name }) => name).filter(isAsked);
  return {
    ...fresh,
    mapping,
    defaults: Object.fromEntries(Object.entries(fresh.defaults).filter(([name]) => !isAsked(name))),
    guessed: [
      ...contradictedColumns(sampled),
      ...givenBefore.filter((name) => !isRequiredHere(file.kind, name, file.asked, mapping)),
    ],
    readings: { ...readingsOf(sampled), ...(known === undefined ? {} : { known }) },
  };
}

/** The positions of a report's columns; none for another file. */
function columnsOfReport(
  kind: ImportKind,
  source: ImportSource,
  header: readonly string[],
): Readonly<Partial<Record<string, number>>> {
  const reportKind = reportKindOf(kind);
  const report = reportKind === null || source === 'own' ? null : reportOf(header, reportKind);
  return report && reportKind ? reportColumns(report, reportKind, header) : {};
}

/** What holds for every row of a report although no column says it. */
export function reportGives(kind: ImportKind, header: readonly string[]): Readonly<Record<string, string>> {
  return kind === 'listings' ? { ...reportOf(header, 'listings')?.given } : {};
}

function reportMapping(
  kind: ImportKind,
  source: ImportSource,
  header: readonly string[],
): Record<string, number | null> {
  const found = columnsOfReport(kind, source, header);
  return Object.fromEntries(IMPORT_FORMATS[kind].columns.map(({ name }) => [name, found[name] ?? null]));
}

/** By our names and their aliases, ignoring a unit after them. */
function ownMapping(kind: ImportKind, header: readonly string[]): Record<string, number | null> {
  const format: ImportFormat = IMPORT_FORMATS[kind];
  const names = header.map(plainName);
  const wanted = new Map(Object.entries(format.aliases).map(([alias, name]) => [plainName(alias), name]));
  for (const { name } of format.columns) wanted.set(plainName(name), name);
  const mapping: Record<string, number | null> = {};
  for (const { name } of format.columns) {
    const exact = names.findIndex((written) => wanted.get(written) === name);
    const at =
      exact >= 0
        ? exact
        : header.findIndex((heading, cell) => !wanted.has(names[cell] ?? '') && isOwnName(name, heading));
    mapping[name] = at < 0 ? null : at;
  }
  return mapping;
}

const isErrorName = (heading: string): boolean => plainName(heading) === ERROR_COLUMN;

/** The report kind of an import; null where no report provides it. */
function reportKindOf(kind: ImportKind): ReportKind | null {
  return kind === 'listings' || kind === 'skus' ? kind : null;
}

/** Whether this file of listings also has costs or weights of SKUs. */
export function hasSkuCosts(source: ImportSource, header: readonly string[]): boolean {
  const report = REPORT_SOURCES.find((known) => known.source === source);
  if (report === undefined) return false;
  const found = reportColumns(report, 'skus', header);
  return found.productCost !== undefined || found.weight !== undefined;
}

/** Required columns that are neither mapped nor given. @param requested as in {@link Sampled} */
export function missingColumns(
  kind: ImportKind,
  { mapping, defaults }: Pick<ColumnChoice, 'mapping' | 'defaults'>,
  requested: readonly string[],
): string[] {
  return IMPORT_FORMATS[kind].columns
    .map(({ name }) => name)
    .filter(
      (name) =>
        isRequiredHere(kind, name, requested, mapping) &&
        mapping[name] == null &&
        defaults[name] === undefined,
    );
}

/**
 * Whether a file needs a column. Listings without a marketplace are Walmart's; where another one was chosen for files
 * with these headings, that default would change the prices of other listings. A file of limits alone changes listings
 * and adds none: it needs their marketplace, and neither price nor fulfillment type.
 */
export function isRequiredHere(
  kind: ImportKind,
  name: string,
  requested: readonly string[],
  mapping: ColumnChoice['mapping'],
): boolean {
  const format: ImportFormat = IMPORT_FORMATS[kind];
  const isLimits = kind === 'listings' && hasLimitsAlone(mapping);
  if (kind === 'listings' && name === 'marketplace') return isLimits || requested.includes(name);
  if (isLimits && ONLY_OF_NEW.includes(name)) return false;
  return format.columns.some((column) => column.name === name && column.isRequired);
}

/** What a new listing needs, and a known one has. */
const ONLY_OF_NEW: readonly string[] = ['currentPrice', 'fulfillmentType'];

/** Whether a file of listings has minimum or maximum prices, and nothing that a new listing needs. */
function hasLimitsAlone(mapping: ColumnChoice['mapping']): boolean {
  const has = (name: string): boolean => mapping[name] != null;
  return (has('minPrice') || has('maxPrice')) && !ONLY_OF_NEW.some(has);
}

/** Columns of the file that are not used. */
export function ignoredColumns(
  header: readonly string[],
  { mapping }: Pick<ColumnChoice, 'mapping'>,
): string[] {
  const used = new Set(Object.values(mapping));
  return header.filter((name, at) => !used.has(at) && !isErrorName(name));
}

/** The positions of a kind's columns, for its reader. */
export function headerOf<Name extends string>(
  names: readonly Name[],
  { kind, header, source, mapping }: Pick<ImportRow, 'kind' | 'header' | 'source' | 'mapping'>,
): Header<Name> {
  const found = columnsOfReport(kind, source, header);
  const at = Object.fromEntries(
    // A column that a user removed stays removed; helper columns of a report were never shown.
    names.map((name) => [name, (name in mapping ? mapping[name] : found[name]) ?? -1]),
  ) as Record<Name, number>;
  return { at, names: header, unknown: [] };
}
