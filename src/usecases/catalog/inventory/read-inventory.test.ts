import { expect, test } from 'vitest';
import type { InventorySku, InventorySource, PassedOver } from '#connectors/inventory-source.ts';
import { unreadableRow } from '#connectors/passed-over.ts';
import { readInventory } from './read-inventory.ts';

const never = new AbortController().signal;

const sku = (id: string, code: string): InventorySku => ({
  kind: 'sku',
  id,
  sku: code,
  name: code,
  productCost: null,
  weight: null,
});

function sourceOf(...pages: (InventorySku | PassedOver)[][]): InventorySource & { readonly asked: number[] } {
  const asked: number[] = [];
  return {
    asked,
    check: async () => undefined,
    async *readSkus() {
      for (const [at, page] of pages.entries()) {
        asked.push(at);
        yield page;
      }
    },
  };
}

test('an item that moves between pages is not a repeated code; two items with one code are', async () => {
  const source = sourceOf([sku('1', 'A'), sku('2', 'B')], [sku('2', 'B'), sku('3', 'A')]);
  expect(await readInventory(source, 'key', never)).toEqual({
    skus: [sku('1', 'A'), sku('2', 'B')],
    passedOver: [{ what: 'A', why: 'repeated', member: null, value: null }],
  });
});

test('too many SKUs for memory end the sync, with another way to import them', async () => {
  const source = sourceOf([sku('1', 'A'), sku('2', 'B')], [sku('3', 'C')], [sku('4', 'D')]);
  await expect(readInventory(source, 'key', never, 2)).rejects.toMatchObject({
    fault: 'too_large',
    message: expect.stringMatching(/more than 2 SKUs.*CSV/),
  });
  expect(source.asked).toEqual([0, 1]);
});

// C26
test('a product that cannot be read is named, and the others are taken', async () => {
  const source = sourceOf([sku('1', 'A'), unreadableRow('B', 'cost_price', -1)]);
  expect(await readInventory(source, 'key', never)).toEqual({
    skus: [sku('1', 'A')],
    passedOver: [{ what: 'B', why: 'unreadable', member: 'cost_price', value: '-1' }],
  });
});

test('products in another format are not taken at all', async () => {
  const odd = Array.from({ length: 18 }, (_, at) => unreadableRow(`B-${at}`, 'cost_price', 'USD 5'));
  const source = sourceOf(
    Array.from({ length: 42 }, (_, at) => sku(String(at), `A-${at}`)),
    odd,
  );
  await expect(readInventory(source, 'key', never)).rejects.toMatchObject({ fault: 'unreadable' });
});
