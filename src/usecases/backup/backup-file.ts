import { type FileHandle, open } from 'node:fs/promises';
import type { ByteSink } from '#files/backup/byte-sink.ts';
import { openedSource, SEALED_MAGIC } from '#files/backup/sealed-stream.ts';
import type { ByteSource } from '#files/byte-source.ts';
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
 * @param passphrase used only for an encrypted file
 * @throws FileError when it cannot be read, or needs another passphrase
 */
export async function openBackup(path: string, passphrase: string | null): Promise<ByteSource> {
  const handle = await opened(path);
  try {
    const start = Buffer.alloc(SEALED_MAGIC.length);
    const { bytesRead } = await handle.read(start, 0, start.length, 0);
    const source = sourceOf(handle);
    if (!start.subarray(0, bytesRead).equals(SEALED_MAGIC)) return source;
    if (passphrase !== null) return await openedSource(source, passphrase, path);
    throw new FileError(
      `${path} is encrypted. Give its passphrase with --passphrase-file FILE, or in PRICEWRIGHT_BACKUP_PASSPHRASE.`,
    );
  } catch (error) {
    await handle.close();
    throw error;
  }
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

function sourceOf(handle: FileHandle): ByteSource {
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
