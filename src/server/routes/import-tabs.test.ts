import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { importDesk } from '#tests/support/import-file.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
let cookie: string;
beforeEach(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
});
afterEach(() => shop.close());

async function untilSomebodyWaits(): Promise<void> {
  for (;;) {
    const { rows } = await shop.db.execute(sql`SELECT FROM pg_locks WHERE NOT granted`);
    if (rows.length > 0) return;
  }
}

test('columns chosen in one tab while another tab starts the import come too late, and do not take it back', async () => {
  const { id } = await importDesk(shop, cookie).check('skus', 'sku,name\nA-1,Mug\n');
  const { answer } = await shop.db.transaction(async (tx) => {
    await tx.execute(sql`SELECT FROM imports WHERE id = ${id} FOR UPDATE`);
    const mapping = shop.post(
      `/api/imports/${id}/mapping`,
      { mapping: { sku: 1 }, defaults: {} },
      { method: 'PUT', headers: { cookie } },
    );
    // Sent now, not when somebody awaits it.
    const sent = Promise.resolve(mapping);
    sent.catch(() => undefined);
    await untilSomebodyWaits();
    await tx.execute(sql`UPDATE imports SET state = 'importing' WHERE id = ${id}`);
    return { answer: sent };
  });
  expect((await answer).statusCode).toBe(409);
  const { rows } = await shop.db.execute(sql`SELECT state FROM imports`);
  expect(rows).toEqual([{ state: 'importing' }]);
});
