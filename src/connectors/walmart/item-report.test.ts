import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endOf } from '#tests/support/all-of.ts';
import { anAccount, never } from '#tests/support/connector-fixture.ts';
import { anItem, type FakeWalmart, startFakeWalmart, WALMART_PAIR } from '#tests/support/fake-walmart.ts';

const COUNT = 12_000;

let fake: FakeWalmart;
/** What the list counts, one answer after the other; the last one stays. */
let totals: number[];
/** How often the list was requested. */
let lists: number;
beforeEach(async () => {
  fake = await startFakeWalmart();
  totals = [COUNT];
  lists = 0;
  fake.on('GET', /^\/v3\/items\?/, () => {
    lists += 1;
    const totalItems = totals.length > 1 ? totals.shift() : totals[0];
    return { body: { ItemResponse: [anItem(1)], totalItems, nextCursor: 'on' } };
  });
});
afterEach(() => fake.close());

function serve(count: number): void {
  const rows = Array.from(
    { length: count },
    (_, at) => `SKU-${at},${at},Mug,12.50,PUBLISHED,Seller Fulfilled`,
  );
  fake.serveReport(['SKU,Item ID,Product Name,Price,Publish Status,Fulfillment Type', ...rows].join('\n'));
}

/** What the list counts, and how many came. */
const read = async () => {
  const { total } = await endOf(fake.connect().readListings(anAccount(WALMART_PAIR), never));
  return Object.values(total ?? {});
};

describe('a catalog that comes as a report is compared with the total of the list', () => {
  test('and lacks what the report does not have', async () => {
    serve(COUNT - 1_500);
    expect(await read()).toEqual([COUNT, COUNT - 1_500]);
  });

  test('and is whole with all of them', async () => {
    serve(COUNT);
    expect(await read()).toEqual([COUNT, COUNT]);
    expect(lists).toBe(1);
  });

  test('after it, since items may be removed while the report is made', async () => {
    totals = [COUNT, COUNT - 5];
    serve(COUNT - 5);
    expect(await read()).toEqual([COUNT - 5, COUNT - 5]);
  });
});
