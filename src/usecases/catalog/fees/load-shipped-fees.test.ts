import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { deleteFees, listFees, type StoredFees } from '#db/queries/catalog/fees.ts';
import { instant } from '#domain/units.ts';
import { readShippedFees, type ShippedSchedule, schedulesOfPlans } from '#files/read-shipped-fees.ts';
import { NOW, pct } from '#tests/builders/facts.ts';
import { auditOf, dueSkus, forgetDue } from '#tests/support/read-back.ts';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import { addListing } from '#tests/support/seed.ts';
import { loadShippedFees } from './load-shipped-fees.ts';
import { saveFees } from './save-fees.ts';

const shipped = schedulesOfPlans(await readShippedFees());
const ANN = { id: 'ann', name: 'Ann', address: '127.0.0.1', requestId: 'r' };

let database: RecycledDatabase;
let db: Db;
beforeEach(async () => {
  database = await borrowDatabase();
  db = database.open.db;
});
afterEach(() => database.giveBack());

const load = (schedules: readonly ShippedSchedule[] = shipped) =>
  loadShippedFees({ db, now: () => NOW }, schedules);
const storedOf = async (marketplace: string, category: string | null): Promise<StoredFees[]> =>
  (await listFees(db)).filter((each) => each.marketplace === marketplace && each.category === category);

/** What a later release could ship. */
function with8Percent(
  category: string,
  effectiveFrom: ShippedSchedule['effectiveFrom'] = null,
): ShippedSchedule[] {
  return shipped.flatMap((each) => {
    if (each.marketplace !== 'amazon' || each.category !== category) return [each];
    const bands = each.bands.map((band) => ({ ...band, percent: pct(8) }));
    return effectiveFrom === null ? [{ ...each, bands }] : [each, { ...each, bands, effectiveFrom }];
  });
}

async function edit(category: string | null, percent: number): Promise<void> {
  const [schedule] = await storedOf('amazon', category);
  if (schedule === undefined) throw new Error('no such schedule');
  const { marketplace, effectiveFrom, bandKind: kind, edgeBase, bands } = schedule;
  const input = {
    marketplace,
    category,
    effectiveFrom,
    kind,
    edgeBase,
    bands: bands.map((band) => ({ ...band, percent: pct(percent) })),
  };
  await saveFees({ db, now: () => NOW }, schedule.id, input, ANN);
}

test('a first start loads every schedule with its source in place of what the migrations wrote, and later ones nothing', async () => {
  await load();
  const stored = await listFees(db);
  expect(stored).toHaveLength(shipped.length);
  expect(stored.map(({ id, createdAt, createdBy, origin, ...rest }) => ({ ...rest, plan: null }))).toEqual(
    expect.arrayContaining(shipped.map((each) => ({ ...each, plan: null }))),
  );
  expect(new Set(stored.map(({ origin }) => origin))).toEqual(new Set(['shipped']));
  await addListing(db, 'A-1');
  await forgetDue(db);
  await load();
  expect(await listFees(db)).toEqual(stored);
  expect(await dueSkus(db)).toEqual([]);
  expect(await auditOf(db, 'fees.shipped')).toHaveLength(1);
});

test('schedules of a user stay, whatever is published', async () => {
  await edit(null, 12);
  await load();
  expect((await storedOf('amazon', null)).map(({ origin, bands }) => [origin, bands[0]?.percent])).toEqual([
    ['edited', pct(12)],
  ]);
  await edit('Office Products', 11);
  await load(with8Percent('Office Products'));
  expect((await storedOf('amazon', 'Office Products')).map(({ bands }) => bands[0]?.percent)).toEqual([
    pct(11),
  ]);
});

test('a schedule that a user deleted stays deleted until its published fees change', async () => {
  await load();
  const [pets] = await storedOf('amazon', 'Pet Supplies');
  await deleteFees(db, pets?.id ?? 0);
  await load();
  expect(await storedOf('amazon', 'Pet Supplies')).toEqual([]);
  await load(with8Percent('Pet Supplies'));
  expect((await storedOf('amazon', 'Pet Supplies')).map(({ bands }) => bands[0]?.percent)).toEqual([pct(8)]);
});

test('newer fees are added from their date on; those without a date replace the ones they describe better', async () => {
  await load();
  await addListing(db, 'A-1', { marketplace: 'amazon' });
  await forgetDue(db);
  const spring = instant(Date.UTC(2027, 2, 1));
  await load(with8Percent('Office Products', spring));
  expect(
    (await storedOf('amazon', 'Office Products')).map((each) => [each.effectiveFrom, each.bands[0]?.percent]),
  ).toEqual([
    [null, pct(15)],
    [spring, pct(8)],
  ]);
  expect(await dueSkus(db)).toEqual(['amazon A-1: fees']);
  await load(with8Percent('Tires'));
  expect((await storedOf('amazon', 'Tires')).map(({ bands }) => bands[0]?.percent)).toEqual([pct(8)]);
});

test('a default that was deleted before published fees were remembered does not return', async () => {
  const [michaels] = await storedOf('michaels', null);
  await deleteFees(db, michaels?.id ?? 0);
  await db.execute(
    sql`INSERT INTO shipped_fees (marketplace, content, loaded_at) VALUES ('michaels', 'deleted', now())`,
  );
  await load();
  expect(await storedOf('michaels', null)).toEqual([]);
  expect(await storedOf('etsy', null)).toHaveLength(1);
});
