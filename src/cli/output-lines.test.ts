import { expect, test } from 'vitest';
import { OutputLines } from './output-lines.ts';

test('gives back every line once, also beyond its first size and in any script', () => {
  const output = new OutputLines();
  const line = `${'é'.repeat(1_000)} 価格 🏷\n`;
  for (let count = 0; count < 1_500; count++) output.add(line);
  expect(Buffer.from(output.take()).toString()).toBe(line.repeat(1_500));
  expect(output.take()).toHaveLength(0);
  output.add('next\n');
  expect(Buffer.from(output.take()).toString()).toBe('next\n');
});
