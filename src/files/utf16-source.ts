import { type ByteSource, chunkedSource } from './byte-source.ts';

/** How a spreadsheet's "Unicode text" names itself in its first two bytes. */
type Utf16 = 'utf-16le' | 'utf-16be';

const READ_BYTES = 65_536;

/** @returns null for a file that does not begin with the mark of UTF-16, nor with two ASCII characters stored like that */
export function utf16Of(start: Uint8Array): Utf16 | null {
  const [a, b, c, d] = start;
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  // No other text begins with a NUL in every second byte.
  if (a !== 0 && b === 0 && c !== 0 && d === 0) return 'utf-16le';
  return a === 0 && b !== 0 && c === 0 && d !== 0 && d !== undefined ? 'utf-16be' : null;
}

/**
 * A file of UTF-16 as UTF-8, without its mark.
 * @param start what was read of it already
 */
export function utf16Source(source: ByteSource, start: Uint8Array, encoding: Utf16): ByteSource {
  const decoded = chunkedSource(decode(source, start, encoding));
  return { read: (target) => decoded.read(target), close: () => source.close() };
}

async function* decode(source: ByteSource, start: Uint8Array, encoding: Utf16): AsyncGenerator<Buffer> {
  // Half a character must stop the reading: a sign in its place would become part of a code or a name.
  const decoder = new TextDecoder(encoding, { fatal: true });
  yield Buffer.from(decoder.decode(start, { stream: true }));
  const chunk = new Uint8Array(READ_BYTES);
  for (;;) {
    const size = await source.read(chunk);
    if (size === 0) break;
    yield Buffer.from(decoder.decode(chunk.subarray(0, size), { stream: true }));
  }
  yield Buffer.from(decoder.decode());
}
