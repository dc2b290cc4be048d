import type { Db } from '#db/client.ts';
import { holdUploader, keptBy } from '#db/queries/catalog/imports.ts';
import { AppError } from '#usecases/app-error.ts';
import { KEPT_DAYS } from './purge-imports.ts';

/** 256 MB, the largest file: two million listings. */
export const MAX_FILE_BYTES = 268_435_456;
/** 2 GB: the space of one user's uploaded files, without rejected rows and samples. */
export const MAX_KEPT_BYTES = 2_147_483_648;
/** More than one file per hour over the retention period. */
export const MAX_KEPT_FILES = 1_000;

/**
 * Rejects what would exceed the user's quota. Called before a file is started and with each part of it, in the
 * transaction that writes: of two simultaneous uploads the second one counts what the first has stored.
 * @param more bytes to add; null for a further file
 * @throws AppError conflict, with what is stored as `fields.files` and `fields.bytes`
 */
export async function requireUploadQuota(tx: Db, userId: string, more: number | null): Promise<void> {
  await holdUploader(tx, userId);
  const { files, bytes, oldest } = await keptBy(tx, userId);
  const fits =
    more === null ? files < MAX_KEPT_FILES && bytes < MAX_KEPT_BYTES : bytes + more <= MAX_KEPT_BYTES;
  if (fits) return;
  const next =
    oldest === null ? '' : `, the oldest of yours from ${new Date(oldest).toISOString().slice(0, 10)}`;
  throw new AppError(
    'conflict',
    `Your uploaded files take ${megabytes(bytes)} of ${megabytes(MAX_KEPT_BYTES)} MB, and are ${count(files)} of ${count(MAX_KEPT_FILES)}. Delete files that you no longer need under Imports, then upload again. Files are deleted ${KEPT_DAYS} days after their upload${next}.`,
    { fields: { files: String(files), bytes: String(bytes) } },
  );
}

const count = (value: number): string => value.toLocaleString('en-US');
/** Rounded up, so that a full quota looks full. */
const megabytes = (bytes: number): string => count(Math.ceil(bytes / 1_048_576));
