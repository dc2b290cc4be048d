import type { CostEffect, Import } from '#contract/imports.ts';
import type { ImportRow } from '#db/queries/catalog/imports.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { IMPORT_FORMATS } from '#files/import-columns.ts';
import { listingsText } from '#usecases/catalog/costs/lowered-floors.ts';
import { hasSkuCosts, ignoredColumns, isRequiredHere, missingColumns } from './column-choice.ts';
import { confidenceIn } from './column-synonyms.ts';
import { NOTHING_FOUND } from './findings.ts';
import { numberMarksOf, openQuestions, sampledOf } from './open-questions.ts';

const MAX_GROUPS = 100;

/** The id of a check: its job. "0" for one so old that its job was deleted. */
export function checkIdOf({ jobId }: Pick<ImportRow, 'jobId'>): string {
  return String(jobId ?? 0);
}

/** What an import is shown against. */
export interface ImportSurroundings {
  /** Keys of your sellers, "walmart\nmy shop". */
  readonly ownSellers: ReadonlySet<string>;
  /** Where the store is; null while it is not set. */
  readonly timeZone: string | null;
}

/** An import as its screen shows it. */
export function importView(file: ImportRow, { ownSellers, timeZone }: ImportSurroundings): Import {
  const { kind, source, fileName, size, createdBy, header, findings } = file;
  const sampled = sampledOf(file);
  const { asked } = sampled;
  const groups = [...(findings?.groups ?? [])].sort((a, b) => b.count - a.count);
  return {
    id: String(file.id),
    kind,
    source,
    fileName,
    size,
    createdBy,
    header,
    layout: layoutView(file),
    state: file.state === 'uploading' ? 'uploaded' : file.state,
    createdAt: new Date(file.createdAt).toISOString(),
    preview: file.preview.map((row) => [...row]),
    columns: IMPORT_FORMATS[kind].columns.map((column) => ({
      ...column,
      isRequired: isRequiredHere(kind, column.name, asked, file.mapping),
    })),
    mapping: { ...file.mapping },
    ignoredColumns: ignoredColumns(header, file),
    missingColumns: missingColumns(kind, file, asked),
    guessed: [...file.chosenFrom.guessed],
    confidence: confidenceView(file),
    remembered: rememberedView(file.chosenFrom),
    questions: openQuestions(sampled, file.readings),
    numbers: numberMarksOf(sampled),
    samples: Object.fromEntries(
      Object.entries(sampled.numbers).map(([at, { filled, bare, small, days }]) => [
        at,
        { filled, bare, small, days: [...days] },
      ]),
    ),
    defaults: { ...file.defaults },
    readings: { ...file.readings },
    saysCosts: kind === 'listings' && hasSkuCosts(source, header),
    error: file.error,
    checkId: file.state === 'checked' ? checkIdOf(file) : null,
    counts: countsOf(file),
    problems: groups.slice(0, MAX_GROUPS).map((group) => ({
      ...group,
      firstLines: [...group.firstLines],
      isSecondary: group.isSecondary === true,
    })),
    notes: [...layoutNotes(file), ...loweredNote(file), ...(findings?.notes ?? [])],
    effect: effectView(file),
    rulesInUtc: file.state === 'checked' && timeZone === null ? (findings?.timedRules ?? 0) : 0,
    sellers: (findings?.sellers ?? []).map(({ marketplace, key, name, offers }) => ({
      marketplace: marketplace as Marketplace,
      name,
      offers,
      isOwn: ownSellers.has(`${marketplace}\n${key}`),
    })),
    jobId: file.jobId === null ? null : String(file.jobId),
  };
}

function layoutView({ layout, chosenFrom }: ImportRow): Import['layout'] {
  const { encoding = 'utf-8', titleLines = 0, totalLines = [], rows = null } = layout;
  return { separator: chosenFrom.separator, encoding, titleLines, totalLines: [...totalLines], rows };
}

/** What of a file is not read, and what is read as a spreadsheet on Windows writes it. */
function layoutNotes({ layout, preview }: ImportRow): string[] {
  const { encoding, titleLines = 0, totalLines = [] } = layout;
  const lines = totalLines.map((line) => line.toLocaleString('en-US')).join(', ');
  return [
    ...(titleLines > 0 ? [`The header is in line ${titleLines + 1}; the lines above it are not read.`] : []),
    ...(totalLines.length === 1
      ? [`Line ${lines} is a total of the rows above it and is not imported.`]
      : []),
    ...(totalLines.length > 1
      ? [`Lines ${lines} are totals of the rows above them and are not imported.`]
      : []),
    ...(encoding === undefined
      ? []
      : [
          `The file is not UTF-8 and was read as Windows-1252, as spreadsheets on Windows write it. Check that accented letters are right${accented(preview)}`,
        ]),
  ];
}

/** An example for a person to check. */
function accented(preview: ImportRow['preview']): string {
  const cell = preview.flat().find((text) => /[^\0-\x7f]/.test(text));
  return cell === undefined ? '.' : `, such as in: ${cell.trim().slice(0, 60)}`;
}

/** Of a check, or of an import; also of one that stopped: rows imported until then are kept. */
function countsOf({ state, findings, startedAt }: ImportRow): Import['counts'] {
  if (state === 'failed' && startedAt !== null) return findings?.counts ?? NOTHING_FOUND.counts;
  return state === 'checked' || state === 'done' ? (findings?.counts ?? null) : null;
}

/** The drops of lowest allowed prices, for which the import requires step-up authentication. */
function loweredNote({ state, findings }: ImportRow): string[] {
  if (state !== 'checked' || findings?.lowered === undefined) return [];
  return [`It lowers the lowest allowed price of ${listingsText(findings.lowered)} by more than 20%.`];
}

function confidenceView({ kind, header, mapping, chosenFrom }: ImportRow): Import['confidence'] {
  const mapped = chosenFrom.guessed.flatMap((name) => {
    const at = mapping[name] ?? null;
    return at === null ? [] : [[name, confidenceIn(kind, name, header[at] ?? '')] as const];
  });
  return Object.fromEntries(mapped);
}

function rememberedView({ remembered }: ImportRow['chosenFrom']): Import['remembered'] {
  return remembered === null ? null : { by: remembered.by, at: new Date(remembered.at).toISOString() };
}

function effectView({ state, findings }: ImportRow): CostEffect | null {
  const effect = state === 'checked' ? findings?.effect : undefined;
  if (effect === undefined || effect.listings + effect.jumpCount === 0) return null;
  return {
    ...effect,
    rules: [...(effect.rules ?? [])],
    falling: effect.falling.map((each) => ({ ...each, marketplace: each.marketplace as Marketplace })),
    jumps: [...effect.jumps],
  };
}
