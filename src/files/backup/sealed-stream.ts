import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import type { ByteSource } from '#files/byte-source.ts';
import { FileError } from '#files/file-error.ts';
import type { ByteSink } from './byte-sink.ts';
import { ExactReader } from './exact-reader.ts';

/*
 * A stream under a passphrase: a header, then chunks of AES-256-GCM as in "Online Authenticated-Encryption and its
 * Nonce-Reuse Misuse-Resistance" (STREAM; Hoang, Reyhanitabar, Rogaway, Vizár, 2015). The nonce of a chunk is its number
 * and whether it is the last, so that a chunk that is missing, moved, repeated or added does not decrypt. The key is
 * scrypt's of passphrase and a random salt, so no key is used for two files.
 */

/** 16 bytes. */
export const SEALED_MAGIC: Buffer = Buffer.from('pricewright-enc1');
const SALT_BYTES = 16;
const MAC_BYTES = 32;
const HEADER_BYTES = SEALED_MAGIC.length + 1 + SALT_BYTES + MAC_BYTES;
const TAG_BYTES = 16;
const CHUNK_BYTES = 64 * 1024;
/** Binary logarithm of scrypt's cost: 128 MB of memory, which OWASP recommends at least for passwords. */
const COST = 17;
/** A file may not ask for more memory than 1 GB, nor for a key that is easily guessed. */
const COSTS = { lowest: 10, highest: 20 };

interface Keys {
  readonly cipher: Buffer;
  /** Proves that the passphrase is right, before anything is decrypted. */
  readonly mac: Buffer;
}

/**
 * Encrypts all that is written to it, into another sink.
 * @param cost binary logarithm of scrypt's cost; lower only in tests
 */
export async function sealedSink(sink: ByteSink, passphrase: string, cost = COST): Promise<ByteSink> {
  const start = Buffer.concat([SEALED_MAGIC, Buffer.of(cost), randomBytes(SALT_BYTES)]);
  const keys = await keysOf(passphrase, start);
  const header = Buffer.concat([start, macOf(keys, start)]);
  await sink.write(header);
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let length = 0;
  let number = 0;
  const flush = async (isLast: boolean): Promise<void> => {
    const cipher = createCipheriv('aes-256-gcm', keys.cipher, nonceOf(number, isLast)).setAAD(header);
    number += 1;
    const sealed = [cipher.update(chunk.subarray(0, length)), cipher.final()];
    await sink.write(Buffer.concat([...sealed, cipher.getAuthTag()]));
    chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    length = 0;
  };
  return {
    write: async (bytes) => {
      for (let at = 0; at < bytes.length; ) {
        // A full chunk waits for the next byte: it may be the last one.
        if (length === CHUNK_BYTES) await flush(false);
        const part = bytes.subarray(at, at + CHUNK_BYTES - length);
        chunk.set(part, length);
        length += part.length;
        at += part.length;
      }
    },
    end: async () => {
      await flush(true);
      await sink.end();
    },
  };
}

/**
 * Decrypts what {@link sealedSink} wrote, and checks the passphrase first.
 * @param label the file's name, for errors
 * @returns the decrypted bytes; reading throws a FileError where the file was changed or cut off
 * @throws FileError for a wrong passphrase
 */
export async function openedSource(
  source: ByteSource,
  passphrase: string,
  label: string,
): Promise<ByteSource> {
  const reader = new ExactReader(source);
  const header = await reader.upTo(HEADER_BYTES);
  const start = header.subarray(0, HEADER_BYTES - MAC_BYTES);
  const cost = header[SEALED_MAGIC.length] ?? 0;
  const isHeader =
    header.length === HEADER_BYTES && header.subarray(0, SEALED_MAGIC.length).equals(SEALED_MAGIC);
  if (!isHeader || cost < COSTS.lowest || cost > COSTS.highest) throw damaged(label);
  const keys = await keysOf(passphrase, start);
  if (!timingSafeEqual(macOf(keys, start), header.subarray(-MAC_BYTES))) {
    throw new FileError(`${label} does not open with this passphrase. Check the passphrase.`);
  }
  let number = 0;
  let next = await reader.upTo(CHUNK_BYTES + TAG_BYTES);
  let open: Buffer = Buffer.alloc(0);
  let isOver = false;
  const advance = async (): Promise<void> => {
    const sealed = next;
    next = await reader.upTo(CHUNK_BYTES + TAG_BYTES);
    isOver = next.length === 0;
    open = openedChunk(keys, header, sealed, nonceOf(number, isOver), label);
    number += 1;
  };
  return {
    read: async (target) => {
      while (open.length === 0) {
        if (isOver) return 0;
        await advance();
      }
      const size = Math.min(open.length, target.length);
      target.set(open.subarray(0, size));
      open = open.subarray(size);
      return size;
    },
    close: () => source.close(),
  };
}

function openedChunk(keys: Keys, header: Buffer, sealed: Buffer, nonce: Buffer, label: string): Buffer {
  if (sealed.length < TAG_BYTES) throw damaged(label);
  try {
    const decipher = createDecipheriv('aes-256-gcm', keys.cipher, nonce, { authTagLength: TAG_BYTES })
      .setAAD(header)
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    throw damaged(label);
  }
}

function damaged(label: string): FileError {
  return new FileError(
    `${label} is damaged: it was changed or its end is missing. Use another copy of it, or an earlier backup.`,
  );
}

/** 88 bits of number, then whether it is the last. */
function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

function macOf({ mac }: Keys, start: Buffer): Buffer {
  return createHmac('sha256', mac).update(start).digest();
}

/** @param start the header up to its salt */
async function keysOf(passphrase: string, start: Buffer): Promise<Keys> {
  const cost = 2 ** (start[SEALED_MAGIC.length] ?? 0);
  const options = { N: cost, r: 8, p: 1, maxmem: 2 * 128 * 8 * cost };
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), start.subarray(-SALT_BYTES), 64, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
  return { cipher: bytes.subarray(0, 32), mac: bytes.subarray(32) };
}
