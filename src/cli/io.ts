import type { ByteSource } from '#files/byte-source.ts';

/** The outside world as a command sees it, so that a test can hand in another one. */
export interface CommandIo {
  /** Opens a file for reading; rejects with the system's error. */
  openFile(path: string): Promise<ByteSource>;
  /** Standard input; read at most once. */
  openStdin(): ByteSource;
  /** Writes to standard output; resolves when it is written, and the bytes may change again. */
  writeOut(text: string | Uint8Array): Promise<void>;
  /** Writes to standard error. */
  writeError(text: string): void;
  writeFile(path: string, text: string): Promise<void>;
  /** Whether standard error is a terminal: then progress is shown there. */
  readonly isTerminal: boolean;
  /** The present, in milliseconds since 1970-01-01 UTC. */
  now(): number;
}

/** Takes the progress off a terminal's line before something else is written there. */
export const CLEAR_LINE = '\r\u001b[K';
