import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type BackupManifest, type TableSum, written } from './backup-manifest.ts';
import type { ByteSink } from './byte-sink.ts';
import { TAR_END, tarHeader, tarPadding } from './tar-format.ts';

export const MANIFEST_NAME = 'manifest.json';
export const CHECKSUMS_NAME = 'checksums.json';
/** Most bytes of a table in one file of the archive, before compression: what a reader has in memory. */
export const PART_BYTES = 4 * 1024 * 1024;

/** "tables/price_history/000001.gz": a table's parts, one after the other, are one gzip file. */
export function partName(table: string, part: number): string {
  return `tables/${table}/${String(part).padStart(6, '0')}.gz`;
}

const compress = promisify(gzip);
const LINE_END = 0x0a;

/**
 * Writes a backup: a tar archive of the manifest, the rows of every table in PostgreSQL's text format for COPY, gzipped
 * in parts, and checksums. Its size need not be known before, and every tar and gzip program opens it.
 */
export class BackupWriter {
  readonly #sink: ByteSink;
  readonly #modifiedAt: number;
  readonly #sums: TableSum[] = [];
  readonly #hash = createHash('sha256');

  private constructor(sink: ByteSink, { takenAt }: BackupManifest) {
    this.#sink = sink;
    this.#modifiedAt = Math.max(0, Math.floor(Date.parse(takenAt) / 1_000));
  }

  static async begin(sink: ByteSink, manifest: BackupManifest): Promise<BackupWriter> {
    const writer = new BackupWriter(sink, manifest);
    await writer.#entry(MANIFEST_NAME, Buffer.from(written(manifest)));
    return writer;
  }

  /**
   * Writes a table, in the order of the manifest.
   * @param parts its rows, in pieces of at most {@link PART_BYTES} that may end anywhere
   */
  async table(name: string, parts: AsyncIterable<Uint8Array>): Promise<void> {
    const sum = new TableHash(name);
    let previous: Promise<Buffer> | null = null;
    let count = 0;
    const writePrevious = async (): Promise<void> => {
      if (previous === null) return;
      count += 1;
      await this.#entry(partName(name, count), await previous);
    };
    for await (const part of parts) {
      // One part is compressed, on another thread, while the next one is read from the database.
      const next = compress(part);
      next.catch(() => undefined);
      sum.add(part);
      await writePrevious();
      previous = next;
    }
    await writePrevious();
    this.#sums.push(sum.sum());
  }

  /** Writes the checksums and ends the sink. @returns every table as it was written */
  async finish(): Promise<readonly TableSum[]> {
    const checksums = { tables: this.#sums, sha256: this.#hash.digest('hex') };
    const text = Buffer.from(written(checksums));
    await this.#sink.write(this.#framed(CHECKSUMS_NAME, text));
    await this.#sink.write(TAR_END);
    await this.#sink.end();
    return this.#sums;
  }

  async #entry(name: string, content: Buffer): Promise<void> {
    const bytes = this.#framed(name, content);
    this.#hash.update(bytes);
    await this.#sink.write(bytes);
  }

  #framed(name: string, content: Buffer): Buffer {
    const header = tarHeader({ name, size: content.length, modifiedAt: this.#modifiedAt });
    return Buffer.concat([header, content, Buffer.alloc(tarPadding(content.length))]);
  }
}

/** Counts a table's bytes and rows, of which each ends its line, and hashes them. */
export class TableHash {
  readonly #name: string;
  readonly #hash = createHash('sha256');
  #rows = 0;
  #bytes = 0;

  constructor(name: string) {
    this.#name = name;
  }

  add(part: Uint8Array): void {
    this.#hash.update(part);
    this.#bytes += part.length;
    for (let at = part.indexOf(LINE_END); at >= 0; at = part.indexOf(LINE_END, at + 1)) this.#rows += 1;
  }

  sum(): TableSum {
    return {
      name: this.#name,
      rows: this.#rows,
      bytes: this.#bytes,
      sha256: this.#hash.digest('hex'),
    };
  }
}
