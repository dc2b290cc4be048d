import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ByteSource, chunkedSource, textSource } from '#files/byte-source.ts';
import { FileError } from '#files/file-error.ts';
import { asMany } from '#tests/support/breadth.ts';
import type { BackupManifest } from './backup-manifest.ts';
import { BackupReader, verifyBackup } from './backup-reader.ts';
import { BackupWriter } from './backup-writer.ts';
import type { ByteSink } from './byte-sink.ts';
import { openedSource, sealedSink } from './sealed-stream.ts';

/** The least that the format accepts: a test derives many keys. */
const COST = 10;

const manifestOf = (tables: readonly string[]): BackupManifest => ({
  format: 1,
  program: '1.3.0',
  schema: { version: 7, name: '0007_seven.sql', checksum: 'a'.repeat(64) },
  takenAt: '2026-11-21T14:05:02.123Z',
  timeZone: 'America/New_York',
  masterKeys: ['0a1b2c3d'],
  tables: tables.map((name) => ({ name, columns: ['id', 'name'] })),
  sequences: [{ name: 'skus_id_seq', lastValue: '9223372036854775807', isCalled: true }],
});

function memorySink(): ByteSink & { readonly bytes: () => Buffer } {
  const parts: Buffer[] = [];
  return {
    write: async (part) => void parts.push(Buffer.from(part)),
    end: async () => undefined,
    bytes: () => Buffer.concat(parts),
  };
}

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

/** The file of a backup whose tables have these parts. */
async function backupOf(tables: readonly (readonly Uint8Array[])[], into = memorySink()): Promise<Buffer> {
  const names = tables.map((_, at) => `table_${at}`);
  const writer = await BackupWriter.begin(into, manifestOf(names));
  for (const [at, parts] of tables.entries()) await writer.table(`table_${at}`, each(parts));
  await writer.finish();
  return into.bytes();
}

async function sealed(bytes: Buffer, passphrase = 'correct horse'): Promise<Buffer> {
  const into = memorySink();
  const sink = await sealedSink(into, passphrase, COST);
  await sink.write(bytes);
  await sink.end();
  return into.bytes();
}

async function opened(bytes: Uint8Array, passphrase = 'correct horse'): Promise<Buffer> {
  return allOf(await openedSource(textSource(bytes), passphrase, 'x.tar.enc'));
}

async function allOf(source: ByteSource): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (;;) {
    const part = Buffer.alloc(1_000);
    const size = await source.read(part);
    if (size === 0) return Buffer.concat(parts);
    parts.push(part.subarray(0, size));
  }
}

const flipped = (bytes: Buffer, at: number, bits: number): Buffer => {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ bits;
  return changed;
};

const Parts = fc.array(fc.array(fc.uint8Array({ minLength: 1, maxLength: 400 }), { maxLength: 3 }), {
  maxLength: 3,
});
const Bits = fc.integer({ min: 1, max: 255 });
const RUNS = { numRuns: asMany(40, 1_000) };

