import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * A temporary file that no other process can find: its name is removed as soon as it is open, so the system takes it
 * back when the process ends, however it ends.
 */
export class ScratchFile {
  readonly #handle: number;
  #length = 0;

  constructor() {
    const folder = mkdtempSync(path.join(tmpdir(), 'pricewright-'));
    try {
      this.#handle = openSync(path.join(folder, 'scratch'), 'wx+', 0o600);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** In bytes. */
  get length(): number {
    return this.#length;
  }

  append(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(this.#handle, bytes, done, bytes.length - done, this.#length + done);
    }
    this.#length += bytes.length;
  }

  /** Fills `target` from a place in the file. @returns how many bytes there were */
  read(target: Uint8Array, place: number): number {
    let done = 0;
    while (done < target.length) {
      const size = readSync(this.#handle, target, done, target.length - done, place + done);
      if (size === 0) break;
      done += size;
    }
    return done;
  }

  close(): void {
    closeSync(this.#handle);
  }
}
