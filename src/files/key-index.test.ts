import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyIndex } from './key-index.ts';

function intern(keys: KeyIndex, text: string): number {
  const bytes = Buffer.from(`<${text}>`);
  return keys.intern(bytes, 1, bytes.length - 1);
}

test('numbers keys as a Map of strings would', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 5 }), { maxLength: 200 }), (texts) => {
      const keys = new KeyIndex();
      const map = new Map<string, number>();
      for (const text of texts) {
        if (!map.has(text)) map.set(text, map.size);
        expect(intern(keys, text)).toBe(map.get(text));
      }
      for (const [text, number] of map) expect(keys.text(number)).toBe(text);
      expect(keys.size).toBe(map.size);
    }),
  );
});

test('keeps a hundred thousand keys over many pages apart', () => {
  const keys = new KeyIndex();
  for (let number = 0; number < 100_000; number++)
    expect(intern(keys, `SKU-${number}-${'x'.repeat(30)}`)).toBe(number);
  const bytes = Buffer.from(`SKU-77777-${'x'.repeat(30)}`);
  expect(keys.find(bytes, 0, bytes.length)).toBe(77_777);
  expect(keys.find(bytes, 0, bytes.length - 1)).toBe(-1);
});
