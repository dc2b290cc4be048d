import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { ByteSource } from '#files/byte-source.ts';
import { FileError } from '#files/file-error.ts';
import {
  type BackupManifest,
  type BackupTable,
  parseChecksums,
  parseManifest,
  type TableSum,
  written,
} from './backup-manifest.ts';
import { CHECKSUMS_NAME, MANIFEST_NAME, PART_BYTES, partName, TableHash } from './backup-writer.ts';
import { ExactReader } from './exact-reader.ts';
import { readTarHeader, TAR_BLOCK, TAR_END, type TarEntry, tarPadding } from './tar-format.ts';

const decompress = promisify(gunzip);
/** More than a part of random bytes takes, or than the manifest of a thousand tables. */
const MAX_ENTRY_BYTES = 2 * PART_BYTES;

/**
 * Reads what {@link BackupWriter} wrote, front to back. Every byte is checked: a file that was changed, cut off or
 * extended anywhere is rejected, at the latest by {@link finish}.
 */
export class BackupReader {
  readonly manifest: BackupManifest;
  readonly #entries: Entries;
  readonly #sums: TableSum[] = [];

  private constructor(entries: Entries, manifest: BackupManifest) {
    this.#entries = entries;
    this.manifest = manifest;
  }

  /**
   * Reads the manifest.
   * @param label the file's name, for errors
   * @throws FileError for a file that is not a backup
   */
  static async open(source: ByteSource, label: string): Promise<BackupReader> {
    const entries = new Entries(source, label);
    const header = await entries.next();
    if (header?.name !== MANIFEST_NAME) throw entries.foreign();
    const manifest = parseManifest((await entries.content()).toString('utf8'));
    if (manifest === null) throw entries.damaged('its manifest is not readable');
    return new BackupReader(entries, manifest);
  }

  /**
   * The rows of the next table of the manifest, as they were written. Read all of it before the next table.
   * @throws FileError for a damaged file
   */
  async *rows({ name }: BackupTable): AsyncGenerator<Buffer, void> {
    const sum = new TableHash(name);
    let next = this.#part(name, 1);
    for (let part = 2; ; part += 1) {
      const bytes = await next;
      if (bytes === null) break;
      // It is read and decompressed, on another thread, while the caller works on this one.
      next = this.#part(name, part);
      next.catch(() => undefined);
      sum.add(bytes);
      yield bytes;
    }
    this.#sums.push(sum.sum());
  }

  /** Null when the table has no such part. */
  async #part(table: string, part: number): Promise<Buffer | null> {
    if ((await this.#entries.next())?.name !== partName(table, part)) return null;
    return this.#unpacked(await this.#entries.content(), table);
  }

  /**
   * Checks the end of the file and every checksum, after the last table.
   * @returns every table as it was read
   * @throws FileError for a damaged file
   */
  async finish(): Promise<readonly TableSum[]> {
    const entries = this.#entries;
    if ((await entries.next())?.name !== CHECKSUMS_NAME) throw entries.damaged('a file in it is unexpected');
    const sha256 = entries.hashSoFar();
    const checksums = parseChecksums((await entries.content()).toString('utf8'));
    await entries.end();
    if (checksums === null) throw entries.damaged('its checksums are not readable');
    const expected = written({ tables: checksums.tables, sha256: '' });
    if (written({ tables: this.#sums, sha256: '' }) !== expected || checksums.sha256 !== sha256)
      throw entries.damaged('its checksums do not fit');
    return this.#sums;
  }

  async #unpacked(bytes: Buffer, table: string): Promise<Buffer> {
    try {
      return await decompress(bytes, { maxOutputLength: PART_BYTES });
    } catch {
      throw this.#entries.damaged(`the rows of ${table} cannot be decompressed`);
    }
  }
}

/** The files of an archive, one after the other. */
class Entries {
  readonly #reader: ExactReader;
  readonly #label: string;
  readonly #hash = createHash('sha256');
  /** The header that was read last, until its content is. */
  #header: { readonly entry: TarEntry; readonly block: Buffer } | null = null;
  #first = true;

  constructor(source: ByteSource, label: string) {
    this.#reader = new ExactReader(source);
    this.#label = label;
  }

  /** The next header. Until its content is read, it is the same one. Null when the first block is not a header. */
  async next(): Promise<TarEntry | null> {
    if (this.#header === null) {
      const block = await this.#exactly(TAR_BLOCK);
      const entry = readTarHeader(block);
      if (entry === null || entry.size > MAX_ENTRY_BYTES) {
        if (this.#first) return null;
        throw this.damaged('a file in it has no valid header');
      }
      this.#header = { entry, block };
    }
    this.#first = false;
    return this.#header.entry;
  }

  /** The content of the file whose header is next. */
  async content(): Promise<Buffer> {
    const header = this.#header;
    if (header === null) throw new Error('There is no header to read the content of.');
    const { size } = header.entry;
    const padding = tarPadding(size);
    const bytes = await this.#exactly(size + padding);
    if (!bytes.subarray(size).equals(Buffer.alloc(padding))) throw this.damaged('a file in it is too long');
    this.#hash.update(header.block).update(bytes);
    this.#header = null;
    return bytes.subarray(0, size);
  }

  /** Of all files whose content was read, in hex. */
  hashSoFar(): string {
    return this.#hash.copy().digest('hex');
  }

  async end(): Promise<void> {
    const rest = await this.#reader.upTo(TAR_END.length + 1);
    if (rest.length < TAR_END.length) throw this.#cutOff();
    if (!rest.equals(TAR_END)) throw this.damaged('something follows its end');
  }

  foreign(): FileError {
    return new FileError(
      `${this.#label} is not a backup of Pricewright. Choose a file that "pricewright backup" made.`,
    );
  }

  damaged(what: string): FileError {
    return new FileError(`${this.#label} is damaged: ${what}. Use another copy of it, or an earlier backup.`);
  }

  async #exactly(size: number): Promise<Buffer> {
    const bytes = await this.#reader.upTo(size);
    if (bytes.length === size) return bytes;
    throw this.#first ? this.foreign() : this.#cutOff();
  }

  #cutOff(): FileError {
    return this.damaged('its end is missing');
  }
}

/**
 * Reads a whole backup without keeping its rows.
 * @throws FileError for a file that is not a backup, or damaged
 */
export async function verifyBackup(
  source: ByteSource,
  label: string,
  accept: (manifest: BackupManifest) => Promise<void> | void = () => undefined,
): Promise<{ readonly manifest: BackupManifest; readonly sums: readonly TableSum[] }> {
  const reader = await BackupReader.open(source, label);
  await accept(reader.manifest);
  for (const table of reader.manifest.tables) {
    for await (const _ of reader.rows(table));
  }
  return { manifest: reader.manifest, sums: await reader.finish() };
}
