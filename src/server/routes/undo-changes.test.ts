import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ChangeFilterForm, UndoPreview } from '#contract/undo-changes.ts';
import { auditLog } from '#db/schema/audit.ts';
import { listings } from '#db/schema/listings.ts';
import { hours } from '#domain/units.ts';
import { asMany } from '#tests/support/breadth.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';
import { addRun } from '#tests/support/seed.ts';
import { runJob } from '#usecases/background/run-job.ts';
import { listingJob } from '#usecases/catalog/bulk-actions/run-bulk-action.ts';

/** Four listings at $20.00 that cost $10.00: the margin floor is $14.29. The last two are on Amazon. */
let shop: PricedShop;
let ids: number[];
beforeEach(async () => {
  shop = await createPricedShop();
  ids = [shop.id, await shop.addAnother('A-2', 18)];
  for (const sku of ['A-3', 'A-4']) ids.push(await shop.addAnother(sku, 18, { marketplace: 'amazon' }));
});
afterEach(() => shop.app.close());

type Source = 'rule' | 'person';
const iso = (): string => new Date(shop.app.deps.now()).toISOString();
/** A price applied a minute after the one before, allowed or not by today's costs. */
async function move(
  listing: number,
  price: number,
  source: Source = 'rule',
  run: number | null = null,
  rule: number | null = null,
) {
  shop.app.advance(60_000);
  await shop.app.db.execute(sql`
    INSERT INTO price_history (listing_id, old_price, new_price, reason, source, timestamp, margin_floor, run_id, rule_id)
    SELECT id, current_price, ${price}, 'As it was', ${source}, ${iso()}::timestamptz, 1, ${run}::bigint, ${rule}::bigint
    FROM listings WHERE id = ${ids[listing]}`);
}
const prices = async () =>
  (await shop.app.db.select().from(listings).orderBy(listings.id)).map(
    ({ currentPrice }) => currentPrice / 100,
  );
