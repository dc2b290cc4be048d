import type { Db } from '#db/client.ts';
import { holdUploader, keptBy } from '#db/queries/catalog/imports.ts';
import { AppError } from '#usecases/app-error.ts';
import { KEPT_DAYS } from './purge-imports.ts';

/** 2 GB: what uploaded files of one person may take, rejected rows and samples of the check aside. */
export const MOST_KEPT_BYTES = 2_147_483_648;
/** More than one file an hour for as long as they are kept. */
export const MOST_KEPT_FILES = 1_000;

/**
 * Refuses what would not fit beside the files that somebody keeps. Called before a file is begun and with each part of it,
 * in the transaction that writes: of two uploads at once the second one counts what the first has stored.
 * @param more bytes that are about to be added; null for a further file
 * @throws AppError conflict, with what is kept as `fields.files` and `fields.bytes`
 */
export async function requireRoom(tx: Db, userId: string, more: number | null): Promise<void> {
  await holdUploader(tx, userId);
  const { files, bytes, oldest } = await keptBy(tx, userId);
  const fits =
    more === null ? files < MOST_KEPT_FILES && bytes < MOST_KEPT_BYTES : bytes + more <= MOST_KEPT_BYTES;
  if (fits) return;
  const next =
    oldest === null ? '' : `, the oldest of yours from ${new Date(oldest).toISOString().slice(0, 10)}`;
  throw new AppError(
    'conflict',
    `Your uploaded files take ${megabytes(bytes)} of ${megabytes(MOST_KEPT_BYTES)} MB, and are ${count(files)} of ${count(MOST_KEPT_FILES)}. Delete files that you no longer need under Imports, then upload again. Files are deleted ${KEPT_DAYS} days after their upload${next}.`,
    { fields: { files: String(files), bytes: String(bytes) } },
  );
}

const count = (value: number): string => value.toLocaleString('en-US');
/** Rounded up, so that a full quota looks full. */
const megabytes = (bytes: number): string => count(Math.ceil(bytes / 1_048_576));
