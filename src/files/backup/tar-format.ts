/** A tar archive consists of blocks of this size. */
export const TAR_BLOCK = 512;

/** What follows the last entry of an archive. */
export const TAR_END: Buffer = Buffer.alloc(2 * TAR_BLOCK);

/** One file of an archive. */
export interface TarEntry {
  /** At most 100 bytes of ASCII. */
  readonly name: string;
  /** Bytes, less than 8 GB. */
  readonly size: number;
  /** Whole seconds since 1970-01-01 UTC. */
  readonly modifiedAt: number;
}

/**
 * The header block of an entry, as POSIX.1-1988 ("ustar") describes it: a regular file of the user 0, readable by its
 * owner alone. Equal entries have equal headers.
 */
export function tarHeader({ name, size, modifiedAt }: TarEntry): Buffer {
  const header = Buffer.alloc(TAR_BLOCK);
  header.write(name, 0, 100, 'ascii');
  header.write(octal(0o600, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(size, 11), 124);
  header.write(octal(modifiedAt, 11), 136);
  // The checksum counts its own field as spaces.
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\u0000 `, 148);
  return header;
}

/** Reads a header that {@link tarHeader} wrote; null for any other block. */
export function readTarHeader(header: Buffer): TarEntry | null {
  const [name = ''] = header.toString('latin1', 0, 100).split('\0');
  const [size, modifiedAt] = [numberIn(header, 124), numberIn(header, 136)];
  if (size === null || modifiedAt === null || name === '') return null;
  const entry = { name, size, modifiedAt };
  return tarHeader(entry).equals(header) ? entry : null;
}

/** The number of zero bytes that fill an entry's last block. */
export function tarPadding(size: number): number {
  return (TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

function numberIn(header: Buffer, at: number): number | null {
  const text = header.toString('latin1', at, at + 11);
  return /^[0-7]{11}$/.test(text) ? Number.parseInt(text, 8) : null;
}
