import { expect, test } from 'vitest';
import { hours, type Instant, instant } from '#domain/units.ts';
import { nextPurgeClock, type PurgeClock } from './purge-clock.ts';

/** Whether each of the purges at these hours deletes. */
function deletes(...at: readonly number[]): boolean[] {
  let clock: PurgeClock | null = null;
  return at.map((hour) => {
    clock = nextPurgeClock(clock, instant(hours(hour)) as Instant);
    return clock.jumpedAt === null;
  });
}

test.each<[string, number[], boolean[]]>([
  ['every hour, and after a weekend', [0, 1, 2, 50], [true, true, true, true]],
  [
    'after the clock was moved ahead by a year, only a day later',
    [0, 8_760, 8_761, 8_783, 8_784],
    [true, false, false, false, true],
  ],
  ['not in that year once the clock is set back', [0, 8_760, 8_762, 3, 4], [true, false, false, true, true]],
  ['after a month without the program, only a day later', [0, 720, 743, 744], [true, false, false, true]],
  ['not while it jumps on', [0, 100, 123, 200, 223, 224], [true, false, false, false, false, true]],
])('a purge deletes %s', (_, at, expected) => {
  expect(deletes(...at)).toEqual(expected);
});
