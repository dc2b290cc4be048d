import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Attention } from '#contract/attention.ts';
import type { MarginDistribution } from '#contract/charts.ts';
import type { Coverage } from '#contract/setup.ts';
import type { Stats } from '#contract/stats.ts';
import { jobs } from '#db/schema/jobs.ts';
import { listings } from '#db/schema/listings.ts';
import { type PriceSource, priceHistory } from '#db/schema/prices.ts';
import { FULFILLMENT_TYPES } from '#domain/marketplaces.ts';
import { cents, hours, instant } from '#domain/units.ts';
import { catalog, fillCatalog } from '#tests/support/catalog.ts';
import { addRule } from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import {
  ATTENTION_LINKS,
  fulfillmentLink,
  METRIC_LINKS,
  marginLink,
  marketplaceLinks,
  waitingLink,
} from '#web/features/dashboard/links.ts';
import type { ScreenLink } from '#web/ui/screen-link.ts';

/*
 * Every figure of the Dashboard against the total of the list that its link opens, in a database with everything in it:
 * deleted listings, holds, price wars, unknown margins, late uploads, failed jobs.
 */

let shop: TestApp;
let cookie: string;
beforeAll(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
  const now = shop.deps.now();
  const stories = fc.sample(catalog, { numRuns: 12, seed: 7 }).flat();
  await fillCatalog(
    shop.db,
    stories.map((story, index) => ({ ...story, sku: `${story.sku}-${index}` })),
    now,
  );
  await addRule(shop.db);
  await addRule(shop.db, { isActive: false });
  await addRule(shop.db, { deletedAt: now });
  await moveSomePrices();
  const job = {
    kind: 'import',
    title: 'Import',
    summary: 'The file is empty.',
    work: {},
    createdBy: 'Ann',
  } as const;
  await shop.db.insert(jobs).values([
    { ...job, state: 'failed', createdAt: now, endedAt: now },
    { ...job, state: 'failed', createdAt: now, endedAt: instant(now - hours(7 * 24)) },
    { ...job, state: 'done', createdAt: now, endedAt: now },
  ]);
});
afterAll(() => shop.close());

async function moveSomePrices(): Promise<void> {
  const rows = await shop.db
    .select({ id: listings.id, price: listings.currentPrice })
    .from(listings)
    .orderBy(listings.id)
    .limit(12);
  const sources: PriceSource[] = ['rule', 'person', 'apply', 'undo', 'import', 'observed'];
  for (const [index, { id, price }] of rows.entries()) {
    const to = price === 1 ? price + 1 : price - 1;
    await shop.db.insert(priceHistory).values({
      listingId: id,
      oldPrice: price,
      newPrice: cents(to),
      reason: 'Moved',
      marginFloor: cents(1),
      source: sources[index % sources.length] ?? 'rule',
      timestamp: instant(shop.deps.now() - hours(index < 6 ? 23 : 24)),
    });
  }
}

const read = async <Answer>(path: string): Promise<Answer> => (await shop.get(path, cookie)).json();

/** Number of rows in the list behind a link, requested as its screen does. */
async function totalBehind({ to, search = {} }: ScreenLink): Promise<number> {
  const query = new URLSearchParams(search).toString();
  if (to === '/rules') {
    const { rules } = await read<{ rules: { isActive: boolean }[] }>('/api/rules');
    return rules.filter(({ isActive }) => search.tab !== 'active' || isActive).length;
  }
  if (to === '/jobs') return (await read<unknown[]>(`/api/jobs?${query}`)).length;
  const { total } = await read<{ total: number }>(`/api${to}?${query}`);
  return total;
}

test('the cards over the whole catalog', async () => {
  const { overall } = await read<Stats>('/api/stats');
  expect(overall.totalListings).toBeGreaterThan(100);
  expect(await totalBehind(METRIC_LINKS.totalListings)).toBe(overall.totalListings);
  expect(await totalBehind(METRIC_LINKS.totalValue)).toBe(overall.totalListings);
  expect(overall.activeRules).toBe(1);
  expect(await totalBehind(METRIC_LINKS.activeRules)).toBe(1);
  expect(overall.recentPriceChanges).toBe(4);
  expect(await totalBehind(METRIC_LINKS.recentPriceChanges)).toBe(4);
});

test('each marketplace, what is active there, and each fulfillment count', async () => {
  const { byMarketplace } = await read<Stats>('/api/stats');
  expect(byMarketplace).toHaveLength(6);
  for (const { marketplace, totalListings, activeListings, fulfillmentBreakdown } of byMarketplace) {
    const links = marketplaceLinks(marketplace);
    expect(await totalBehind(links.totalListings)).toBe(totalListings);
    expect(await totalBehind(links.totalValue)).toBe(totalListings);
    expect(await totalBehind(links.avgPrice)).toBe(totalListings);
    expect(await totalBehind(links.activeListings)).toBe(activeListings);
    for (const type of FULFILLMENT_TYPES) {
      expect(await totalBehind(fulfillmentLink(marketplace, type))).toBe(fulfillmentBreakdown[type]);
    }
  }
});

test('everything that needs attention', async () => {
  const { items, waiting } = await read<Attention>('/api/attention');
  expect(items.map(({ kind }) => kind)).toEqual(Object.keys(ATTENTION_LINKS));
  for (const { kind, count } of items) expect(await totalBehind(ATTENTION_LINKS[kind])).toBe(count);
  for (const { marketplace, count } of waiting)
    expect(await totalBehind(waitingLink(marketplace))).toBe(count);
  const all = waiting.reduce((sum, { count }) => sum + count, 0);
  expect(await totalBehind(waitingLink())).toBe(all);
});

test('what blocks listings', async () => {
  const { problems, repriceable } = await read<Coverage>('/api/coverage');
  expect(problems.length).toBeGreaterThan(2);
  for (const { problem, count } of problems) {
    expect(await totalBehind({ to: '/listings', search: { problem } })).toBe(count);
  }
  expect(await totalBehind({ to: '/listings', search: { state: 'repriceable' } })).toBe(repriceable);
});

test('each bar of the margins, and those that are not known', async () => {
  const { bands } = await read<MarginDistribution>('/api/charts/margins');
  for (const { band, count } of bands) {
    expect(count).toBeGreaterThan(0);
    expect(await totalBehind(marginLink(band))).toBe(count);
  }
  const { overall } = await read<Stats>('/api/stats');
  expect(bands.reduce((sum, { count }) => sum + count, 0)).toBe(overall.totalListings);
});
