import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditOf } from '#tests/support/read-back.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

/** It is January 15th, 2026. */
let shop: TestApp;
let cookie: string;
beforeEach(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
});
afterEach(() => shop.close());

const closedUntil = async (): Promise<unknown> => (await shop.get('/api/books', cookie)).json();
const post = (url: string, day: string | null) =>
  shop.post(url, { day }, { method: 'POST', headers: { cookie } });

test('books are closed until a day, and opened again', async () => {
  expect(await closedUntil()).toEqual({ closedUntil: null, timeZone: 'UTC' });
  const open = await shop.get('/api/books/open?day=2026-01-10', cookie);
  expect(open.json()).toEqual({
    sales: 0,
    unknown: 0,
    notTold: 0,
    unmatched: 0,
    unmatchedAmount: '0.00',
    isCalculating: false,
  });
  expect((await post('/api/books/close', '2026-01-10')).json()).toEqual({
    closedUntil: '2026-01-10',
    timeZone: 'UTC',
  });
  expect(await closedUntil()).toEqual({ closedUntil: '2026-01-10', timeZone: 'UTC' });
  expect((await post('/api/books/reopen', '2026-01-05')).json()).toEqual({
    closedUntil: '2026-01-05',
    timeZone: 'UTC',
  });
  expect((await post('/api/books/reopen', null)).json()).toEqual({ closedUntil: null, timeZone: 'UTC' });
  expect(await closedUntil()).toEqual({ closedUntil: null, timeZone: 'UTC' });
  const closings = await auditOf(shop.db, 'books.closed');
  expect(closings).toMatchObject([{ before: { closedUntil: null }, after: { closedUntil: '2026-01-10' } }]);
  expect(await auditOf(shop.db, 'books.reopened')).toHaveLength(2);
});

test.each(['2026-01-15', '2026-01-16', '2026-01-10'])(
  'closing until %s, today or later or closed already, is an error at the day',
  async (day) => {
    await post('/api/books/close', '2026-01-10');
    const answer = await post('/api/books/close', day);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'validation_failed', fields: { day: expect.any(String) } });
    expect(await closedUntil()).toEqual({ closedUntil: '2026-01-10', timeZone: 'UTC' });
  },
);