/** A session ends after a night. */
const get = async (url: string) => shop.app.get(url, await shop.app.logIn('boss@example.com'));
const preview = async (filter: ChangeFilterForm): Promise<UndoPreview> => {
  const answer = await get(
    `/api/history/undo-preview?${new URLSearchParams(filter as Record<string, string>)}`,
  );
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const undo = (filter: ChangeFilterForm, { through, changes, openThrough }: UndoPreview) =>
  shop.send('POST', '/api/history/undo', { filter, through, changes, openThrough });

describe('undoing a set of price changes', () => {
  test('previews, and reverts each listing to the price before the first of them, in one run that can be undone', async () => {
    const [one, two] = [
      await addRun(shop.app.db, undefined, 'done'),
      await addRun(shop.app.db, undefined, 'done'),
    ];
    const since = iso();
    await move(0, 19, 'rule', one);
    await move(0, 18.5, 'rule', two);
    await move(1, 21, 'rule', one);
    await move(2, 17, 'rule', two);
    const filter = { since, ofRuns: 'true' } as const;
    const seen = await preview(filter);
    expect(seen).toMatchObject({
      changes: 4,
      listings: 3,
      goBack: 3,
      up: 2,
      down: 1,
      effect: '3.50',
      kept: [],
    });
    expect(seen.rows).toMatchObject([
      { sku: 'A-1', now: '18.50', before: '20.00', marginBefore: '35.00', why: null },
      { sku: 'A-2', now: '21.00', before: '20.00' },
      { sku: 'A-3', now: '17.00', before: '20.00' },
    ]);
    expect((await undo(filter, seen)).json()).toEqual({ done: 3, refusedCount: 0, refused: [], jobId: null });
    expect(await prices()).toEqual([20, 20, 20, 20]);
    expect(await shop.lastMove()).toMatchObject({ source: 'undo', marginFloor: 1_429 });
    expect(await shop.listing()).toMatchObject({ heldBy: 'boss@example.com' });
    const audited = await shop.app.db.select().from(auditLog).orderBy(auditLog.id);
    expect(audited.filter(({ action }) => action === 'prices.taken_back')).toMatchObject([
      { after: { changes: 4, listings: 3, jobId: null, filter: { since, ofRuns: 'true' } } },
    ]);
    const { runId } = await shop.lastMove();
    await shop.send('POST', `/api/runs/${runId}/undo`, {});
    expect(await prices()).toEqual([18.5, 21, 17, 20]);
  });

  test("by day in the user's time zone, marketplace, source and rule", async () => {
    shop.app.advance(hours(13));
    const day = iso().slice(0, 10);
    await move(0, 19);
    await move(2, 19);
    await move(3, 19, 'person');
    const counted = async (filter: ChangeFilterForm) => (await preview(filter)).listings;
    expect(await counted({ from: day, to: day, source: 'ours' })).toBe(3);
    // One hour past midnight in London is the evening before in New York.
    expect(await counted({ from: day, to: day, source: 'ours', zone: 'America/New_York' })).toBe(0);
    expect(await counted({ from: day, marketplace: 'amazon', source: 'ours' })).toBe(2);
    expect(await counted({ from: day, source: 'rule' })).toBe(2);
    expect(await counted({ from: day, rule: '1' })).toBe(0);
    expect(await counted({ from: day, rule: 'none', source: 'ours' })).toBe(3);
    expect(await counted({ from: day, ofRuns: 'true' })).toBe(0);
  });

  test.each([
    [
      { rule: '1', ofRuns: 'true' },
      'the changes of runs since 2026-01-15 12:00 UTC by the rule "Beat everybody"',
    ],
    [
      { rule: 'none', until: '2026-01-15T13:00:00Z' },
      'from 2026-01-15 12:00 UTC to 2026-01-15 13:00 UTC made manually',
    ],
    [
      { source: 'rule', marketplace: 'walmart' },
      'the changes made automatically since 2026-01-15 12:00 UTC on Walmart',
    ],
    [
      { since: undefined, from: '2026-01-15', zone: 'Asia/Tokyo', source: 'rule' },
      'the changes made automatically since 2026-01-15 (Asia/Tokyo)',
    ],
    [{ since: undefined, to: '2026-01-15', q: 'A-1' }, 'the changes up to 2026-01-15 of listings with "A-1"'],
  ] as const)('the ledger says which set it was: %j', async (part, words) => {
    const since = iso();
    const rule = 'rule' in part && part.rule === 'none' ? null : 1;
    await move(0, 19, 'rule', await addRun(shop.app.db, undefined, 'done'), rule);
    const filter: ChangeFilterForm = JSON.parse(JSON.stringify({ since, ...part }));
    expect((await undo(filter, await preview(filter))).json()).toMatchObject({ done: 1 });
    expect((await shop.lastMove()).reason).toContain(words);
  });

  test('later changes are not part of the preview; another set is a conflict, a halt is confirmed', async () => {
    const since = iso();
    await move(0, 19);
    await move(1, 19);
    const filter = { since, source: 'ours' } as const;
    const seen = await preview(filter);
    await move(1, 18);
    await move(2, 18);
    expect((await undo(filter, { ...seen, changes: 3 })).json()).toMatchObject({
      code: 'conflict',
      fields: { changes: '2' },
    });
    await shop.halt();
    expect((await undo(filter, seen)).json()).toMatchObject({ code: 'halted' });
    const { through, changes, openThrough } = seen;
    const confirmed = { filter, through, changes, openThrough, whileHalted: true };
    const answer = await shop.send('POST', '/api/history/undo', confirmed);
    expect(answer.json()).toMatchObject({ done: 1, refusedCount: 1 });
    expect(await prices()).toEqual([20, 18, 18, 20]);
  });

  /** 201 listings that went from $20.00 to $21.00. @returns the filter of these changes */
  async function manyMoves() {
    const { db } = shop.app;
    const since = iso();
    await db.execute(sql`
      INSERT INTO listings (marketplace, sku, title, fulfillment_type, current_price, anchor_price, shipping_cost)
      SELECT 'ebay', 'A-1', 'Mug', 'FBM', 20, 20, 0 UNION ALL
      SELECT 'shopify', 'M-' || n, 'Mug', 'FBM', 20, 20, 0 FROM generate_series(1, 201) n`);
    await db.execute(sql`INSERT INTO skus (sku, name, product_cost, weight_oz)
      SELECT 'M-' || n, 'Mug', 10, 8 FROM generate_series(1, 201) n`);
    shop.app.advance(60_000);
    await db.execute(sql`
      INSERT INTO price_history (listing_id, old_price, new_price, reason, source, timestamp, margin_floor)
      SELECT id, 20, 21, 'As it was', 'rule', ${iso()}::timestamptz, 1 FROM listings WHERE marketplace = 'shopify'`);
    return { since, source: 'rule' } as const;
  }
  const work = ({ jobId }: { jobId: string }) => {
    const { db, url, deps } = shop.app;
    const jobs = {
      db,
      url,
      now: deps.now,
      onUnexpectedError: () => undefined,
      stopping: new AbortController().signal,
    };
    return runJob(jobs, Number(jobId), { apply: listingJob(deps) });
  };

  test('more than 200 listings continue as a job, in one run', async () => {
    const filter = await manyMoves();
    const outcome = (await undo(filter, await preview(filter))).json();
    expect(outcome).toMatchObject({ done: 0, jobId: expect.any(String) });
    await work(outcome);
    const undone = await shop.app.db.execute<{ runs: number; listings: number }>(sql`
      SELECT count(DISTINCT run_id)::int AS runs, count(*)::int AS listings FROM price_history WHERE source = 'undo'`);
    expect(undone.rows).toEqual([{ runs: 1, listings: 201 }]);
  });

  test('names those whose old price is below the floor of today, however many are restored', async () => {
    const filter = await manyMoves();
    await shop.app.db.execute(sql`UPDATE skus SET product_cost = 17 WHERE sku IN ('M-7', 'M-9')`);
    const { goBack, kept, rows } = await preview(filter);
    expect({ goBack, kept }).toEqual({ goBack: 199, kept: [{ why: 'not_allowed', listings: 2 }] });
    expect(rows).toHaveLength(22);
    expect(rows.slice(20)).toMatchObject([
      { sku: 'M-7', now: '21.00', before: '20.00', why: 'not_allowed' },
      { sku: 'M-9', why: 'not_allowed' },
    ]);
  });

  test('a job continues under the halt that was confirmed for it, and under no other', async () => {
    const filter = await manyMoves();
    const { through, changes, openThrough } = await preview(filter);
    const undoPast = async (whileHalted: boolean | string) =>
      (
        await shop.send('POST', '/api/history/undo', { filter, through, changes, openThrough, whileHalted })
      ).json();
    const back = async () =>
      (await shop.app.db.execute(sql`SELECT FROM price_history WHERE source = 'undo'`)).rows.length;
    const first = await shop.halt();
    const begun = await undoPast(true);
    shop.app.advance(1_000);
    const second = await shop.halt();
    await work(begun);
    expect((await shop.get(`/api/jobs/${begun.jobId}`)).json()).toMatchObject({
      state: 'failed',
      summary: expect.stringContaining('halted again'),
    });
    expect(await back()).toBe(0);
    expect(await undoPast(first)).toMatchObject({ code: 'halted', fields: { whileHalted: second } });
    await work(await undoPast(second));
    expect(await back()).toBe(201);
  });

  test('every listing has the price from before the set or is listed; nothing else changes, and every price is allowed', async () => {
    const change = fc.record({
      listing: fc.nat(3),
      price: fc.constantFrom(12, 16, 18, 20, 22, 25),
      source: fc.constantFrom<Source>('rule', 'rule', 'person'),
    });
    const story = fc.record({
      changes: fc.array(change, { minLength: 1, maxLength: 8 }),
      from: fc.nat(3),
      source: fc.constantFrom('rule' as const, 'ours' as const),
    });
    await fc.assert(
      fc.asyncProperty(story, async ({ changes, from, source }) => {
        const made: { listing: number; before: number; isIn: boolean }[] = [];
        shop.app.advance(60_000);
        let since = iso();
        for (const [n, { listing, price, source: by }] of changes.entries()) {
          if (n === from % changes.length) {
            shop.app.advance(60_000);
            since = iso();
          }
          const before = (await prices())[listing] ?? 0;
          if (before === price) continue;
          await move(listing, price, by);
          const isIn = n >= from % changes.length && (source === 'ours' || by === source);
          made.push({ listing, before, isIn });
        }
        const was = await prices();
        const filter = { since, source } as const;
        const seen = await preview(filter);
        if (seen.changes === 0) return;
        const expected = was.map((price, listing) => {
          const own = made.filter((one) => one.listing === listing);
          const first = own.findIndex(({ isIn }) => isIn);
          const before = own[first]?.before ?? 0;
          const isWhole = first >= 0 && own.slice(first).every(({ isIn }) => isIn);
          return isWhole && before >= 14.29 ? before : price;
        });
        const answer = (await undo(filter, seen)).json();
        expect(await prices()).toEqual(expected);
        const moved = expected.filter((price, listing) => price !== was[listing]).length;
        expect([answer.done, answer.done + answer.refusedCount]).toEqual([moved, seen.listings]);
        expect(seen.goBack).toBe(moved);
      }),
      { numRuns: asMany(3, 12) },
    );
  });
});

test('GET /api/runs/groups groups the changes of runs by hour, day, marketplace and rule', async () => {
  const [one, two] = [
    await addRun(shop.app.db, undefined, 'done'),
    await addRun(shop.app.db, undefined, 'done'),
  ];
  await move(0, 19, 'rule', one);
  await move(2, 21, 'rule', two);
  await move(3, 21, 'person');
  shop.app.advance(hours(24));
  await move(0, 18, 'rule', two);
  const groups = async (by: string, more = '') => {
    const answer = await get(`/api/runs/groups?by=${by}${more}`);
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json().groups;
  };
  expect(await groups('day', '&zone=America/New_York')).toMatchObject([
    {
      since: '2026-01-16T05:00:00.000Z',
      until: '2026-01-17T05:00:00.000Z',
      runs: 1,
      changes: 1,
      up: 0,
      down: 1,
    },
    {
      since: '2026-01-15T05:00:00.000Z',
      runs: 2,
      changes: 2,
      listings: 2,
      up: 1,
      down: 1,
      marketplace: null,
    },
  ]);
  expect(await groups('hour')).toMatchObject([{ since: '2026-01-16T12:00:00.000Z' }, { changes: 2 }]);
  expect(await groups('marketplace', '&from=2026-01-16')).toMatchObject([
    { marketplace: 'walmart', changes: 1 },
  ]);
  expect(await groups('rule')).toMatchObject([{ rule: null, runs: 2, changes: 3, since: null }]);
  // The same days filter the list of runs.
  expect((await get('/api/runs?from=2030-01-01')).json().total).toBe(0);
});

test('by default the groups are those of seven whole days, today included, with the counts of their Undo preview', async () => {
  const run = await addRun(shop.app.db, undefined, 'done');
  await move(0, 19, 'rule', run);
  // Six days ago in the morning, which is more than 168 hours before tomorrow's midnight and in the seven days.
  shop.app.advance(hours(12));
  await move(1, 19, 'rule', run);
  await move(2, 19, 'rule', run);
  shop.app.advance(hours(6 * 24 + 12));
  await move(0, 18, 'rule', run);
  const { since, groups } = (await get('/api/runs/groups?by=day&zone=UTC')).json();
  expect(since).toBe('2026-01-16T00:00:00.000Z');
  expect(groups).toMatchObject([{ changes: 1 }, { changes: 2 }]);
  for (const group of groups) {
    const day = group.since.slice(0, 10);
    const seen = await preview({ ofRuns: 'true', from: day, to: day, zone: 'UTC' });
    expect([seen.changes, seen.listings]).toEqual([group.changes, group.listings]);
  }
});

test('changes of runs have their money: a week at the same volume, and what sold at their prices', async () => {
  const { app } = shop;
  const run = await addRun(app.db, undefined, 'done');
  await move(0, 19, 'rule', run);
  await move(1, 22, 'rule', run);
  const [first, second] = ids;
  await app.db.execute(sql`
    INSERT INTO run_items (run_id, listing_id, at, outcome, reason_code, old_price, price, margin_before, margin_after)
    VALUES (${run}, ${first}, ${iso()}::timestamptz, 'change', 'beaten', 20, 19, 20, 10),
      (${run}, ${second}, ${iso()}::timestamptz, 'change', 'beaten', 20, 22, 20, NULL)`);
  const sold = (listing: number | undefined, day: string, units: number, of: number | null) => sql`
    INSERT INTO profit_days (listing_id, day, marketplace, sales, sales_known, sales_told, units, revenue, revenue_known, profit, run_id)
    VALUES (${listing}, (${iso()}::timestamptz AT TIME ZONE 'UTC')::date - ${day}::int, 'walmart', 1, 1, 0, ${units}, 20, 20, 4.5, ${of}::bigint)`;
  // 30 units in 30 days are 7 a week; those of the day before are no longer counted.
  await app.db.execute(sold(first, '0', 2, run));
  await app.db.execute(sold(first, '29', 28, null));
  await app.db.execute(sold(first, '30', 100, null));
  const [day] = (await get('/api/runs/groups?by=day')).json().groups;
  // One unit earned 20% of $20.00 and now earns 10% of $19.00: $2.10 less.
  expect(day).toMatchObject({
    changes: 2,
    equalSales: '-14.70',
    equalSalesOf: 1,
    soldUnits: 2,
    soldProfit: '4.50',
  });
  expect((await get(`/api/runs/${run}`)).json().money).toEqual({
    up: 1,
    down: 1,
    equalSales: '-14.70',
    equalSalesOf: 1,
    marginBefore: '20.00',
    marginAfter: '10.00',
  });
  const { rows } = (await get(`/api/runs/${run}/items`)).json();
  expect(rows.map(({ equalSales }: { equalSales: string | null }) => equalSales)).toEqual(['-14.70', null]);
});

describe('the money of what was taken back', () => {
  const sold = (listing: number | undefined) =>
    shop.app.db.execute(sql`
      INSERT INTO profit_days (listing_id, day, marketplace, sales, sales_known, sales_told, units, revenue, revenue_known, profit)
      VALUES (${listing}, (${iso()}::timestamptz AT TIME ZONE 'UTC')::date, 'walmart', 30, 30, 0, 30, 600, 600, 4.5)`);
  const moneyOf = (groups: { equalSales: string | null }[]) => groups.map(({ equalSales }) => equalSales);
  const groupsBy = async (by: string) => (await get(`/api/runs/groups?by=${by}`)).json().groups;

  /** One run of the engine that moves the two on Walmart to below their competitors. @returns its ID */
  const run = async (): Promise<number> => {
    await shop.app.db.execute(sql`UPDATE marketplace_modes SET mode = 'live'`);
    await shop.engineRuns();
    await shop.app.db.execute(
      sql`UPDATE repricing_runs SET state = 'done', changed = 2, ended_at = started_at`,
    );
    shop.app.advance(60_000);
    return (await shop.lastMove()).runId ?? 0;
  };

  test('a run and its undo add up to nothing, by day and run by run', async () => {
    await sold(shop.id);
    const id = await run();
    const [earned = null] = moneyOf(await groupsBy('day'));
    expect(Number(earned)).toBeLessThan(0);
    expect((await shop.send('POST', `/api/runs/${id}/undo`, {})).statusCode).toBe(200);
    expect(await groupsBy('day')).toMatchObject([{ equalSales: '0.00' }]);
    const { rows } = (await get('/api/runs')).json();
    expect(moneyOf(rows)).toEqual([earned?.slice(1), earned]);
    const { money } = (await get(`/api/runs/${rows[0].id}`)).json();
    expect(money).toMatchObject({ up: 2, equalSales: earned?.slice(1), equalSalesOf: 2 });
  });

  test('applied recommendations count, and what has no amount is not among those counted', async () => {
    await sold(shop.id);
    await shop.engineRuns();
    const selection = { ids: ids.map(String) };
    expect((await shop.send('POST', '/api/listings/apply', { selection })).json()).toMatchObject({ done: 4 });
    const [{ equalSales }] = await groupsBy('day');
    expect(Number(equalSales)).toBeLessThan(0);
    await move(3, 21, 'rule', (await shop.lastMove()).runId);
    expect(await groupsBy('day')).toMatchObject([{ changes: 5, equalSales, equalSalesOf: 4 }]);
    const [run] = (await get('/api/runs')).json().rows;
    expect(run).toMatchObject({ trigger: 'apply', down: 4, up: 1, equalSales, equalSalesOf: 4 });
  });
});

test('without a known margin the money of changes is unknown, not zero', async () => {
  const run = await addRun(shop.app.db, undefined, 'done');
  await move(0, 19, 'rule', run);
  const [day] = (await get('/api/runs/groups?by=day')).json().groups;
  expect(day).toMatchObject({ equalSales: null, soldUnits: 0, soldProfit: null });
  expect((await get(`/api/runs/${run}`)).json().money.equalSales).toBeNull();
});
