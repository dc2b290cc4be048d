import type { LightMyRequestResponse } from 'fastify';
import { ounces } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { addSku } from './seed.ts';
import { createTestApp, type TestApp } from './test-app.ts';

export interface BundleShop extends TestApp {
  /** Of the administrator. */
  readonly cookie: string;
  /** Ids of two SKUs: a mug for $10.00 with packaging and misc, 8 oz; a plate for $4.00, 5.3 oz. */
  readonly mug: string;
  readonly plate: string;
  /** Sends components to be saved. @param query such as "?seen=0" */
  save(components: object, query?: string): Promise<LightMyRequestResponse>;
  remove(listingSku: string): Promise<LightMyRequestResponse>;
  /** A POST below /api/bundles. */
  ask(path: string, payload: object): Promise<LightMyRequestResponse>;
  /** What is stored, as "2 x MUG". */
  packed(listingSku: string): Promise<string[]>;
}

/** One component as the client sends it. */
export function part(
  listingSku: string,
  componentSkuId: string,
  quantity = 1,
): { listingSku: string; componentSkuId: string; quantity: number } {
  return { listingSku, componentSkuId, quantity };
}

/** The whole app with two SKUs to pack. */
export async function createBundleShop(): Promise<BundleShop> {
  const app = await createTestApp();
  const cookie = await app.admin();
  const headers = { cookie };
  const at = (listingSku: string): string => `/api/bundles/${encodeURIComponent(listingSku)}`;
  const ask: BundleShop['ask'] = (path, payload) => app.post(`/api/bundles/${path}`, payload, { headers });
  return {
    ...app,
    cookie,
    mug: String(await addSku(app.db, 'MUG', { packagingCost: usd(0.5), miscCost: usd(0.1) })),
    plate: String(await addSku(app.db, 'PLATE', { productCost: usd(4), weightOz: ounces(5.3) })),
    ask,
    save: (components, query = '') => ask(`bulk${query}`, components),
    remove: (listingSku) => app.post(at(listingSku), undefined, { method: 'DELETE', headers }),
    packed: async (listingSku) =>
      (await app.get(at(listingSku), cookie))
        .json<{ quantity: number; sku: string }[]>()
        .map(({ quantity, sku }) => `${quantity} x ${sku}`),
  };
}
