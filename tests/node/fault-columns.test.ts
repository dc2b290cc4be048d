import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { IS_ALL } from '#tests/support/breadth.ts';
import { faultColumns, SHOPS } from '#tests/support/fault-columns.ts';
import { BEGAN, openFaultShop } from '#tests/support/fault-shop.ts';
import { FaultBench, refIn, STATES, SUBJECT } from '#tests/support/fault-states.ts';

/*
 * What the sandbox's stores, counts, limits and other hands do to each action of each marketplace. Every cell ends in a
 * state of the docs, and what is said of a price agrees with what the marketplace received.
 */

const NAMES = Object.keys(SHOPS);

describe.each(faultColumns(BEGAN).map((column, at) => ({ ...column, at })))('$name', (column) => {
  const { shops, plan, run, ends, at } = column;
  // Without --all every second cell, by turns, so that each marketplace and each fault has some.
  const some = shops.filter((name) => shops.length === 1 || (at + NAMES.indexOf(name)) % 2 === 0);
  test.concurrent.each(IS_ALL ? shops : some)('%s', async (name) => {
    const { marketplace, ...usual } = SHOPS[name];
    const shop = await openFaultShop(marketplace, 30_000, { ...usual, ...plan });
    try {
      const bench = new FaultBench(shop, await refIn(shop, SUBJECT));
      expect(await run(bench, name)).toEqual(ends(name));
      bench.agrees();
    } finally {
      await shop.sandbox.close();
    }
  });
});

test('every state of the table is one of the docs', () => {
  const docs = readFileSync('docs/sync-and-sending.md', 'utf8').toLowerCase();
  expect(STATES.filter((state) => !docs.includes(state))).toEqual([]);
});
