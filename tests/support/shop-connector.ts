import type {
  CatalogEnd,
  CatalogPage,
  FeePart,
  ListingFigures,
  MarketOffer,
  MarketplaceConnector,
  MarketplaceListing,
  PriceReading,
  SaleLine,
  SkippedListing,
  UnusableFees,
} from '#connectors/connector.ts';
import type { UnreadableRow } from '#connectors/passed-over.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { MoneyEvent, MoneyPage } from '#domain/money/money-event.ts';
import { type Cents, cents, type Instant } from '#domain/units.ts';
import type { Connection } from '#usecases/marketplaces/connections/connections.ts';
import { memoryVault } from './memory-vault.ts';

/** A shop whose contents a test writes itself; what it throws comes instead of the next answer of that method. */
export interface ShopConnector {
  readonly connection: Connection;
  /** Pages of the catalog. */
  catalog: (MarketplaceListing | SkippedListing)[][];
  /** How the catalog ends. */
  catalogEnd: CatalogEnd;
  catalogSource: CatalogPage['source'];
  /** What each SKU shows when it is requested alone; the others do not exist. */
  readonly shown: Map<string, Cents>;
  readonly offers: Map<string, readonly MarketOffer[]>;
  sales: (SaleLine | UnreadableRow)[][];
  /** Pages of what was booked; each reading gets those of its time. */
  money: (Pick<MoneyPage, 'events'> & Partial<MoneyPage>)[];
  /** The times for which money was read. */
  readonly moneyTimes: { readonly since: Instant; readonly until: Instant }[];
  readonly figures: Map<string, Omit<ListingFigures, 'kind' | 'listingId'>>;
  /** Fees of a SKU at a price. */
  readonly fees: Map<string, (price: Cents) => readonly FeePart[] | UnusableFees['because']>;
  /** Errors that the methods throw, by name, until they are removed. */
  readonly errors: Map<string, Error>;
  /** Names of the methods that were called, in order, with what they were asked. */
  readonly asked: string[];
  salesSince: Instant | null;
}

export function aListing(sku: string, over: Partial<MarketplaceListing> = {}): MarketplaceListing {
  return {
    kind: 'listing',
    sku,
    itemId: `item-${sku}`,
    title: `Product ${sku}`,
    imageUrl: null,
    price: cents(2_000),
    fulfillmentType: 'FBM',
    quantity: 5,
    isActive: true,
    notRepriceableReason: null,
    keys: {},
    ...over,
  };
}

export function aBooking(
  externalId: string,
  kind: MoneyEvent['kind'],
  amount: number,
  over: Partial<MoneyEvent> & Pick<MoneyEvent, 'postedAt'>,
): MoneyEvent {
  return {
    externalId,
    kind,
    rawType: kind,
    amount: cents(amount),
    orderRef: null,
    lineRef: null,
    sku: null,
    itemId: null,
    quantity: null,
    releasedAt: over.postedAt,
    settlementRef: null,
    ...over,
  };
}

export function aFee(kind: FeePart['kind'], amount: number, over: Partial<FeePart> = {}): FeePart {
  return { kind, name: kind, amount: cents(amount), promotion: cents(0), ...over };
}

export function aMarketOffer(price: number, over: Partial<MarketOffer> = {}): MarketOffer {
  return {
    sellerName: 'Corner Store',
    isMarketplace: false,
    isOurs: false,
    price: cents(price),
    shipping: cents(0),
    fulfillmentType: null,
    isFeatured: false,
    rating: null,
    ratingCount: null,
    handlingDays: null,
    ...over,
  };
}

export function shopConnector(marketplace: Marketplace, now: () => Instant): ShopConnector {
  const asked: string[] = [];
  const errors = new Map<string, Error>();
  const enter = (name: string, what = ''): void => {
    asked.push(what === '' ? name : `${name} ${what}`);
    const error = errors.get(name);
    if (error !== undefined) throw error;
  };
  const connector: MarketplaceConnector = {
    marketplace,
    finalRefusals: new Set(),
    itemReads: { callsPerSecond: 4, listingsPerCall: 1 },
    check: async () => ({ shopName: null, notes: [], endsAt: null }),
    sendPrices: async () => [],
    readPrices: async (_, sent) => {
      enter('prices', sent.map(({ ref }) => ref.sku).join(','));
      return sent.map(({ ref: { listingId, sku } }): PriceReading => {
        const price = shop.shown.get(sku);
        return price === undefined
          ? { listingId, kind: 'missing' }
          : { listingId, kind: 'price', price, source: 'item', refusal: null };
      });
    },
    async *readListings() {
      for (const page of shop.catalog) {
        enter('listings');
        yield { asOf: now(), source: shop.catalogSource, entries: page };
      }
      return shop.catalogEnd;
    },
    async *readOffers(_, refs) {
      enter('offers', refs.map(({ sku }) => sku).join(','));
      const seenAt = now();
      for (const { listingId, sku } of refs) {
        const offers = shop.offers.get(sku);
        if (offers === undefined) yield [{ kind: 'unread', listingId, why: 'No such item.' }];
        else yield [{ kind: 'offers', listingId, seenAt, offers, coverage: 'all' }];
      }
    },
    async *readSales(_, since) {
      enter('sales');
      shop.salesSince = since;
      yield* shop.sales;
    },
    async *readMoney(_, { since, until }) {
      enter('money');
      shop.moneyTimes.push({ since, until });
      for (const { events, settlements = [], refused = [], whole = [] } of shop.money) {
        // One of an impossible time comes with every answer.
        const inTime = events.filter(({ postedAt: at }) => at < 0 || (at >= since && at <= until));
        yield { events: inTime, settlements, refused, whole };
      }
    },
    async *readFigures(_, refs) {
      enter('figures');
      for (const { listingId, sku } of refs) {
        const figures = shop.figures.get(sku);
        if (figures !== undefined) yield [{ kind: 'figures', listingId, ...figures }];
      }
    },
    async *estimateFees(_, queries) {
      enter('fees', queries.map(({ ref }) => ref.sku).join(','));
      for (const { ref, price, shippingCharge } of queries) {
        const fees = shop.fees.get(ref.sku)?.(price);
        const requested = { listingId: ref.listingId, price, shippingCharge };
        if (typeof fees === 'string') yield [{ kind: 'unusable_fees', ...requested, because: fees }];
        else if (fees !== undefined) yield [{ kind: 'fees', ...requested, parts: fees }];
      }
    },
  };
  const account = { credentials: {}, tokens: memoryVault() };
  const shop: ShopConnector = {
    connection: { marketplace, connector, account, generation: 0 },
    catalog: [],
    catalogEnd: { total: null, unavailable: [] },
    catalogSource: 'list',
    shown: new Map(),
    sales: [],
    money: [],
    moneyTimes: [],
    asked,
    errors,
    offers: new Map(),
    figures: new Map(),
    fees: new Map(),
    salesSince: null,
  };
  return shop;
}
