import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { seeded } from './seeded.ts';

/** How large a generated shop is. */
export interface ShopSize {
  /** One SKU goes with each listing. */
  readonly listings: number;
  readonly offers: number;
}

/** Where the files of a generated shop are. */
export interface ShopFiles {
  readonly folder: string;
  readonly listings: string;
  readonly skus: string;
  readonly offers: string;
  readonly rules: string;
  readonly tiers: string;
  readonly fees: string;
}

/** The moment the files speak of; the offers were seen in the 30 hours before it. */
export const SHOP_NOW = '2026-11-21T12:00:00Z';
export const OUR_SELLER = 'Our Shop';

/** The bytes of a shop depend on its size alone, so files of an earlier run are used again. */
export function shopFiles(size: ShopSize, under: string): ShopFiles {
  const folder = join(under, `shop-${size.listings}-${size.offers}`);
  const path = (name: string): string => join(folder, name);
  const files = {
    folder,
    listings: path('listings.csv'),
    skus: path('skus.csv'),
    offers: path('offers.csv'),
    rules: path('rules.csv'),
    tiers: path('tiers.csv'),
    fees: path('fees.csv'),
  };
  if (existsSync(folder)) return files;
  // Written under another name first: a run that was stopped must not leave half a shop behind.
  const draft = `${folder}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  writeLines(join(draft, 'listings.csv'), listingLines(size));
  writeLines(join(draft, 'skus.csv'), skuLines(size));
  writeLines(join(draft, 'offers.csv'), offerLines(size));
  writeLines(join(draft, 'rules.csv'), RULE_LINES);
  writeLines(join(draft, 'tiers.csv'), tierLines());
  writeLines(join(draft, 'fees.csv'), FEE_LINES);
  renameSync(draft, folder);
  return files;
}

/** A listing's number gives its marketplace, SKU and price, whichever file asks. */
function listingOf(index: number) {
  const random = seeded(index);
  return {
    marketplace: MARKETPLACES[index % MARKETPLACES.length] ?? 'walmart',
    sku: `PW-${String(index).padStart(7, '0')}`,
    price: random.whole(700, 20_000),
    isWarehouse: index % MARKETPLACES.length < 2 && random.chance(0.3),
    random,
  };
}

function* listingLines({ listings }: ShopSize): Generator<string> {
  yield 'sku,title,currentPrice,fulfillmentType,walmartItemId,marketplace,minPrice,maxPrice,shippingCharge,fulfillmentCost,feeCategory,autoRepricingEnabled';
  for (let index = 0; index < listings; index += 1) {
    const { marketplace, sku, price, isWarehouse, random } = listingOf(index);
    const title = random.chance(0.3)
      ? `"Garden Hose, ${random.whole(2, 30)} m, 3/4"" brass end, item ${index}"`
      : `Stainless Steel Water Bottle ${random.whole(8, 40)} oz item ${index}`;
    const itemId = marketplace === 'walmart' ? String(100_000_000 + index) : '';
    const minimum = random.chance(0.2) ? money(Math.round(price / 2)) : '';
    const maximum = random.chance(0.2) ? money(price * 2) : '';
    const charge = random.chance(0.3) && !isWarehouse ? '4.99' : '';
    const fulfillment = isWarehouse ? money(random.whole(250, 600)) : '';
    const category = marketplace === 'walmart' && random.chance(0.3) ? 'Apparel' : '';
    const fulfillmentType = isWarehouse ? 'FBA/WFS' : 'FBM';
    yield `${sku},${title},${money(price)},${fulfillmentType},${itemId},${marketplace},${minimum},${maximum},${charge},${fulfillment},${category},${random.chance(0.97)}`;
  }
}

/** SKUs stand in an order of their own, as in an export of another program. */
function* skuLines({ listings }: ShopSize): Generator<string> {
  yield 'sku,name,productCost,weight,packagingCost,miscCost,veeqoId,tags';
  for (let row = 0; row < listings; row += 1) {
    const { sku, price, random } = listingOf(scattered(row, listings));
    const cost = random.chance(0.01) ? '' : money(Math.round((price * random.whole(30, 65)) / 100));
    yield `${sku},Item ${sku},${cost},${random.whole(1, 320) / 4},0.45,0.10,${row},summer|garden`;
  }
}

/** Offers too: those of one listing lie anywhere in the file. */
function* offerLines({ listings, offers }: ShopSize): Generator<string> {
  yield 'marketplace,sku,seller,price,shipping,fulfillmentType,isFeatured,seenAt,rating,ratingCount,handlingDays';
  const now = Date.parse(SHOP_NOW);
  for (let row = 0; row < offers; row += 1) {
    const random = seeded(-1 - row);
    const { marketplace, sku, price } = listingOf(scattered(row, listings));
    const seller = random.chance(0.05) ? OUR_SELLER : `Competitor ${random.whole(1, 400)}`;
    const requested = money(Math.round((price * random.whole(85, 130)) / 100));
    const shipping = random.chance(0.3) ? '3.99' : '0.00';
    const seenAt = new Date(now - random.whole(0, 30 * 3_600) * 1_000).toISOString();
    const fulfillmentType = random.chance(0.4) ? 'FBA/WFS' : 'FBM';
    yield `${marketplace},${sku},${seller},${requested},${shipping},${fulfillmentType},${row < listings},${seenAt},${random.whole(700, 1_000) / 10},${random.whole(0, 900)},${random.whole(0, 7)}`;
  }
}

const RULE_LINES = [
  'name,marketplace,fulfillmentType,strategy,minimumMargin,competitorOffset,isActive,marginWalmart,marginEbay,noCompetitor,belowFloor',
  'Beat on Walmart,walmart,All,Beat Competitor,10,0.05,true,12.5,,keep,floor',
  'Warehouse,,FBA/WFS,Match Competitor,12,,true,,,ceiling,floor',
  'Etsy and Shopify apart,etsy,FBM,Fixed Margin,18,,true,,,keep,floor',
  'All others,,All,Match Competitor,10,-0.01,true,,8,keep,skip',
];

const FEE_LINES = [
  'marketplace,category,percent,fixed,minimum,bandUpTo,bandKind,effectiveFrom',
  'walmart,,15,,,,whole,',
  'walmart,Apparel,5,,,15.00,whole,',
  'walmart,Apparel,10,,,20.00,whole,',
  'walmart,Apparel,15,,,,whole,',
  'amazon,,15,,0.30,,whole,',
  'michaels,,15,,,,whole,',
  'ebay,,13.6,0.30,,10.00,whole,',
  'ebay,,13.6,0.40,,,whole,',
  'etsy,,9.5,0.45,,,whole,',
  'shopify,,2.9,0.30,,,whole,',
];

function* tierLines(): Generator<string> {
  yield 'marketplace,fulfillmentType,minWeightOz,maxWeightOz,cost';
  for (const fulfillmentType of ['FBM', 'FBA/WFS']) {
    for (let from = 0; from < 96; from += 8) {
      yield `,${fulfillmentType},${from},${from + 8},${money(350 + from * 11)}`;
    }
  }
}

/** A number below `count` for each row, all of them once in `count` rows, neighbours far apart. */
function scattered(row: number, count: number): number {
  return (row * 611_953 + Math.floor(row / count) * 7) % count;
}

function money(amount: number): string {
  return (amount / 100).toFixed(2);
}

function writeLines(path: string, lines: Iterable<string>): void {
  const file = openSync(path, 'w');
  let chunk: string[] = [];
  for (const line of lines) {
    chunk.push(line);
    if (chunk.length === 10_000) {
      writeSync(file, `${chunk.join('\n')}\n`);
      chunk = [];
    }
  }
  if (chunk.length > 0) writeSync(file, `${chunk.join('\n')}\n`);
  closeSync(file);
}
