import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { secretCutter } from './secret-cutter.ts';

const letters = (alphabet: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength });
const TOKEN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789|-_.~/+=';
/** Secrets as services issue them, and as users choose them for a mail server. */
const secret = fc
  .oneof(
    letters(TOKEN, 6, 80),
    fc.string({ minLength: 6, maxLength: 40 }),
    fc.string({ unit: 'grapheme', minLength: 8 }),
  )
  .filter((text) => text.replaceAll(/[\s\p{Cc}\p{Cf}+]/gu, '').length >= 6)
  // A short one that looks escaped, such as %00"!!, is not what a service issues: decoded it is too short.
  .filter((text) => text.length >= 16 || !/[%\\&]/.test(text));
// An escape that starts just before a secret includes its first characters: the rest is cut as a fragment.
const words = fc.string({ maxLength: 60 }).filter((text) => !/[%\\&]/.test(text));

const bytesOf = (text: string) => Buffer.from(text);
/** The encoding of a value by `URLSearchParams`. */
const form = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const WRITTEN: Readonly<Record<string, (text: string) => string>> = {
  raw: (text) => text,
  base64: (text) => bytesOf(text).toString('base64'),
  base64url: (text) => bytesOf(text).toString('base64url'),
  hex: (text) => bytesOf(text).toString('hex'),
  'hex in capitals': (text) => bytesOf(text).toString('hex').toUpperCase(),
  'URL-encoded': encodeURIComponent,
  'URL-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'in a form': form,
  'in a form, URL-encoded': (text) => encodeURIComponent(form(text)),
  'JSON-escaped': json,
  'JSON-escaped twice': (text) => json(json(text)),
  'JSON-escaped to ASCII': (text) =>
    text.replaceAll(/[^a-z0-9]/gi, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'URL-encoded in JSON': (text) => json(encodeURIComponent(text)),
  'JSON in a form': (text) => form(json(text)),
  'base64, URL-encoded': (text) => encodeURIComponent(bytesOf(text).toString('base64')),
  'for a page': (text) => text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`),
};

/** Character by character without blanks, as a reader might reassemble it. */
const tight = (text: string) => text.replaceAll(/[\s\p{Cc}\p{Cf}+]/gu, '');

describe('a secret in text from a service', () => {
  test.each(Object.keys(WRITTEN))('never survives %s', (way) => {
    const write = WRITTEN[way] ?? String;
    fc.assert(
      fc.property(secret, words, words, (key, before, after) => {
        const said = `${before} ${write(key)} ${after}`;
        const left = tight(secretCutter([key])(said));
        expect(left).not.toContain(tight(write(key)));
        expect(left).toContain('[removed]');
      }),
    );
  });

  test.each(['raw', 'base64', 'base64url', 'hex', 'URL-encoded', 'JSON-escaped'])(
    'never survives %s, broken by blanks and lines',
    (way) => {
      const write = WRITTEN[way] ?? String;
      fc.assert(
        fc.property(
          secret,
          fc.integer({ min: 1, max: 9 }),
          fc.constantFrom(' ', '\n', '\r\n  ', '\u200b'),
          (key, size, gap) => {
            const letters = [...write(key)];
            const pieces = letters.map((letter, at) => (at % size === 0 ? `${gap}${letter}` : letter));
            const left = tight(secretCutter([key])(`It was ${pieces.join('')}.`));
            expect(left).not.toContain(tight(write(key)));
            expect(left).toContain('[removed]');
          },
        ),
      );
    },
  );

  test('never survives in "Basic", with an ID before it, in either base64', () => {
    fc.assert(
      fc.property(
        letters(TOKEN, 1, 20),
        secret,
        fc.constantFrom('base64', 'base64url'),
        (id, key, alphabet) => {
          const pair = Buffer.from(`${id}:${key}`).toString(alphabet as 'base64');
          expect(secretCutter([key])(`You sent Basic ${pair} .`)).toBe('You sent Basic [removed] .');
        },
      ),
    );
  });

  test('leaves no usable fragment where a text was truncated, at either end', () => {
    const key = letters(TOKEN.replaceAll(/[+]/g, ''), 24, 200);
    fc.assert(
      fc.property(key, fc.nat(), fc.boolean(), (whole, at, isEnd) => {
        const length = 16 + (at % (whole.length - 15));
        const piece = isEnd ? whole.slice(-length) : whole.slice(0, length);
        expect(secretCutter([whole])(`It was: ${piece}`)).toBe('It was: [removed]');
      }),
    );
  });

  test('is cut together with every other secret of the account, and nothing else is', () => {
    const cut = secretCutter(['Atzr|IwEBIJ4k2mX9', 'amzn1.oa2-cs.v1.77aa']);
    expect(cut('400: refresh_token=Atzr%7CIwEBIJ4k2mX9&client_secret=amzn1.oa2-cs.v1.77aa&id=7')).toBe(
      '400: refresh_token=[removed]&client_secret=[removed]&id=7',
    );
  });
});

describe('text without a secret', () => {
  test('is unchanged, including blanks and escapes', () => {
    const key = letters('abcdefghijkmnpqrstuvwxyz', 10, 60);
    // Nothing that represents bytes, and none of the characters of the keys.
    const other = fc.string({ unit: fc.constantFrom(...'0123456789 %\\"&;.,:!?\n\té€ÄÖ日'), maxLength: 200 });
    fc.assert(fc.property(key, other, (one, text) => secretCutter([one])(text) === text));
  });

  test('is unchanged even if the account has keys of a typical format', () => {
    const cut = secretCutter([
      'v^1.1#i^1#r^1#p^3#I^3#f^0#t^Ul4xMF8xMDo2',
      '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',
      'key',
    ]);
    const said = 'eBay does not accept the key (401). Copy it from your keyset again: 100% & \\"sure\\".';
    expect(cut(said)).toBe(said);
    expect(secretCutter([])(said)).toBe(said);
  });
});
