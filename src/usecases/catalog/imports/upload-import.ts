import type { ImportKind } from '#contract/imports.ts';
import type { Db } from '#db/client.ts';
import { asProgram } from '#db/permitted.ts';
import {
  changeImport,
  copyFile,
  deleteImport,
  findImport,
  growImport,
  type ImportRow,
  insertImport,
} from '#db/queries/catalog/imports.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import { FileError } from '#files/file-error.ts';
import { EncodingSniffer, type TextEncoding } from '#files/text-encoding.ts';
import { AppError } from '#usecases/app-error.ts';
import type { StartJobDeps } from '#usecases/background/job-handler.ts';
import { actedBy } from '#usecases/editor.ts';
import { applyColumns, chooseColumns, lacksMarketplace, missingColumns } from './column-choice.ts';
import { requireRole, type Uploader } from './import-roles.ts';
import { openQuestions } from './open-questions.ts';
import { readFile } from './read-file.ts';
import { rememberedChoice } from './remembered-choice.ts';
import { requireImport } from './require-import.ts';
import { startCheck } from './start-check.ts';
import { storeBytes } from './stored-bytes.ts';
import { requireUploadQuota } from './upload-quota.ts';

/** What a file is imported as. */
interface Upload {
  readonly kind: ImportKind;
  readonly fileName: string;
  readonly by: Uploader;
}

/**
 * Stores a file and reads its header, its first rows and the number formats of all rows. Starts its check when every
 * column is clear; writes nothing else.
 * @throws AppError not_allowed for fees without the role; validation_failed with a sentence for a file that is not CSV;
 *   conflict when the user's quota is full
 */
export async function uploadImport(
  deps: StartJobDeps,
  upload: Upload,
  body: AsyncIterable<Uint8Array>,
): Promise<ImportRow> {
  const admit = (tx: Db, bytes: number): Promise<void> => requireUploadQuota(tx, upload.by.id, bytes);
  const sniffer = new EncodingSniffer();
  return addImport(deps, upload, async (id) => {
    const size = await storeBytes(deps.db, id, sniffed(body, sniffer), { admit });
    return { size, encoding: sniffer.encoding };
  });
}

async function* sniffed(
  body: AsyncIterable<Uint8Array>,
  sniffer: EncodingSniffer,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    sniffer.add(chunk);
    yield chunk;
  }
}

/**
 * Imports the file of an import again as another kind of rows, such as the costs in a file of listings.
 * @throws AppError not_found; otherwise as {@link uploadImport}
 */
export async function importAgain(
  deps: StartJobDeps,
  from: number,
  upload: Omit<Upload, 'fileName'>,
): Promise<ImportRow> {
  const { fileName, size, kind, layout } = await requireImport(deps, from);
  requireRole(kind, upload.by);
  return addImport(deps, { ...upload, fileName }, async (id) => {
    await transact(deps.db, async (tx) => {
      await requireUploadQuota(tx, upload.by.id, size);
      await copyFile(tx, from, id);
      await growImport(tx, id, size);
    });
    return { size, encoding: layout.encoding ?? 'utf-8' };
  });
}

/** A stored file. */
interface Stored {
  /** Bytes. */
  readonly size: number;
  readonly encoding: TextEncoding;
}

async function addImport(
  deps: StartJobDeps,
  upload: Upload,
  store: (id: number) => Promise<Stored>,
): Promise<ImportRow> {
  const { db, now } = deps;
  const { kind, by } = upload;
  requireRole(kind, by);
  const fileName = upload.fileName.split(/[/\\]/).at(-1)?.trim() || 'upload.csv';
  const file = { kind, fileName, createdById: by.id, createdBy: by.name, createdAt: now() };
  const id = await transact(db, async (tx) => {
    await requireUploadQuota(tx, by.id, null);
    return insertImport(tx, file);
  });
  try {
    const { size, encoding } = await store(id);
    const { header, separator, rawQuotes, preview, numbers, layout } = await readFile(
      db,
      { id, kind, fileName },
      encoding,
    );
    const earlier = await rememberedChoice(db, { kind, header, separator });
    const unasked = { kind, header, preview, numbers, separator, asked: earlier?.answered ?? [] };
    const fresh = chooseColumns(unasked);
    // Without it these would be Walmart's listings.
    const isOpen = lacksMarketplace(unasked, (earlier ?? fresh).mapping);
    const asked = [...new Set([...unasked.asked, ...(isOpen ? ['marketplace'] : [])])];
    const unchosen = { ...unasked, asked };
    const { guessed, ...chosen } = earlier === null ? fresh : applyColumns(fresh, earlier.mapping, unchosen);
    const remembered = earlier === null ? null : { by: earlier.by, at: earlier.at };
    await transact(db, async (tx) => {
      const chosenFrom = { guessed, remembered, separator, asked };
      await changeImport(tx, id, {
        ...chosen,
        chosenFrom,
        size,
        header,
        preview,
        numbers,
        layout,
        rawQuotes,
        state: 'uploaded',
      });
      await insertAudit(tx, {
        ...actedBy(by, now()),
        action: 'import.uploaded',
        targetKind: 'import',
        targetId: String(id),
        after: { kind, fileName, bytes: size },
      });
    });
    const sampled = { ...unchosen, mapping: chosen.mapping };
    const isClear =
      guessed.length === 0 &&
      missingColumns(kind, chosen, asked).length === 0 &&
      openQuestions(sampled, chosen.readings).length === 0;
    if (isClear) await startCheck(deps, id, by);
  } catch (error) {
    await asProgram(() => transact(db, (tx) => deleteImport(tx, id)));
    if (error instanceof FileError) throw new AppError('validation_failed', sentence(error));
    throw error;
  }
  const row = await findImport(db, id);
  if (row === null) throw new Error('An upload is missing right after it was stored.');
  return row;
}

/** The message of an error as a sentence. */
export function sentence({ message }: FileError): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
