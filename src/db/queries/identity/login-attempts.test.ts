import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { hours, type Instant, instant, minutes, seconds } from '#domain/units.ts';
import { NOW } from '#tests/builders/facts.ts';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import { type AttemptLimit, countAttempt } from './login-attempts.ts';

let database: RecycledDatabase;
let db: Db;
beforeEach(async () => {
  database = await borrowDatabase();
  db = database.open.db;
});
afterEach(() => database.giveBack());

const LIMIT: AttemptLimit = {
  free: 2,
  firstWaitSeconds: 900,
  longestWaitSeconds: 900,
  windowSeconds: 900,
  slides: true,
};
const tries = async (at: Instant): Promise<boolean> =>
  (await countAttempt(db, { kind: 'two_factor', subjectKind: 'account', name: 'ann' }, LIMIT, at)).allowed;

test.each([
  ['a day', hours(24)],
  ['a year', hours(24 * 366)],
])('a lockout by a clock that was ahead by %s ends when it is set back', async (_, ahead) => {
  const wrong = instant(NOW + ahead);
  expect([await tries(wrong), await tries(wrong), await tries(wrong)]).toEqual([true, true, false]);
  // Codes of authenticator apps fail while the clock is wrong: this is how users are locked out.
  expect([await tries(NOW), await tries(NOW), await tries(NOW)]).toEqual([true, true, false]);
});

test('processes whose clocks differ give no further attempts', async () => {
  const [early, late] = [NOW, instant(NOW + seconds(30))];
  expect([await tries(late), await tries(early), await tries(late), await tries(early)]).toEqual([
    ...[true, true, false, false],
  ]);
  expect(await tries(instant(NOW + minutes(14)))).toBe(false);
});
