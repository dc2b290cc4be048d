import { describe, expect, test } from 'vitest';
import type { InventorySku, PassedOver } from '#connectors/inventory-source.ts';
import type { FaultKind } from '#sandbox/faults/fault.ts';
import {
  ACTED,
  gather,
  HANGING,
  KINDS,
  LOST,
  NEVER_OVER,
  never,
  PASSING,
  TRIES,
} from '#tests/support/fault-kinds.ts';
import { openFaultStock } from '#tests/support/fault-shop.ts';

const PAGES = 2;

/** A fault of the inventory program, and the result of the sync. */
async function readUnder(kind: FaultKind, isOnce: boolean, acts: boolean): Promise<'whole' | 'failed'> {
  const { sandbox, source, apiKey, calls, costs } = await openFaultStock(HANGING.has(kind) ? 100 : 30_000);
  try {
    sandbox.faults.add({
      service: 'veeqo',
      kind,
      operation: 'listProducts',
      acts,
      count: isOnce ? 1 : NEVER_OVER,
    });
    const read = await gather<InventorySku | PassedOver>(() => source.readSkus(apiKey, never));
    const found = new Map<string, number | null>();
    const passedOver: string[] = [];
    for (const one of read.pages) {
      if (one.kind === 'passed_over') {
        // An amount that is none: its row is named, and not used.
        expect([one.why, /_price$/.test(kind)]).toEqual(['unreadable', true]);
        passedOver.push(one.what);
        continue;
      }
      // The sync uses the first product with the same SKU.
      if (!found.has(one.sku)) found.set(one.sku, one.productCost);
    }
    for (const [sku, cost] of found) expect([costs.get(sku), null]).toContain(cost);
    if (read.kind === 'whole')
      expect([...found.keys(), ...passedOver].toSorted()).toEqual([...costs.keys()].toSorted());
    expect(calls()).toBeLessThanOrEqual(PAGES * TRIES);
    return read.kind;
  } finally {
    await sandbox.close();
  }
}

describe('syncing the SKUs of Veeqo', () => {
  test.concurrent.each(KINDS)('%s', async (kind) => {
    const once = await readUnder(kind, true, false);
    const forGood = await readUnder(kind, false, false);
    if (PASSING.has(kind)) expect([once, forGood]).toEqual(['whole', 'failed']);
    if (LOST.has(kind)) expect(forGood).toBe('failed');
  });

  test.concurrent.each(ACTED)('%s, although it was carried out', async (kind) => {
    expect(await readUnder(kind, true, true)).toBe(kind === 'redirect' ? 'failed' : 'whole');
    expect(await readUnder(kind, false, true)).toBe('failed');
  });
});
