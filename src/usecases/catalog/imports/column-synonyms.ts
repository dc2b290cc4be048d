import type { ImportKind } from '#contract/imports.ts';
import { plainName } from '#files/header.ts';

type Synonyms = Readonly<Record<string, readonly string[]>>;

/** What stores and tools call the SKU code. */
const CODE = [
  ...['item sku', 'seller sku', 'product sku', 'merchant sku', 'msku', 'sku code', 'sku number', 'sku id'],
  ...['item code', 'product code', 'article number', 'article code', 'part number', 'item number', 'code'],
  ...[
    'vendor sku',
    'supplier sku',
    'variant sku',
    'custom label',
    'model number',
    'style number',
    'stock code',
  ],
  ...['item no', 'part no', 'article no', 'item id', 'part', 'model', 'item', 'artikelnummer', 'artikel nr'],
];
const FULFILLMENT = [
  'fulfillment',
  'fulfilment',
  'fulfillment channel',
  'fulfilled by',
  'fulfillment method',
  ...['shipped by', 'ships from', 'ship from', 'shipping method'],
];
const BRAND = [
  'brand name',
  'manufacturer',
  'manufacturer name',
  'mfr',
  'mfg',
  'maker',
  'make',
  'hersteller',
  'marke',
];
const SUPPLIER = [
  'vendor',
  'supplier name',
  'vendor name',
  'distributor',
  'wholesaler',
  'purchased from',
  'preferred vendor',
  'lieferant',
];
const CHANNEL = ['channel', 'sales channel', 'platform', 'market', 'site'];

/** What sellers call our columns, most likely first. */
const SYNONYMS: Readonly<Record<ImportKind, Synonyms>> = {
  skus: {
    sku: CODE,
    name: [
      ...['item name', 'product name', 'title', 'product title', 'item description', 'product description'],
      ...['description', 'desc', 'product', 'bezeichnung', 'artikelbezeichnung'],
    ],
    productCost: [
      ...['cogs', 'unit cost', 'item cost', 'cost per item', 'cost per unit', 'cost unit', 'cost price'],
      ...['purchase price', 'cost of goods', 'cost of goods sold', 'landed cost', 'total landed cost'],
      ...['landed cost incl freight', 'average unit cost', 'average cost', 'buy cost', 'purchase cost'],
      ...[
        'supplier price',
        'dealer cost',
        'dealer price',
        'wholesale cost',
        'wholesale price',
        'trade price',
      ],
      ...[
        'net cost',
        'net price',
        'avg cost',
        'avg unit cost',
        'our cost',
        'my cost',
        'your cost',
        'unit price',
      ],
      ...['ek', 'ek preis', 'einkaufspreis', 'cost'],
    ],
    weight: [
      'ship weight',
      'shipping weight',
      'item weight',
      'package weight',
      'packed weight',
      'unit weight',
      ...['gross weight', 'ship wt', 'item wt', 'wt', 'gewicht'],
    ],
    packagingCost: ['pack cost', 'packing cost', 'box cost', 'packaging'],
    miscCost: ['other cost', 'other costs', 'additional cost', 'extra cost', 'prep cost', 'misc'],
    veeqoId: ['veeqo', 'veeqo product id', 'sellable id'],
    tags: ['tag', 'label', 'labels', 'keywords'],
    brand: BRAND,
    supplier: SUPPLIER,
  },
  listings: {
    sku: CODE,
    title: ['item name', 'product name', 'listing title', 'product title', 'name', 'description'],
    currentPrice: [
      'your price',
      'my price',
      'our price',
      'selling price',
      'listing price',
      'item price',
      'variant price',
      'price',
      ...['verkaufspreis', 'vk preis'],
    ],
    fulfillmentType: FULFILLMENT,
    marketplace: CHANNEL,
    marketplaceItemId: [
      ...['asin', 'walmart item id', 'item id', 'listing id', 'ebay item number', 'marketplace id'],
    ],
    imageUrl: ['image', 'image link', 'main image', 'picture', 'photo'],
    minPrice: ['minimum price', 'price floor', 'floor price', 'lowest price', 'min'],
    maxPrice: ['maximum price', 'price ceiling', 'ceiling price', 'highest price', 'max'],
    shippingCost: ['ship cost', 'postage cost', 'postage'],
    shippingCharge: ['shipping price', 'ship charge', 'buyer shipping', 'shipping charged'],
    fulfillmentCost: [
      ...['fba fee', 'fba fees', 'wfs fee', 'wfs fees', 'fulfillment fee', 'expected fulfillment fee'],
    ],
    feeCategory: ['category', 'product category', 'referral category'],
    autoRepricingEnabled: ['auto repricing', 'auto reprice', 'repricing enabled', 'repricing'],
    rule: ['rule name', 'repricing rule'],
    mapPrice: ['map', 'minimum advertised price'],
    brand: BRAND,
    supplier: SUPPLIER,
  },
  offers: {
    marketplace: CHANNEL,
    sku: CODE,
    seller: ['seller name', 'competitor', 'competitor name', 'sold by', 'merchant', 'store name', 'store'],
    price: ['offer price', 'competitor price', 'item price', 'listing price', 'their price'],
    shipping: ['shipping price', 'shipping cost', 'ship price', 'shipping fee', 'delivery', 'postage'],
    fulfillmentType: FULFILLMENT,
    isFeatured: ['buy box', 'buybox', 'buy box winner', 'buy box owner', 'featured offer', 'featured'],
    seenAt: [
      ...['seen', 'last seen', 'date seen', 'checked at', 'last checked', 'captured at', 'observed at'],
      ...['scraped at', 'updated at', 'timestamp', 'date', 'time'],
    ],
    rating: ['seller rating', 'feedback rating', 'positive feedback'],
    ratingCount: ['feedback count', 'number of ratings', 'ratings', 'reviews'],
    handlingDays: ['handling time', 'handling', 'days to ship', 'lead time'],
  },
  bundles: {
    listing_sku: ['bundle sku', 'kit sku', 'set sku', 'parent sku', 'bundle'],
    component_sku: ['component', 'child sku', 'part sku', 'item sku'],
    quantity: ['qty', 'units', 'pieces', 'count'],
  },
  tiers: {
    marketplace: CHANNEL,
    fulfillmentType: FULFILLMENT,
    minWeightOz: ['min weight', 'minimum weight', 'weight from', 'from weight', 'from'],
    maxWeightOz: ['max weight', 'maximum weight', 'weight to', 'to weight', 'to'],
    cost: ['shipping cost', 'rate', 'price', 'amount'],
  },
  rules: {
    name: ['rule name', 'rule'],
    minimumMargin: ['min margin', 'margin'],
    competitorOffset: ['offset'],
    fulfillmentType: FULFILLMENT,
    isActive: ['active', 'enabled'],
  },
  fees: {
    marketplace: CHANNEL,
    category: ['fee category', 'product category'],
    percent: ['percentage', 'fee percent', 'referral fee', 'commission', 'rate'],
    fixed: ['fixed fee'],
    minimum: ['minimum fee', 'min fee'],
    bandUpTo: ['up to'],
    effectiveFrom: ['effective date', 'valid from', 'from'],
  },
};

