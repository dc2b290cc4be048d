import type { ByteSource } from '#files/byte-source.ts';

/** Reads exact numbers of bytes from a source. */
export class ExactReader {
  readonly #source: ByteSource;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** The next bytes; fewer only at the end of the source. */
  async upTo(size: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(size);
    let length = 0;
    while (length < size) {
      const read = await this.#source.read(bytes.subarray(length));
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  }
}
