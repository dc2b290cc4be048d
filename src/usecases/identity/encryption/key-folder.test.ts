import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newScratchFolder } from '#tests/support/scratch-folder.ts';
import { keyInFolder } from './key-folder.ts';
import { configuredKey, parseKey } from './secret-keys.ts';

const HEX = 'ab'.repeat(32);

let folder: string;
beforeEach(async () => {
  folder = await newScratchFolder('keys');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the key file', () => {
  test('is created when it is first needed, readable by its owner alone', async () => {
    const keys = keyInFolder(join(folder, 'data'));
    expect(await keys.current()).toBeNull();
    const made = await keys.forWriting();
    const file = join(folder, 'data', 'secret.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
    expect(readFileSync(file, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
    expect(readdirSync(join(folder, 'data'))).toEqual(['secret.key']);
    expect(await keys.current()).toEqual(made);
  });

  test('is the same for all processes that create it at once', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, async () => keyInFolder(folder).forWriting()));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(readdirSync(folder)).toEqual(['secret.key']);
  });

  test('copied by a process that was killed is deleted by the next key rotation', async () => {
    const keys = keyInFolder(folder);
    await keys.forWriting();
    const copies = ['secret.key.0123456789ab', 'secret.key.next.0123456789ab'];
    for (const copy of [...copies, 'secret.key.of-mine']) writeFileSync(join(folder, copy), HEX);
    await keys.next();
    await keys.putNextInForce();
    await keys.forgetOlder();
    expect(readdirSync(folder).sort()).toEqual(['secret.key', 'secret.key.of-mine']);
  });

  test('with other content is not changed, and the error names it', async () => {
    const file = join(folder, 'secret.key');
    writeFileSync(file, 'not a key');
    await expect(keyInFolder(folder).forWriting()).rejects.toThrow(
      `${file} does not contain a key of 32 bytes`,
    );
    expect(readFileSync(file, 'utf8')).toBe('not a key');
  });

  test('that cannot be written gives an error with the cause', async () => {
    const notAFolder = join(folder, 'file');
    writeFileSync(notAFolder, '');
    await expect(keyInFolder(notAFolder).forWriting()).rejects.toThrow(
      /cannot (read|write) .*secret\.key.*PRICEWRIGHT_SECRET_KEY/,
    );
    expect(existsSync(join(notAFolder, 'secret.key'))).toBe(false);
  });
});

describe('a key as text', () => {
  test('hex and base64 of the same 32 bytes are the same key', async () => {
    const bytes = Buffer.from(HEX, 'hex');
    for (const text of [HEX, HEX.toUpperCase(), bytes.toString('base64'), bytes.toString('base64url')]) {
      expect(parseKey(` ${text}\n`)).toEqual(bytes);
    }
    expect(await configuredKey(bytes).current()).toEqual(await configuredKey(bytes).forWriting());
  });

  test.each(['', 'short', HEX.slice(2), `${HEX}00`, 'a password that a user chose'])(
    '%j is not a key',
    (text) => {
      expect(parseKey(text)).toBeNull();
    },
  );
});
