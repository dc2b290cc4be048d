import type { BigIntStats } from 'node:fs';
import { lstat, mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FileHeartbeat, KnownHeartbeat } from '#domain/data-rollback.ts';
import { fsyncDirectory } from '#usecases/fsync-directory.ts';

/** The heartbeat file recorded in the database; `file` is null when none is recorded. */
interface KnownFile {
  readonly number: number;
  readonly file: string | null;
}

const FILE_NAME = 'installation.mark';
const CONTENT = /^([\w-]{1,100}) (\d{1,16})\n$/;
/** Milliseconds. File systems record times no finer than a clock tick. */
const CLOCK_TICK = 20;

/**
 * The heartbeat file in a data folder. Each heartbeat writes a new file next to the old one, records its identity in the
 * database and only then replaces the old one, so that the recorded file exists whenever the process is killed.
 */
export class HeartbeatFile {
  readonly #folder: string;
  readonly #file: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#file = join(folder, FILE_NAME);
  }

  /**
   * Reads the file; null when there is none, or its content is invalid.
   * @param known the file recorded in the database; it is activated first if an interrupted heartbeat had not done so
   */
  async read(known: KnownFile | null): Promise<FileHeartbeat | null> {
    if (known !== null) await this.activate(known);
    const found = await find(this.#file);
    if (found === null) return null;
    const content = CONTENT.exec(await readFile(this.#file, 'utf8'));
    if (content === null) return null;
    return { name: content[1] ?? '', number: Number(content[2]), identity: identityOf(found) };
  }

  /** Writes the next file to disk. @returns its identity */
  async prepare({ name, number }: KnownHeartbeat): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const handle = await open(this.#preparedPath(number), 'w', 0o600);
    try {
      await pause(CLOCK_TICK);
      await handle.truncate();
      await handle.writeFile(`${name} ${number}\n`);
      await handle.sync();
      await fsyncDirectory(this.#folder);
      return identityOf(await handle.stat({ bigint: true }));
    } finally {
      await handle.close();
    }
  }

  /** Replaces the current file by the prepared one, if that is still the recorded one. */
  async activate({ number, file }: KnownFile): Promise<void> {
    const prepared = this.#preparedPath(number);
    const found = await find(prepared);
    if (found === null || identityOf(found) !== file) return;
    // Another process with this folder may be doing the same.
    await rename(prepared, this.#file).catch(ignoreMissing);
  }

  /** One name per heartbeat, so that no process can activate a file that another one has not finished. */
  #preparedPath(number: number): string {
    return `${this.#file}.${number}`;
  }
}

/**
 * Inode number and creation time: a copy can get the inode of the file it replaces, but not its creation time. Where the
 * file system reports the last change as creation time, that part is 0: our file is always changed after its creation.
 */
function identityOf({ ino, birthtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino}:${birthtimeNs === ctimeNs ? 0 : birthtimeNs}`;
}

async function find(path: string): Promise<BigIntStats | null> {
  return lstat(path, { bigint: true }).catch(ignoreMissing);
}

function ignoreMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}
