import { type FileHandle, open } from 'node:fs/promises';
import type { ByteSink } from '#files/backup/byte-sink.ts';
import { ExactReader } from '#files/backup/exact-reader.ts';
import { openedSource, SEALED_MAGIC } from '#files/backup/sealed-stream.ts';
import { type ByteSource, textSource } from '#files/byte-source.ts';
import { FileError } from '#files/file-error.ts';

/**
 * A new file, readable by its owner alone; its bytes are on the disk once it has ended.
 * @param signal aborted: a write throws its reason
 */
export async function newFileSink(
  path: string,
  signal?: AbortSignal,
): Promise<ByteSink & { close(): Promise<void> }> {
  const handle = await open(path, 'wx', 0o600);
  return {
    write: async (bytes) => {
      signal?.throwIfAborted();
      for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten;
    },
    end: () => handle.sync(),
    close: () => handle.close(),
  };
}

/**
 * Opens a backup, encrypted or not.
 * @param label its name, for errors
 * @param passphrase used only for an encrypted file
 * @param bytes opens its bytes; by default the label is the path of a file
 * @throws FileError when it cannot be read, or needs another passphrase
 */
export async function openBackup(
  label: string,
  passphrase: string | null,
  bytes: () => Promise<ByteSource> = () => openFile(label),
): Promise<ByteSource> {
  const source = await bytes();
  try {
    const start = await new ExactReader(source).upTo(SEALED_MAGIC.length);
    const whole = withStart(start, source);
    if (!start.equals(SEALED_MAGIC)) return whole;
    if (passphrase !== null) return await openedSource(whole, passphrase, label);
    throw new FileError(
      `${label} is encrypted. Give its passphrase with --passphrase-file FILE, or in PRICEWRIGHT_BACKUP_PASSPHRASE.`,
    );
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** A source whose first bytes were read. */
function withStart(start: Buffer, source: ByteSource): ByteSource {
  const first = textSource(start);
  return {
    read: async (target) => (await first.read(target)) || source.read(target),
    close: () => source.close(),
  };
}

async function openFile(path: string): Promise<ByteSource> {
  const handle = await opened(path);
  let at = 0;
  return {
    read: async (target) => {
      const { bytesRead } = await handle.read(target, 0, target.length, at);
      at += bytesRead;
      return bytesRead;
    },
    close: () => handle.close(),
  };
}

async function opened(path: string): Promise<FileHandle> {
  try {
    const handle = await open(path);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new FileError(`${path} cannot be read${code}. Check its name and who may read it.`);
  }
  throw new FileError(`${path} is not a file. Name a file that "pricewright backup" made.`);
}
