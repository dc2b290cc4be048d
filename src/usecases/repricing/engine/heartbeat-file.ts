import type { BigIntStats } from 'node:fs';
import { lstat, mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FileHeartbeat, KnownHeartbeat } from '#domain/data-rollback.ts';
import { fsyncDirectory } from '#usecases/fsync-directory.ts';

/** The file of a heartbeat as the database knows it; null where it knows none. */
interface KnownFile {
  readonly number: number;
  readonly file: string | null;
}

const FILE_NAME = 'installation.mark';
const CONTENT = /^([\w-]{1,100}) (\d{1,16})\n$/;
/** Milliseconds. File systems note their times no finer than a clock tick. */
const CLOCK_TICK = 20;

/**
 * The mark in a data folder. Each heartbeat makes it anew beside the old one, lets the database know which file it will
 * be, and only then puts it in its place: whenever the process is killed, the file that the database knows is there.
 */
export class HeartbeatFile {
  readonly #folder: string;
  readonly #file: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#file = join(folder, FILE_NAME);
  }

  /**
   * The file, where there is one that can be understood.
   * @param known number and file that the database knows: it is put in its place if a heartbeat was cut off before it did
   */
  async read(known: KnownFile | null): Promise<FileHeartbeat | null> {
    if (known !== null) await this.putInForce(known);
    const found = await find(this.#file);
    if (found === null) return null;
    const content = CONTENT.exec(await readFile(this.#file, 'utf8'));
    if (content === null) return null;
    return { name: content[1] ?? '', number: Number(content[2]), identity: identityOf(found) };
  }

  /** Writes the next one to the disk. @returns which file it is */
  async prepare({ name, number }: KnownHeartbeat): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const handle = await open(this.#comingOf(number), 'w', 0o600);
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

  /** Puts the one that was prepared in the place of the old one, if it is still this one. */
  async putInForce({ number, file }: KnownFile): Promise<void> {
    const coming = this.#comingOf(number);
    const found = await find(coming);
    if (found === null || identityOf(found) !== file) return;
    // Another process of this folder may be doing the same.
    await rename(coming, this.#file).catch(unlessGone);
  }

  /** A name of its own for each heartbeat: nobody can put one in its place that another process has not finished. */
  #comingOf(number: number): string {
    return `${this.#file}.${number}`;
  }
}

/**
 * Numbers of files are used again, so that a copy may come by the number of what it replaces; it cannot come by the
 * moment when that was made. Systems that do not know this moment give the last change instead, which is none: ours is
 * always changed a while after it was made.
 */
function identityOf({ ino, birthtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino}:${birthtimeNs === ctimeNs ? 0 : birthtimeNs}`;
}

async function find(path: string): Promise<BigIntStats | null> {
  return lstat(path, { bigint: true }).catch(unlessGone);
}

function unlessGone(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}
