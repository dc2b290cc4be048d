import type { Db } from '#db/client.ts';
import type { ImportRow } from '#db/queries/catalog/imports.ts';
import { growImport, insertChunk, readChunk } from '#db/queries/catalog/imports.ts';
import { transact } from '#db/transact.ts';
import { type ByteSource, chunkedSource } from '#files/byte-source.ts';
import { decodedSource } from '#files/text-encoding.ts';
import { AppError } from '#usecases/app-error.ts';
import { MAX_FILE_BYTES } from './upload-quota.ts';

/** Bytes of one stored part. */
const CHUNK_BYTES = 1_048_576;

/** The parts of a stored file, one after another. */
export async function* storedBytes(
  db: Db,
  importId: number,
  part: 'file' | 'rejected',
): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const bytes = await readChunk(db, importId, part, number);
    if (bytes === null) return;
    yield bytes;
  }
}

/** The file of an import as UTF-8 or UTF-16, to be read once. */
export function storedSource(db: Db, { id, layout }: Pick<ImportRow, 'id' | 'layout'>): ByteSource {
  return decodedSource(chunkedSource(storedBytes(db, id, 'file')), layout.encoding ?? 'utf-8');
}

interface StoreLimits {
  /** Bytes. */
  readonly most?: number;
  /** Called in the transaction that stores a part, with its size in bytes. @throws to reject it */
  readonly admit?: (tx: Db, bytes: number) => Promise<void>;
}

const ANY = async (): Promise<void> => undefined;

/**
 * Stores a file as it arrives, part by part: it is never held as a whole, and no transaction waits for the network.
 * @returns its size in bytes
 * @throws AppError payload_too_large, errors of `admit`, and bad_request when the upload is interrupted
 */
export async function storeBytes(
  db: Db,
  importId: number,
  body: AsyncIterable<Uint8Array>,
  { most = MAX_FILE_BYTES, admit = ANY }: StoreLimits = {},
): Promise<number> {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let size = 0;
  let number = 0;
  const flush = async (): Promise<void> => {
    if (waitingBytes > 0) {
      const bytes = Buffer.concat(waiting);
      const at = number++;
      await transact(db, async (tx) => {
        await admit(tx, bytes.length);
        await insertChunk(tx, importId, 'file', at, bytes);
        await growImport(tx, importId, bytes.length);
      });
    }
    waiting = [];
    waitingBytes = 0;
  };
  for await (const chunk of received(body)) {
    size += chunk.length;
    if (size > most) {
      throw new AppError('payload_too_large', 'The file is larger than 256 MB. Split it into several files.');
    }
    waiting.push(chunk);
    waitingBytes += chunk.length;
    if (waitingBytes >= CHUNK_BYTES) await flush();
  }
  await flush();
  return size;
}

/** An interrupted upload must not look like a database error. */
async function* received(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await nextOf(chunks);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}

async function nextOf(chunks: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
  try {
    return await chunks.next();
  } catch {
    throw new AppError('bad_request', 'The upload was interrupted. Try again.');
  }
}
