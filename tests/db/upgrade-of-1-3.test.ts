import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IS_ALL } from '#tests/support/breadth.ts';
import { createOldDatabase, type OldDatabase } from '#tests/support/old-database.ts';
import { execute } from '#tests/support/test-cluster.ts';

/** The newest migration of release 1.3.0. */
const SCHEMA = 45;
const LISTINGS = 600;

/**
 * What no upgrade changes of the ledger, hashed in order; its columns by their places, since one has another name. Reasons on
 * eBay are not among them, from which the names of sellers are removed.
 */
const LEDGER = `
  SELECT count(*)::int AS rows, md5(string_agg(concat_ws('|', h.id, listing_id, old_price, new_price, floor, source,
    actor, run_id, h.rule_id, extract(epoch FROM at), CASE WHEN l.marketplace <> 'ebay' THEN reason END), chr(10)
    ORDER BY listing_id, h.id)) AS hash
  FROM price_history h (id, listing_id, old_price, new_price, reason, impact, at, source, actor_id, actor, run_id, rule_id,
      competitor, floor)
    JOIN listings l ON l.id = h.listing_id`;
const PRICES = `SELECT md5(string_agg(concat_ws('|', id, sku, current_price, current_price_id, anchor_price, rule_id), chr(10)
  ORDER BY id)) AS hash FROM listings`;
const SECRETS = `SELECT walmart_client_id, walmart_client_secret, veeqo_api_key, (SELECT wrapped FROM data_keys) FROM app_settings`;
const COUNTS = `SELECT (SELECT count(*)::int FROM skus) AS skus, (SELECT count(*)::int FROM sales_history) AS sales,
  (SELECT count(*)::int FROM audit_log WHERE action = 'price.typed') AS audited,
  (SELECT count(*)::int FROM competitor_offers) AS offers, (SELECT count(*)::int FROM price_intents) AS intents,
  (SELECT array_agg(name || minimum_margin ORDER BY id) FROM repricing_rules) AS rules,
  (SELECT count(*)::int FROM bundle_components) AS components`;

let old: OldDatabase;
beforeAll(async () => {
  if (IS_ALL) old = await createOldDatabase(SCHEMA);
});
afterAll(() => old?.drop());

test.runIf(IS_ALL)(
  'a filled store of 1.3.0 is upgraded in one transaction, with its ledger, prices and secrets',
  async () => {
    await execute(old.ownerUrl, await readFile(join(import.meta.dirname, 'store-of-1-3.sql'), 'utf8'));
    const read = async () => [
      await execute(old.ownerUrl, LEDGER),
      await execute(old.ownerUrl, PRICES),
      await execute(old.ownerUrl, SECRETS),
      await execute(old.ownerUrl, COUNTS),
    ];
    const before = await read();
    expect(before[0]).toEqual([{ rows: LISTINGS * 2 + LISTINGS / 3, hash: expect.any(String) }]);
    await old.upgrade();
    expect(await read()).toEqual(before);
    // The heartbeat's own mark is as its transaction wrote it, or the next start takes the upgrade for a restore.
    expect(await execute(old.ownerUrl, 'SELECT xmin::text = written_by AS same FROM installation')).toEqual([
      { same: true },
    ]);
  },
);
