import { expect, test } from 'vitest';
import { FileError } from '#files/file-error.ts';
import { type BackupRequest, backupCommand } from './backup.ts';
import { type RestoreRequest, restoreCommand } from './restore.ts';

const MANIFEST = {
  format: 1,
  program: '1.3.0',
  schema: { version: 7, name: '0007_seven.sql', checksum: '' },
  takenAt: '2026-11-28T14:05:02.000Z',
  timeZone: null,
  masterKeys: ['0a1b2c3d'],
  tables: [],
  sequences: [],
} as const;
const TABLES = [{ name: 'skus', rows: 1_200, bytes: 9, sha256: '' }];

async function backUp(argv: readonly string[], failure?: Error) {
  const [out, err, requests]: [string[], string[], BackupRequest[]] = [[], [], []];
  const io = { out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
  const code = await backupCommand(argv, io, async (request) => {
    requests.push(request);
    if (failure !== undefined) throw failure;
    return { file: '/x.tar', bytes: 1_234_567, manifest: MANIFEST, tables: TABLES, deleted: ['/w.tar'] };
  });
  return { code, out: out.join('\n'), err: err.join('\n'), requests };
}

async function restore(argv: readonly string[], over: { missingKeys?: string[]; former?: string } = {}) {
  const [out, err, done]: [string[], string[], RestoreRequest[]] = [[], [], []];
  const io = { out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
  const code = await restoreCommand(argv, io, {
    check: async ({ file }) => {
      if (file === 'cut.tar') throw new FileError('cut.tar is damaged.');
      return { manifest: MANIFEST, tables: TABLES, missingKeys: over.missingKeys ?? [] };
    },
    restore: async (request) => {
      done.push(request);
      return { former: over.former ?? null };
    },
  });
  return { code, out: out.join('\n'), err: err.join('\n'), done };
}

test('a backup says where it is, how large, and which key it needs', async () => {
  const { code, out, err, requests } = await backUp([
    '--to',
    '/mnt',
    '--encrypt',
    '--passphrase-file',
    'p',
    '--keep',
    '7',
  ]);
  expect(code).toBe(0);
  expect(out).toContain('/x.tar (1.2 MB, 1,200 rows of 1 table)');
  expect(err).toContain('0a1b2c3d');
  expect(requests).toEqual([{ to: '/mnt', keep: 7, isEncrypted: true, passphraseFile: 'p' }]);
  expect((await backUp([])).requests).toEqual([
    { to: null, keep: null, isEncrypted: false, passphraseFile: null },
  ]);
});

test('a backup that cannot be made is exit 1, wrong arguments are exit 2 and make none', async () => {
  expect(await backUp([], new FileError('The disk is full.'))).toMatchObject({ code: 1, out: '' });
  for (const argv of [
    ['--to'],
    ['--to', '--encrypt'],
    ['x.tar'],
    ['--what', 'x'],
    ['--keep', '0'],
    ['--keep', '7.5'],
  ])
    expect(await backUp(argv)).toMatchObject({ code: 2, requests: [] });
  expect(await backUp(['--help'])).toMatchObject({ code: 0, requests: [] });
});

test('a restore checks first, and restores nothing when that fails or was all that was asked', async () => {
  expect(await restore(['cut.tar'])).toMatchObject({ code: 1, done: [] });
  expect(await restore(['x.tar', '--check'])).toMatchObject({ code: 0, done: [] });
  const { code, out, done } = await restore(['x.tar', '--replace'], { former: '/data/before' });
  expect([code, done]).toEqual([
    0,
    [{ file: 'x.tar', passphraseFile: null, replaces: true, withoutKey: false }],
  ]);
  expect(out).toContain('/data/before');
});

test('a restore without its key says what to do about it', async () => {
  const { err } = await restore(['--without-key', 'x.tar'], { missingKeys: ['0a1b2c3d'] });
  expect(err).toMatch(/0a1b2c3d.*pricewright keys forget --yes/);
});

test.each([[[]], [['a', 'b']], [['x.tar', '--what']], [['x.tar', '--passphrase-file']]])(
  'restore %j is wrong usage',
  async (argv) => {
    expect(await restore(argv)).toMatchObject({ code: 2, done: [] });
  },
);
