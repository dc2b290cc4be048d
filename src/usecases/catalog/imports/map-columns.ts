import { IMPORT_QUESTIONS, SEEN_AT_UPLOAD } from '#contract/imports.ts';
import { clearShown } from '#db/queries/catalog/import-falls.ts';
import { changeImport, clearFindings, type ImportRow, lockImport } from '#db/queries/catalog/imports.ts';
import type { StoredReadings } from '#db/schema/imports.ts';
import { transact } from '#db/transact.ts';
import { IMPORT_FORMATS } from '#files/import-columns.ts';
import { MARKETPLACE_KEYWORDS, REPORT_FULFILLMENT_KEYWORDS } from '#files/keywords.ts';
import { momentFrom } from '#files/timestamps.ts';
import { AppError } from '#usecases/app-error.ts';
import type { StartJobDeps } from '#usecases/background/job-handler.ts';
import { type ColumnChoice, missingColumns, reportGives } from './column-choice.ts';
import { requireChange, type Uploader } from './import-roles.ts';
import { openQuestions, readingsOf, sampledOf } from './open-questions.ts';
import { rememberChoice } from './remembered-choice.ts';
import { importNotFound, requireImport } from './require-import.ts';
import { startCheck } from './start-check.ts';

/** Columns as a user chose them; an undefined reading is kept. */
type Choice = Omit<ColumnChoice, 'readings'> & { readonly readings?: StoredReadings | undefined };

/**
 * Changes the columns of a file, or values for columns that it lacks, and checks it again once nothing is missing.
 * @throws AppError not_found; conflict for a file that is being imported or was; validation_failed per column
 */
export async function mapColumns(
  deps: StartJobDeps,
  id: number,
  choice: Choice,
  by: Uploader,
): Promise<ImportRow> {
  // Under the same lock as an import: of two tabs, the second one gets the conflict.
  const isComplete = await transact(deps.db, async (tx) => {
    const file = await lockImport(tx, id);
    if (file === null || file.state === 'uploading') throw importNotFound(id);
    requireChange(file, by);
    if (file.state === 'importing' || file.state === 'done') {
      throw new AppError(
        'conflict',
        'This file is already imported. Upload it again to import it with other columns.',
      );
    }
    const taken = choiceFor(file, choice);
    // The user has seen the columns, so none is a guess.
    const chosenFrom = { ...file.chosenFrom, guessed: [], remembered: null };
    await changeImport(tx, id, { ...taken, chosenFrom, state: 'uploaded', error: null, findings: null });
    await clearFindings(tx, id);
    await clearShown(tx, id);
    const sampled = { ...sampledOf(file), mapping: taken.mapping };
    const isComplete =
      missingColumns(file.kind, taken, sampled.asked).length === 0 &&
      openQuestions(sampled, taken.readings).length === 0;
    if (isComplete) {
      const answered = answeredNames(file, taken, readingsOf(sampled));
      await rememberChoice(tx, sampled, { mapping: taken.mapping, answered }, by, deps.now());
    }
    return isComplete;
  });
  if (isComplete) await startCheck(deps, id, by);
  return requireImport(deps, id);
}

/** @throws AppError validation_failed per column */
function choiceFor(file: ImportRow, choice: Choice): ColumnChoice {
  rejectUnknownColumns(file, choice);
  const known = IMPORT_FORMATS[file.kind].columns.map(({ name }) => name);
  const mapping = Object.fromEntries(known.map((name) => [name, choice.mapping[name] ?? null]));
  const before = readingsOf(sampledOf(file));
  const said = readingsOf({ ...sampledOf(file), mapping });
  const answers =
    choice.readings === undefined
      ? { ...file.readings, ...said, ...explicit(file.readings, before) }
      : { ...said, ...answered(choice.readings) };
  const { decimalMark, ...others } = answers;
  // The mark came from the previous columns and not from a user's answer.
  const isStale = decimalMark === before.decimalMark && decimalMark !== said.decimalMark;
  return {
    mapping,
    defaults: { ...givenBySource(file), ...choice.defaults },
    readings: isStale ? others : answers,
  };
}

/**
 * A report implies its marketplace: without it the listings would be Walmart's; some imply who ships. Not where a user
 * answered otherwise.
 */
function givenBySource(file: ImportRow): Record<string, string> {
  if (file.kind !== 'listings' || file.source === 'own') return {};
  const given = { marketplace: file.source, ...reportGives(file.kind, file.header) };
  const { asked } = sampledOf(file);
  return Object.fromEntries(Object.entries(given).filter(([name]) => !asked.includes(name)));
}

/** What a user answered besides the columns: values for every row, and how to read its cells. */
function answeredNames(
  file: ImportRow,
  { defaults, readings }: ColumnChoice,
  said: StoredReadings,
): string[] {
  const given = givenBySource(file);
  return [
    ...Object.keys(defaults).filter((name) => defaults[name] !== given[name]),
    ...IMPORT_QUESTIONS.filter((name) => readings[name] !== undefined && readings[name] !== said[name]),
  ];
}

/** Answers that differ from what the columns show. */
function explicit(readings: StoredReadings, said: StoredReadings): StoredReadings {
  const isAnswer = ([name, answer]: [string, unknown]): boolean =>
    said[name as keyof StoredReadings] !== answer;
  return Object.fromEntries(Object.entries(readings).filter(isAnswer));
}

/** Without open questions. */
function answered(readings: StoredReadings): StoredReadings {
  return Object.fromEntries(Object.entries(readings).filter(([, answer]) => answer !== undefined));
}

function rejectUnknownColumns({ kind, header }: ImportRow, { mapping, defaults }: Choice): void {
  const known = new Set<string>(IMPORT_FORMATS[kind].columns.map(({ name }) => name));
  const fields: Record<string, string> = {};
  const takenBy = new Map<number, string>();
  for (const [name, at] of Object.entries(mapping)) {
    if (!known.has(name)) fields[name] = 'There is no such column here';
    else if (at !== null && at >= header.length) fields[name] = `The file has only ${header.length} columns`;
    else if (at !== null) {
      const other = takenBy.get(at);
      if (other !== undefined) fields[name] = `This column is already used for ${other}`;
      takenBy.set(at, name);
    }
  }
  for (const [name, value] of Object.entries(defaults)) {
    const words = { marketplace: MARKETPLACE_KEYWORDS, fulfillmentType: REPORT_FULFILLMENT_KEYWORDS }[name];
    if (!known.has(name)) fields[name] = 'There is no such column here';
    else if (name === 'seenAt' && value !== SEEN_AT_UPLOAD && momentFrom(value) === null) {
      fields[name] = 'Expected a timestamp such as 2026-11-21T12:00:00Z, or upload';
    } else if (words !== undefined && words.findText(value) === null) fields[name] = words.fix;
  }
  if (Object.keys(fields).length > 0) {
    throw new AppError('validation_failed', 'Some columns cannot be used like this.', { fields });
  }
}
