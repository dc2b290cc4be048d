const FIRST_BYTES = 1_048_576;
/** The most bytes one UTF-16 unit can take in UTF-8. */
const BYTES_PER_UNIT = 3;

/**
 * Lines that wait to be written, as bytes: strings would stay alive piece by piece until the write, and every
 * round of the garbage collector would carry them along.
 */
export class OutputLines {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  add(line: string): void {
    const needed = this.#length + line.length * BYTES_PER_UNIT;
    if (needed > this.#bytes.length) this.#grow(needed);
    this.#length += this.#bytes.write(line, this.#length, 'utf8');
  }

  /** What was added since the last call. It holds only until the next {@link add}. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }

  #grow(needed: number): void {
    const bytes = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(bytes, 0, 0, this.#length);
    this.#bytes = bytes;
  }
}