const MONEY: ReadonlySet<string> = new Set([
  ...['productCost', 'packagingCost', 'miscCost', 'currentPrice', 'minPrice', 'maxPrice', 'shippingCost'],
  ...['shippingCharge', 'fulfillmentCost', 'price', 'shipping', 'cost', 'fixed', 'perUnit', 'minimum'],
]);

/** Words that make a heading another amount, unless our name has them: "Old Cost Price" is not the current cost. */
const OTHER_MONEY: ReadonlySet<string> = wordList(`
  not no non without excluding excl old previous prev prior former was before original competitor competitors
  competing rival their market total sum subtotal estimated estimate est expected suggested recommended
  average avg median min minimum lowest max maximum highest list retail msrp rrp map compare shipping ship
  freight postage delivery tax vat duty fee fees discount rebate profit margin markup percent percentage pct
  change difference currency date type code id updated source note notes
`);
/** For files of competitor offers. */
const OTHER_MONEY_IN_OFFERS: ReadonlySet<string> = new Set([...OTHER_MONEY, 'our', 'my', 'your']);

/** Units and currencies after the name in a heading. */
const UNITS = new Set([
  ...['oz', 'ounce', 'ounces', 'lb', 'lbs', 'pound', 'pounds', 'kg', 'kgs', 'g', 'gr', 'gram', 'grams'],
  ...['usd', 'us', 'in', 'inch', 'inches', 'cm', 'mm', 'each'],
]);

/**
 * Ways to say that a tax is not included. For a seller who reclaims it that is the cost; as a price it means that
 * buyers pay more.
 */
const WITHOUT_TAX = /\b(?:excl|excluding|ex|without|net of)\.? (?:vat|tax|gst)\b/i;
const COSTS: ReadonlySet<string> = new Set(['productCost', 'packagingCost', 'miscCost']);