describe('a backup', () => {
  test('is read as it was written, in pieces of any size', async () => {
    await fc.assert(
      fc.asyncProperty(Parts, fc.integer({ min: 1, max: 700 }), async (tables, size) => {
        const bytes = await backupOf(tables);
        const pieces: Buffer[] = [];
        for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
        const reader = await BackupReader.open(chunkedSource(each(pieces)), 'x.tar');
        expect(reader.manifest).toEqual(manifestOf(tables.map((_, at) => `table_${at}`)));
        for (const [at, table] of reader.manifest.tables.entries()) {
          const parts: Buffer[] = [];
          for await (const part of reader.rows(table)) parts.push(part);
          expect(Buffer.concat(parts)).toEqual(Buffer.concat(tables[at] ?? []));
        }
        const sums = await reader.finish();
        expect(sums.map(({ bytes: length }) => length)).toEqual(
          tables.map((parts) => Buffer.concat(parts).length),
        );
      }),
      RUNS,
    );
  });

  test('is read a part ahead of its use', async () => {
    const bytes = await backupOf([[Buffer.from('one\n'), Buffer.from('two\n')]]);
    const second = bytes.indexOf('tables/table_0/000002.gz') + 512;
    let tell: () => void = () => undefined;
    const isAskedFor = new Promise<void>((resolve) => {
      tell = resolve;
    });
    async function* pieces(): AsyncGenerator<Buffer> {
      for (let at = 0; at < bytes.length; at += 512) {
        if (at === second) tell();
        yield bytes.subarray(at, at + 512);
      }
    }
    const reader = await BackupReader.open(chunkedSource(pieces()), 'x.tar');
    const rows = reader.rows({ name: 'table_0', columns: [] });
    expect((await rows.next()).value?.toString()).toBe('one\n');
    await isAskedFor;
    expect((await rows.next()).value?.toString()).toBe('two\n');
    expect((await rows.next()).done).toBe(true);
    expect((await reader.finish()).map(({ bytes: length }) => length)).toEqual([8]);
  });

  test('with any byte changed, cut off anywhere or extended is rejected', async () => {
    await fc.assert(
      fc.asyncProperty(Parts, fc.nat(), Bits, async (tables, place, bits) => {
        const bytes = await backupOf(tables);
        const at = place % bytes.length;
        const spoiled = [
          flipped(bytes, at, bits),
          bytes.subarray(0, at),
          Buffer.concat([bytes, Buffer.of(bits)]),
        ];
        for (const wrong of spoiled)
          await expect(verifyBackup(textSource(wrong), 'x.tar')).rejects.toThrow(FileError);
      }),
      RUNS,
    );
  });

  test('of something else is not one, and neither is an empty file', async () => {
    for (const wrong of ['', 'sku,cost\n', 'x'.repeat(5_000)])
      await expect(verifyBackup(textSource(wrong), 'x.tar')).rejects.toThrow(/x\.tar is not a backup/);
  });

  test('opens with tar and gzip', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'backup-'));
    try {
      const bytes = await backupOf([[Buffer.from('1\tMUG\n'), Buffer.from('2\tLAMP\n')]]);
      await writeFile(join(folder, 'x.tar'), bytes);
      execFileSync('tar', ['-xf', 'x.tar'], { cwd: folder });
      const rows = join(folder, 'tables', 'table_0');
      const parts = await Promise.all((await readdir(rows)).sort().map((name) => readFile(join(rows, name))));
      expect(gunzipSync(Buffer.concat(parts)).toString()).toBe('1\tMUG\n2\tLAMP\n');
      expect(JSON.parse(await readFile(join(folder, 'checksums.json'), 'utf8'))).toMatchObject({
        tables: [{ name: 'table_0', rows: 2, bytes: 13 }],
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('an encrypted stream', () => {
  const CHUNK = 64 * 1024;
  /** Around the ends of chunks, where the last one is decided. */
  const Sizes = fc.oneof(fc.nat(300), fc.constantFrom(CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 2 * CHUNK + 1));
  const bytesOf = (size: number): Buffer => Buffer.alloc(size, 'rows of a table ');

  test('is decrypted as it was, and contains nothing of it', async () => {
    await fc.assert(
      fc.asyncProperty(Sizes, async (size) => {
        const encrypted = await sealed(bytesOf(size));
        expect(encrypted.includes('rows of a table')).toBe(false);
        expect((await opened(encrypted)).equals(bytesOf(size))).toBe(true);
      }),
      RUNS,
    );
  });

  test('with any byte changed, cut off anywhere or extended is rejected', async () => {
    await fc.assert(
      fc.asyncProperty(Sizes, fc.nat(), Bits, async (size, place, bits) => {
        const bytes = await sealed(bytesOf(size));
        const at = place % bytes.length;
        // The cost of the key is bounded, and a higher one takes seconds.
        const changed = at === 16 ? flipped(bytes, at, 0x80) : flipped(bytes, at, bits);
        for (const wrong of [changed, bytes.subarray(0, at), Buffer.concat([bytes, Buffer.of(bits)])])
          await expect(opened(wrong)).rejects.toThrow(FileError);
      }),
      RUNS,
    );
  });

  test('whose chunks were cut off, reordered or repeated is rejected', async () => {
    const bytes = await sealed(bytesOf(2 * CHUNK + 5));
    const start = 65;
    const whole = CHUNK + 16;
    const header = bytes.subarray(0, start);
    const [first, second, last] = [0, 1, 2].map((at) =>
      bytes.subarray(start + at * whole, start + (at + 1) * whole),
    ) as [Buffer, Buffer, Buffer];
    expect((await opened(Buffer.concat([header, first, second, last]))).length).toBe(2 * CHUNK + 5);
    for (const chunks of [
      [first, second],
      [second, first, last],
      [first, first, second, last],
      [first, last],
      [last],
      [],
    ])
      await expect(opened(Buffer.concat([header, ...chunks]))).rejects.toThrow(FileError);
  });

  test('distinguishes a wrong passphrase from damage, before it decrypts', async () => {
    const bytes = await sealed(bytesOf(100));
    await expect(opened(bytes, 'wrong horse')).rejects.toThrow(/does not open with this passphrase/);
    await expect(opened(flipped(bytes, bytes.length - 1, 1))).rejects.toThrow(/is damaged/);
  });

  test('has another key each time', async () => {
    const [one, other] = [await sealed(bytesOf(100)), await sealed(bytesOf(100))];
    expect(one.subarray(65).equals(other.subarray(65))).toBe(false);
  });
});
