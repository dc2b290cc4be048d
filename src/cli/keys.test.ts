import { expect, test } from 'vitest';
import { SEALED_COLUMNS } from '#db/queries/identity/sealed-columns.ts';
import { SecretError } from '#usecases/identity/encryption/secret-box.ts';
import type { LostSecrets } from '#usecases/identity/users/lost-secrets.ts';
import { KEYS_USAGE, type KeysDeps, keysCommand } from './keys.ts';

const NONE: LostSecrets = { records: [], dataKeys: [], missing: [] };

function oneLost(): LostSecrets {
  const [column] = SEALED_COLUMNS;
  if (column === undefined) throw new Error('no sealed column');
  return {
    records: [{ column, keys: ['default'], record: 'v1.aabbccdd.x.y' }],
    dataKeys: [],
    missing: ['aabbccdd'],
  };
}

async function run(argv: string[], over: Partial<KeysDeps> = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const io = { out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
  const code = await keysCommand(argv, io, {
    rotate: async () => ({ resealed: 3, unreadable: 0 }),
    findLost: async () => NONE,
    forgetLost: async () => NONE,
    ...over,
  });
  return { code, out, err };
}

test('rotate says how many secrets it locked anew', async () => {
  expect(await run(['rotate'])).toEqual({ code: 0, out: ['3 secrets encrypted with a new key.'], err: [] });
});

test('rotate that leaves something unread is exit 1 and says where to go on', async () => {
  const { code, err } = await run(['rotate'], { rotate: async () => ({ resealed: 1, unreadable: 1 }) });
  expect(code).toBe(1);
  expect(err).toEqual([expect.stringMatching(/^1 secret cannot be decrypted.*pricewright keys forget/)]);
});

test('forget lists what is lost, and removes it only with --yes', async () => {
  const requested = await run(['forget'], { findLost: async () => oneLost() });
  expect(requested).toMatchObject({ code: 1, out: ['app_settings/default/veeqoApiKey'] });
  expect(requested.err.join('\n')).toMatch(/missing: aabbccdd.*--yes/s);
  expect(await run(['forget', '--yes'], { forgetLost: async () => oneLost() })).toEqual({
    code: 0,
    out: ['1 secret removed.', 'app_settings/default/veeqoApiKey'],
    err: [],
  });
});

test('with nothing lost there is nothing to forget', async () => {
  expect((await run(['forget'])).code).toBe(0);
  expect((await run(['forget', '--yes'])).out).toEqual([
    'All stored secrets can be decrypted. Nothing was removed.',
  ]);
});

test('a key that cannot be used is one sentence and exit 1', async () => {
  const rotate = async (): Promise<never> => {
    throw new SecretError('secret.key holds no key of 32 bytes.');
  };
  expect(await run(['rotate'], { rotate })).toEqual({
    code: 1,
    out: [],
    err: ['secret.key holds no key of 32 bytes.'],
  });
});

test.each([[[]], [['rotate', 'now']], [['forget', '--no']], [['forget', '--yes', 'x']], [['list']]])(
  '%j is wrong usage',
  async (argv) => {
    expect(await run(argv)).toEqual({ code: 2, out: [], err: [KEYS_USAGE] });
  },
);

test('help is printed and exit 0', async () => {
  expect(await run(['--help'])).toEqual({ code: 0, out: [KEYS_USAGE], err: [] });
});
