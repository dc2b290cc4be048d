import { eq } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { accountFindings } from '#db/schema/connections.ts';
import { listings } from '#db/schema/listings.ts';
import { cents, hours, instant, minutes } from '#domain/units.ts';
import type { Sandbox } from '#sandbox/server.ts';
import type { ItemPlan } from '#sandbox/world/catalog.ts';
import { usd } from '#tests/builders/facts.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { openLiveShops } from '#tests/support/live-shops.ts';
import { EDITOR } from '#tests/support/sending-fixture.ts';
import { setPrice } from '#usecases/repricing/prices/set-price.ts';

/*
 * An Amazon that erases the seller's sale with a merge, and shows the merged price minutes later.
 */
const fixture = engineFixture();
let sandbox: Sandbox;
afterEach(() => sandbox.close());

const BOUNDS = { min: usd(22), max: usd(40) };
/** Minutes after which the sandbox shows a price that is not late. */
const USUAL = 8;

test.each([USUAL, 20])(
  'a sale that the first price erased is reported, and the next prices keep theirs: shown after %i minutes (C9)',
  async (shownAfter) => {
    const sale = {
      price: usd(25),
      from: instant(fixture.now + hours(48)),
      to: instant(fixture.now + hours(72)),
    };
    const item = (sku: string, terms: ItemPlan['terms']): ItemPlan => ({
      marketplace: 'amazon',
      sku,
      title: `Mug ${sku}`,
      fulfillmentType: 'FBM',
      price: usd(29.99),
      competitors: [],
      viewsPerDay: 0,
      ...(terms && { terms }),
    });
    const late = { late: 1, lateByMinutes: shownAfter - USUAL };
    const shops = await openLiveShops(fixture, {
      seed: 'late proof',
      items: [
        item('M-1', { sale, bounds: BOUNDS }),
        item('M-2', undefined),
        item('M-3', { sale, bounds: BOUNDS }),
      ],
      quirks: {
        amazon: {
          offerChanges: { mergeErases: ['discounted_price'] },
          ...(late.lateByMinutes > 0 && { effects: late }),
        },
      },
      live: ['amazon'],
      costShare: 0.5,
      kinds: new Set(['listings']),
      checkInterval: 60,
    });
    sandbox = shops.sandbox;
    const { db } = fixture;
    const deps = { db, now: () => fixture.now };
    const market = sandbox.world.market('amazon');
    const saleOf = (sku: string) => market.item(sku)?.terms.sale ?? null;
    const set = async (sku: string, price: number) => {
      const [listing] = await db.select().from(listings).where(eq(listings.sku, sku));
      const from = listing?.currentPrice ?? cents(0);
      await setPrice(deps, listing?.id ?? 0, { price: usd(price), from }, EDITOR);
      await shops.send();
    };
    await shops.check();

    await set('M-1', 28.5);
    expect(saleOf('M-1')).toBeNull();
    // The seller has nothing to lose here: it must not be what proves merges.
    shops.pass(minutes(16));
    await set('M-2', 28.5);
    for (let passed = 0; passed < 60; passed += 5) {
      shops.pass(minutes(5));
      await shops.send();
    }
    expect(market.item('M-1')?.price).toBe(usd(28.5));
    // The seller may have ended it.
    expect(saleOf('M-1')).toBeNull();
    const [found] = await db.select().from(accountFindings).where(eq(accountFindings.name, 'amazon_write'));
    expect(found?.value).toMatchObject({
      is: 'replace',
      sku: 'M-1',
      lost: ['discounted_price'],
      isRestored: false,
    });

    await set('M-3', 28.5);
    shops.pass(minutes(30));
    await shops.send();
    expect(market.item('M-3')?.price).toBe(usd(28.5));
    expect(saleOf('M-3')).toEqual(sale);
  },
);
