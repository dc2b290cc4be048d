import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openFolderProblem } from '#src/bootstrap/data-folder.ts';
import { newScratchFolder } from '#tests/support/scratch-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await newScratchFolder('rights');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([0o700, 0o600])('a folder with rights %o is closed', async (mode) => {
  chmodSync(folder, mode);
  expect(await openFolderProblem(folder)).toBeNull();
});

test.each([0o755, 0o750, 0o770, 0o704])(
  'a folder with rights %o is reported, with the way to close it',
  async (mode) => {
    chmodSync(folder, mode);
    expect(await openFolderProblem(folder)).toEqual({
      problem: expect.stringContaining(folder),
      command: expect.stringMatching(new RegExp(`^chmod 7(00|11) ${folder}$`)),
    });
  },
);

test('a missing folder is created with closed permissions', async () => {
  expect(await openFolderProblem(join(folder, 'none'))).toBeNull();
});
