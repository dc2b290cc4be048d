import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { integrations } from '#db/schema/connections.ts';
import { hours, instant } from '#domain/units.ts';
import { NOW } from '#tests/builders/facts.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { databaseFindings } from './database-findings.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await createTestApp();
});
afterEach(() => shop.close());

test('a finding counts until its time, and for the account that it was found with', async () => {
  const { db } = shop.deps;
  let now = NOW;
  const of = (generation: number) => databaseFindings({ db, now: () => now }, 'amazon', generation);
  expect(await of(0).read('way')).toBeNull();
  await of(0).write('way', { is: 'merge' }, instant(NOW + hours(1)));
  expect(await of(0).read('way')).toEqual({ is: 'merge' });
  expect(await databaseFindings({ db, now: () => now }, 'walmart', 0).read('way')).toBeNull();
  now = instant(NOW + hours(1));
  expect(await of(0).read('way')).toBeNull();

  await of(0).write('way', { is: 'replace' }, null);
  now = instant(NOW + hours(9_000));
  expect(await of(0).read('way')).toEqual({ is: 'replace' });
  await db.update(integrations).set({ generation: 1 }).where(eq(integrations.marketplace, 'amazon'));
  expect(await of(1).read('way')).toBeNull();
  // A process that still works with the former account.
  await of(0).write('way', { is: 'merge' }, null);
  expect(await of(1).read('way')).toBeNull();
});