function wordList(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** The words of a heading without its unit: "Ship Weight (lb)" is ship, weight. */
function wordsOf(heading: string): string[] {
  const words = heading
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const named = words.filter((word) => !UNITS.has(word));
  return named.length > 0 ? named : words;
}

/** Whether a heading is our own name of a column, ignoring a unit: "Weight (lb)", "Product Cost ($)". */
export function isOwnName(name: string, heading: string): boolean {
  return wordsOf(heading).join('') === wordsOf(name).join('');
}

/** Columns of a file that are likely ours. */
export interface ColumnGuesses {
  /** Positions in the header, by our names; no position twice. */
  readonly found: Readonly<Record<string, number>>;
  /** Our columns for which a free column has a similar name, but another kind of amount: the user must decide. */
  readonly doubted: readonly string[];
}

/**
 * Columns of a file that are probably ours under another name. The user must confirm them.
 * @param open our columns that have no column yet
 * @param isFree whether a column of the file is unused
 */
export function guessColumns(
  kind: ImportKind,
  header: readonly string[],
  open: readonly string[],
  isFree: (at: number) => boolean,
): ColumnGuesses {
  const scoresOf = (name: string, vetoes: ReadonlySet<string> | null) =>
    header.flatMap((heading, at) => {
      const words = wordsOf(COSTS.has(name) ? heading.replace(WITHOUT_TAX, ' ') : heading);
      const score = isFree(at) ? likeness(words, name, SYNONYMS[kind][name] ?? [], vetoes) : 0;
      return score === 0 ? [] : [{ name, at, score }];
    });
  const scored = open.flatMap((name) => scoresOf(name, vetoesOf(kind, name)));
  const found: Record<string, number> = {};
  const taken = new Set<number>();
  for (const { name, at } of scored.sort((a, b) => b.score - a.score)) {
    if (name in found || taken.has(at)) continue;
    found[name] = at;
    taken.add(at);
  }
  const isDoubted = (name: string): boolean =>
    !(name in found) && MONEY.has(name) && scoresOf(name, null).some(({ at }) => !taken.has(at));
  return { found, doubted: open.filter(isDoubted) };
}

/** How likely a column of another name is the one that it is offered for. */
export type Confidence = 'likely' | 'possible';

/** `likely` for a name that sellers use for our column, `possible` for one that has its words, or a typo. */
export function confidenceIn(kind: ImportKind, name: string, heading: string): Confidence {
  const words = wordsOf(COSTS.has(name) ? heading.replace(WITHOUT_TAX, ' ') : heading);
  const score = likeness(words, name, SYNONYMS[kind][name] ?? [], vetoesOf(kind, name));
  return score >= KNOWN_NAME - MOST_SYNONYMS ? 'likely' : 'possible';
}

/** The score of the first synonym; each further one has one less. */
const KNOWN_NAME = 1_000;
const MOST_SYNONYMS = 100;

/** Words that a heading must not have besides those of a synonym; null where any are allowed. */
function vetoesOf(kind: ImportKind, name: string): ReadonlySet<string> | null {
  if (!MONEY.has(name)) return null;
  return kind === 'offers' ? OTHER_MONEY_IN_OFFERS : OTHER_MONEY;
}

/**
 * How similar a heading is to a column: 0 for not at all, more for a synonym that comes first, less for a similar
 * spelling.
 */
function likeness(
  words: readonly string[],
  name: string,
  synonyms: readonly string[],
  vetoes: ReadonlySet<string> | null,
): number {
  const joined = words.join('');
  if (joined === '') return 0;
  const names = [wordsOf(name).join(''), ...synonyms.map(plainName)];
  const exact = names.indexOf(joined);
  if (exact >= 0) return KNOWN_NAME - exact;
  const within = synonyms.findIndex((synonym) => {
    const parts = synonym.split(' ');
    if (parts.length < 2 || !parts.every((part) => words.includes(part))) return false;
    return (
      vetoes === null ||
      (isInOrder(parts, words) && !words.some((word) => vetoes.has(word) && !parts.includes(word)))
    );
  });
  if (within >= 0) return 500 - within;
  const typo = names.findIndex((each) => each.length > 4 && isOneSlipAway(each, joined));
  return typo >= 0 ? 100 - typo : 0;
}

/** "Item Price incl. Shipping" is no shipping price. */
function isInOrder(parts: readonly string[], words: readonly string[]): boolean {
  const places = parts.map((part) => words.indexOf(part));
  return places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0));
}

/** One letter too many, too few or different. */
function isOneSlipAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  const [restA, restB] = [a.slice(at), b.slice(at)];
  return (
    restA.slice(1) === restB.slice(1) ||
    (a.length > b.length && restA.slice(1) === restB) ||
    (b.length > a.length && restB.slice(1) === restA)
  );
}
