import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { insertImport } from '#db/queries/catalog/imports.ts';
import { instant } from '#domain/units.ts';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import { storeBytes, storedBytes } from './stored-bytes.ts';

let database: RecycledDatabase;
let db: Db;
beforeAll(async () => {
  database = await borrowDatabase();
  db = database.open.db;
});
afterAll(async () => {
  await database.giveBack();
});

const begin = () =>
  insertImport(db, {
    kind: 'skus',
    fileName: 'x.csv',
    createdById: null,
    createdBy: 'Ann',
    createdAt: instant(0),
  });
async function* chunks(count: number, bytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < count; at += 1) yield Buffer.alloc(bytes, at);
}
async function whole(id: number): Promise<{ parts: number; bytes: Buffer }> {
  const parts: Buffer[] = [];
  for await (const part of storedBytes(db, id, 'file')) parts.push(part);
  return { parts: parts.length, bytes: Buffer.concat(parts) };
}

test('a file is stored in parts of 1 MB and read back byte by byte', async () => {
  const id = await begin();
  expect(await storeBytes(db, id, chunks(50, 65_536))).toBe(50 * 65_536);
  const stored = await whole(id);
  expect(stored.parts).toBe(4);
  expect(
    stored.bytes.equals(Buffer.concat(Array.from({ length: 50 }, (_none, at) => Buffer.alloc(65_536, at)))),
  ).toBe(true);
});

test('a file that is too large, and an interrupted one, are rejected', async () => {
  await expect(storeBytes(db, await begin(), chunks(3, 10), { most: 29 })).rejects.toMatchObject({
    code: 'payload_too_large',
  });
  expect(await storeBytes(db, await begin(), chunks(3, 10), { most: 30 })).toBe(30);
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from('sku');
    throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  }
  await expect(storeBytes(db, await begin(), broken())).rejects.toMatchObject({
    code: 'bad_request',
    message: 'The upload was interrupted. Try again.',
  });
});
