import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { diskFull } from '#db/embedded/embedded-postgres-error.ts';
import { StartError } from '#src/bootstrap/running.ts';
import { sentenceOf } from '#src/bootstrap/start-error.ts';
import { SecretError } from '#usecases/identity/encryption/secret-box.ts';

const FULL = /^A disk is full \(.+\): free some space and start again\./;

test('a full disk is one sentence, wherever a start meets it', () => {
  // PostgreSQL's own words in a step of the schema, wrapped as queries wrap them.
  const extended = Object.assign(new Error('could not extend file "base/5/1259": No space left on device'), {
    code: '53100',
  });
  expect(sentenceOf(extended)).toMatch(FULL);
  expect(sentenceOf(new Error('Failed query', { cause: extended }))).toMatch(FULL);
  // Said better already, with the folder.
  expect(sentenceOf(diskFull('/srv/shop'))).toContain('/srv/shop');
});

test.runIf(process.platform === 'linux')('the disk that is always full is one', async () => {
  const refusal = await writeFile('/dev/full', 'a key').catch((error: unknown) => error);
  expect(sentenceOf(refusal)).toMatch(FULL);
});

test('what a person can act on is its sentence, and a fault of ours is shown whole', () => {
  expect(sentenceOf(new StartError('Port 1 is taken.'))).toBe('Port 1 is taken.');
  expect(sentenceOf(new SecretError('no key'))).toBe('no key');
  expect(sentenceOf(new TypeError('x is not a function'))).toBeNull();
});
