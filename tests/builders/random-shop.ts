import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { BELOW_FLOOR, NO_COMPETITOR, STRATEGIES } from '#domain/rules/rule.ts';
import type { SeededRandom } from '#usecases/demo/seeded-random.ts';
import { seededRandom } from '#usecases/demo/seeded-random.ts';

/**
 * A store as CSV files, by the name of their flag. Same seed, same store: full of gaps, bands, bundles and odd limits.
 */
export type ShopFiles = Readonly<
  Record<'skus' | 'listings' | 'bundles' | 'tiers' | 'rules' | 'offers' | 'fees', string>
>;

/** A listing of a SKU that is in no file of SKUs. */
const REMOVED_SKU = 'REMOVED-1';
const SKUS = 60;
const SELLERS = ['Corner Store', 'Cheap & Co', 'my shop ', 'Ümlaut Goods', ''] as const;
const money = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
const some = (random: SeededRandom, share: number, value: () => string): string =>
  random.happens(share) ? value() : '';

/** @param now when the offers were seen, or some hours before */
export function randomShop(seed: number, now: Date): ShopFiles {
  const random = seededRandom(seed);
  const listed = listings(random);
  return {
    skus: skus(random),
    listings: listed,
    bundles: bundles(random),
    tiers: tiers(),
    rules: rules(random),
    offers: offers(random, now, listed),
    fees: `marketplace,category,percent,fixed,minimum,bandUpTo,bandKind,effectiveFrom
walmart,Apparel,5,0.00,0.00,15.00,whole,
walmart,Apparel,10,0.00,0.00,20.00,whole,
walmart,Apparel,15,0.00,0.00,,whole,
ebay,,12,0.30,0.50,30.00,marginal,
ebay,,8,0.30,0.50,,marginal,
`,
  };
}

function skus(random: SeededRandom): string {
  const rows = Array.from({ length: SKUS }, (_, n) => {
    const cost = some(random, 0.93, () => money(random.whole(100, 3_000)));
    const weight = some(random, 0.95, () => String(random.whole(1, 900) / 10));
    return `S-${n},Product ${n},${cost},${weight},${money(random.whole(0, 90))},${money(random.whole(0, 40))},`;
  });
  return `sku,name,productCost,weight,packagingCost,miscCost,veeqoId\n${rows.join('\n')}\n`;
}

function bundles(random: SeededRandom): string {
  const rows = Array.from({ length: 6 }, (_, n) => [
    `B-${n},S-${n * 3},${random.whole(1, 3)}`,
    `B-${n},S-${n * 3 + 1},1`,
  ]);
  return `listing_sku,component_sku,quantity\n${rows.flat().join('\n')}\n`;
}

function listings(random: SeededRandom): string {
  const rows: string[] = [];
  const codes = [
    ...Array.from({ length: SKUS }, (_, n) => `S-${n}`),
    ...Array.from({ length: 6 }, (_, n) => `B-${n}`),
    REMOVED_SKU,
  ];
  for (const sku of codes) {
    for (const marketplace of MARKETPLACES) {
      if (random.happens(0.5)) rows.push(listing(random, sku, marketplace));
    }
  }
  const header = `sku,title,currentPrice,fulfillmentType,walmartItemId,marketplace,minPrice,maxPrice,shippingCost,
shippingCharge,fulfillmentCost,feeCategory,autoRepricingEnabled,rule`;
  return `${header.replaceAll('\n', '')}\n${rows.join('\n')}\n`;
}

function listing(random: SeededRandom, sku: string, marketplace: Marketplace): string {
  const price = random.whole(400, 7_000);
  const isWarehouse = random.happens(0.3);
  return [
    ...[sku, `"Product, ${sku}"`, money(price), isWarehouse ? 'FBA/WFS' : 'FBM', '', marketplace],
    some(random, 0.15, () => money(random.whole(300, price))),
    some(random, 0.15, () => money(random.whole(price, price * 2))),
    some(random, 0.3, () => money(random.whole(0, 700))),
    some(random, 0.3, () => money(random.whole(0, 599))),
    isWarehouse ? some(random, 0.9, () => money(random.whole(100, 500))) : '',
    some(random, 0.2, () => (marketplace === 'walmart' ? 'Apparel' : 'Unheard of')),
    random.happens(0.9) ? 'true' : 'false',
    some(random, 0.15, () => random.pick(['Paused', 'Own rule', 'eBay only'])),
  ].join(',');
}

function tiers(): string {
  return `marketplace,fulfillmentType,minWeightOz,maxWeightOz,cost
,FBM,0,16,3.99
,FBM,16,48,5.99
,FBM,48,80,8.99
walmart,FBA/WFS,0,30,0.40
`;
}

function rules(random: SeededRandom): string {
  const rule = (name: string, marketplace: string, fulfillment: string, isActive = true): string =>
    [
      ...[name, marketplace, fulfillment, random.pick(STRATEGIES), `${random.whole(0, 35)}.5`],
      some(random, 0.5, () => (random.happens(0.5) ? '-' : '') + money(random.whole(0, 150))),
      ...[String(isActive), random.pick(NO_COMPETITOR), random.pick(BELOW_FLOOR)],
      some(random, 0.5, () => '12.25'),
      some(random, 0.5, () => 'true'),
    ].join(',');
  return `name,marketplace,fulfillmentType,strategy,minimumMargin,competitorOffset,isActive,noCompetitor,belowFloor,marginWalmart,refuseCrossChannel
${rule('Own rule', '', 'All')}
${rule('Everywhere else', '', 'All')}
${rule('Walmart warehouse', 'walmart', 'FBA/WFS')}
${rule('Walmart', 'walmart', 'All')}
${rule('Amazon', 'amazon', 'FBM')}
${rule('eBay only', 'ebay', 'All')}
${rule('Paused', '', 'All', false)}
`;
}

function offers(random: SeededRandom, now: Date, listed: string): string {
  const rows: string[] = [];
  const isListed = (sku: string, marketplace: string): boolean =>
    listed.split('\n').some((row) => row.startsWith(`${sku},`) && row.includes(`,${marketplace},`));
  const none = (sku: string, marketplace: string, hours: number): void => {
    if (!isListed(sku, marketplace)) return;
    rows.push(`${marketplace},${sku},,,,,,${new Date(now.getTime() - hours * 3_600_000).toISOString()}`);
  };
  for (const marketplace of MARKETPLACES) {
    for (let n = 0; n < 6; n++) none(`B-${n}`, marketplace, random.whole(0, 30));
    none(REMOVED_SKU, marketplace, 1);
  }
  for (let n = 0; n < SKUS; n++) {
    for (const marketplace of MARKETPLACES.slice(0, 4)) {
      if (!isListed(`S-${n}`, marketplace)) continue;
      const count = random.whole(0, 4);
      if (count === 0) none(`S-${n}`, marketplace, random.whole(0, 30));
      for (let left = count; left > 0; left--) {
        const seenAt = new Date(now.getTime() - random.whole(0, 30 * 60) * 60_000).toISOString();
        const seller = random.happens(0.15) && marketplace === 'walmart' ? 'Walmart' : random.pick(SELLERS);
        rows.push(
          [
            ...[marketplace, `S-${n}`, seller, money(random.whole(300, 7_500)), money(random.whole(0, 499))],
            ...[random.pick(['FBM', 'FBA/WFS', '']), String(random.happens(0.3)), seenAt],
          ].join(','),
        );
      }
    }
  }
  return `marketplace,sku,seller,price,shipping,fulfillmentType,isFeatured,seenAt\n${rows.join('\n')}\n`;
}
