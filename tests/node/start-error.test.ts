import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { diskFull } from '#db/embedded/embedded-postgres-error.ts';
import { StartError, sentenceOf } from '#src/bootstrap/start-error.ts';
import { SecretError } from '#usecases/identity/encryption/secret-box.ts';

const FULL = /^A disk is full \(.+\): free some space and start again\./;

test('a full disk is reported in one sentence in every step of a start', () => {
  // PostgreSQL's error in a schema migration, wrapped as query errors are.
  const extended = Object.assign(new Error('could not extend file "base/5/1259": No space left on device'), {
    code: '53100',
  });
  expect(sentenceOf(extended)).toMatch(FULL);
  expect(sentenceOf(new Error('Failed query', { cause: extended }))).toMatch(FULL);
  // The error already names the folder.
  expect(sentenceOf(diskFull('/srv/shop'))).toContain('/srv/shop');
});

test.runIf(process.platform === 'linux')('the disk that is always full is one', async () => {
  const refusal = await writeFile('/dev/full', 'a key').catch((error: unknown) => error);
  expect(sentenceOf(refusal)).toMatch(FULL);
});

test('an error that the operator can fix is shown as its sentence, an internal one with its stack', () => {
  expect(sentenceOf(new StartError('Port 1 is taken.'))).toBe('Port 1 is taken.');
  expect(sentenceOf(new SecretError('no key'))).toBe('no key');
  expect(sentenceOf(new TypeError('x is not a function'))).toBeNull();
});
