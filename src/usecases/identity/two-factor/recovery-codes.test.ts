import { expect, test } from 'vitest';
import { createPasswordHasher } from '#usecases/identity/accounts/password-hasher.ts';
import { newRecoveryCodes, readCode } from './recovery-codes.ts';

const passwords = createPasswordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 });

test('a set is ten codes, each stored as a hash that only it matches', async () => {
  const { shown, stored } = await newRecoveryCodes(passwords);
  expect(shown).toHaveLength(10);
  expect(new Set(shown.map((code) => code.slice(0, 5))).size).toBe(10);
  for (const [at, code] of shown.entries()) {
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}$/);
    const typed = readCode(code);
    if (typed?.kind !== 'recovery') throw new Error(`not read: ${code}`);
    expect(stored[at]).toEqual({
      handle: code.slice(0, 5),
      codeHash: expect.stringMatching(/^\$argon2id\$/),
    });
    // Only the first group is stored in clear: three groups of 25 bits are left to guess.
    expect(JSON.stringify(stored)).not.toContain(typed.code.slice(5));
    expect(await passwords.verify(stored[at]?.codeHash ?? null, typed.code)).toBe(true);
    expect(await passwords.verify(stored[(at + 1) % 10]?.codeHash ?? null, typed.code)).toBe(false);
  }
});

test.each([
  ['123 456', { kind: 'digits', digits: '123456' }],
  [' 123456\n', { kind: 'digits', digits: '123456' }],
  ['7k3qm x2f9d pa4rt 8wz5n', { kind: 'recovery', handle: '7K3QM', code: '7K3QMX2F9DPA4RT8WZ5N' }],
  ['7K3QM–X2F9D—PA4RT-8WZ5N', { kind: 'recovery', handle: '7K3QM', code: '7K3QMX2F9DPA4RT8WZ5N' }],
  ['oK3Ql-iiiii-00000-11111', { kind: 'recovery', handle: '0K3Q1', code: '0K3Q1111110000011111' }],
  ['12345', null],
  ['1234567', null],
  ['١٢٣٤٥٦', null],
  ['7K3QM-X2F9D-PA4RT-8WZ5', null],
  ['7K3QM-X2F9D-PA4RT-8WZ5NN', null],
  ['7K3QM-X2F9D-PA4RT-8WZ5U', null],
  ['7K3QM-X2F9D-PA4RT-8WZ5$', null],
  ['', null],
])('%j is read as typed', (typed, read) => {
  expect(readCode(typed)).toEqual(read);
});
