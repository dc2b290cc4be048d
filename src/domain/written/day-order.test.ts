import { expect, test } from 'vitest';
import { momentShape } from './day-order.ts';

test.each([
  [['2026-01-15T15:04:00Z', '2026-01-15'], null, false],
  [['2026-01-15 15:04'], null, true],
  [['03/04/2026 3:04 PM'], 'ask', true],
  [['03/04/2026', '1/15/2026'], 'mdy', true],
  [['03.04.2026', '15.01.2026 10:00'], 'dmy', true],
  [['1/15/2026', '15/1/2026'], 'ask', true],
  [['1/15/2026 3:04 PM EST', '1/16/2026 15:04 -05:00'], 'mdy', false],
  [['', 'yesterday'], null, false],
  [['Jan 15, 2026 3:04 PM'], null, true],
  [[], null, false],
] as const)('%j needs order %s and a zone: %s', (samples, order, lacksZone) => {
  expect(momentShape(samples)).toMatchObject({ order, lacksZone });
});
