import { isAscii } from 'node:buffer';
import { type ByteSource, chunkedSource } from './byte-source.ts';

/** How the characters of a file without UTF-16 are stored. */
export const TEXT_ENCODINGS = ['utf-8', 'windows-1252'] as const;
export type TextEncoding = (typeof TEXT_ENCODINGS)[number];

/**
 * The characters of the bytes 0x80 to 0x9f (https://encoding.spec.whatwg.org/index-windows-1252.txt); \0 for the five
 * bytes that are none. By hand: the decoder of some releases of Node.js reads these bytes as ISO 8859-1.
 */
const HIGH =
  '\u20ac\0\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\0\u017d\0\0\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\0\u017e\u0178';

/** Finds out, chunk by chunk, whether a file is UTF-8 or what spreadsheets on Windows save without asking. */
export class EncodingSniffer {
  #expected = 0;
  #hasUtf8 = false;
  #hasOther = false;
  #hasNoCharacter = false;

  add(chunk: Uint8Array): void {
    if (this.#expected === 0 && isAscii(chunk)) return;
    for (const byte of chunk) this.#take(byte);
  }

  /**
   * Windows-1252 only where no character of the file is UTF-8 and every byte is a character: in a file with both, rows
   * that are not UTF-8 are damaged, and stay rejected.
   */
  get encoding(): TextEncoding {
    const isOther = this.#hasOther || this.#expected > 0;
    return isOther && !this.#hasUtf8 && !this.#hasNoCharacter ? 'windows-1252' : 'utf-8';
  }

  #take(byte: number): void {
    // A NUL is half a character of UTF-16.
    if (byte === 0 || HIGH[byte - 0x80] === '\0') this.#hasNoCharacter = true;
    const isContinuation = byte >= 0x80 && byte <= 0xbf;
    if (this.#expected > 0) {
      if (isContinuation) {
        this.#expected -= 1;
        if (this.#expected === 0) this.#hasUtf8 = true;
        return;
      }
      this.#hasOther = true;
      this.#expected = 0;
    }
    if (byte < 0x80) return;
    if (byte >= 0xc2 && byte <= 0xf4) this.#expected = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
    else this.#hasOther = true;
  }
}

/** A file of this encoding as UTF-8. */
export function decodedSource(source: ByteSource, encoding: TextEncoding): ByteSource {
  if (encoding === 'utf-8') return source;
  const decoded = chunkedSource(decode(source));
  return { read: (target) => decoded.read(target), close: () => source.close() };
}

const READ_BYTES = 65_536;

async function* decode(source: ByteSource): AsyncGenerator<Buffer> {
  const chunk = Buffer.alloc(READ_BYTES);
  for (;;) {
    const size = await source.read(chunk);
    if (size === 0) return;
    // Characters above 0x9f are the same in both.
    const text = chunk.toString('latin1', 0, size);
    yield Buffer.from(text.replace(/[\x80-\x9f]/g, (sign) => HIGH[sign.charCodeAt(0) - 0x80] ?? sign));
  }
}
