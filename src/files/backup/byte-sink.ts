/** Takes bytes in order. A call resolves when they are taken, and they may change again. */
export interface ByteSink {
  write(bytes: Uint8Array): Promise<void>;
  /** After the last byte. Without it, what was written is not whole. */
  end(): Promise<void>;
}
