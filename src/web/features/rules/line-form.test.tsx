import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printLines } from '#domain/lines/print-lines.ts';
import { anyLines, linesOf } from '#tests/builders/lines.ts';
import { asMany } from '#tests/support/breadth.ts';
import { formOfLine, textOfForm } from './lines/line-form.ts';

test('every line fits into dropdowns and fields, which say the same line', () => {
  fc.assert(
    fc.property(anyLines, (lines) => {
      for (const line of lines)
        expect(linesOf(textOfForm(formOfLine(line)))).toEqual(linesOf(printLines([line])));
    }),
    { numRuns: asMany(100, 1_000) },
  );
});

test.each([
  '4% under the lowest (12% under faster, 4% under slower), else next line',
  'the lowest (4% under equal)',
  'the lowest (same as equal, ignore unknown)',
  'winning or losing or alone for 48 h: raise 1% every 24 h up to $0.25 under seller "Acme"',
  'hours 22:30 to 4: own price, for 4 h then not for 44 h, ask first',
])('%s is written as it was read', (text) => {
  const [line] = linesOf(text);
  expect(line && textOfForm(formOfLine(line))).toBe(text);
});
