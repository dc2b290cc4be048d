import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstFailing, withMistake } from '#tests/mistakes/noticing.ts';

let root = '';
const FILES = {
  'package.json': '{ "type": "module" }',
  'vitest.config.js':
    "export default { test: { projects: [{ extends: true, test: { name: 'all', include: ['**/*.test.js'] } }] } };",
  'src/price.js': 'export const price = 500;\n',
  'src/price.test.js':
    "import { expect, test } from 'vitest';\nimport { price } from './price.js';\ntest('is 500', () => expect(price).toBe(500));\n",
  'tests/architecture/text.test.js':
    "import { readFileSync } from 'node:fs';\nimport { expect, test } from 'vitest';\ntest('is there', () => expect(readFileSync('src/price.js', 'utf8')).toContain('price = 500'));\n",
};
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'noticing-')));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  symlinkSync(realpathSync(resolve(import.meta.dirname, '../../node_modules')), join(root, 'node_modules'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const noticedBy = (wrong: string): string | null =>
  withMistake(root, { file: 'src/price.js', right: 'price = 500', wrong }, () => firstFailing(root, []));

test('a mistake is noticed by a test of what the program does, and not by its text alone', () => {
  expect(noticedBy('price = 499')).toBe('src/price.test.js');
  expect(noticedBy('price = 5 * 100')).toBeNull();
  expect(readFileSync(join(root, 'src/price.js'), 'utf8')).toBe(FILES['src/price.js']);
});

test('one whose right code is not there is no mistake', () => {
  expect(() =>
    withMistake(root, { file: 'src/price.js', right: 'price = 5;', wrong: '' }, () => null),
  ).toThrow(/does not contain/);
});

test('a run without any test shows nothing about a mistake', () => {
  expect(() => firstFailing(root, ['src/none.test.js'])).toThrow(/No test ran/);
});
