/** Bytes that are read once, from front to back: a file, a pipe, a request. */
export interface ByteSource {
  /**
   * Reads the next bytes into `target`.
   * @returns how many were read; 0 at the end
   */
  read(target: Uint8Array): Promise<number>;
  close(): Promise<void>;
}

/** The bytes of a stream that comes in chunks of any size. */
export function chunkedSource(chunks: AsyncIterable<Uint8Array>): ByteSource {
  const iterator = chunks[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);
  return {
    async read(target) {
      while (rest.length === 0) {
        const next = await iterator.next();
        if (next.done === true) return 0;
        rest = next.value;
      }
      const size = Math.min(rest.length, target.length);
      target.set(rest.subarray(0, size));
      rest = rest.subarray(size);
      return size;
    },
    async close() {
      await iterator.return?.();
    },
  };
}

/** The bytes of a text, for tests and for what is already in memory. */
export function textSource(text: string | Uint8Array): ByteSource {
  let rest = typeof text === 'string' ? Buffer.from(text) : text;
  return {
    async read(target) {
      const size = Math.min(rest.length, target.length);
      target.set(rest.subarray(0, size));
      rest = rest.subarray(size);
      return size;
    },
    async close() {
      rest = rest.subarray(rest.length);
    },
  };
}
