import type { Marketplace } from '#domain/marketplaces.ts';
import { type Cents, cents, type Instant } from '#domain/units.ts';
import { Chance } from '#sandbox/world/chance.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import { exactCommission, type FeeCategory, rounded } from './category.ts';
import { HAS_CATEGORIES, PUBLISHED, publishedFor } from './published-categories.ts';
import { changedCategory, drawCategories } from './secret-categories.ts';
import { drawMeasures, type Measures, type SizeFee, warehouseFee } from './warehouse-fees.ts';

const DAY = 86_400_000;
/** The share of listings in another category than their product type suggests. */
const MISPLACED = 0.1;
/** The share of listings with a promotion of their commission, and of those the announced ones that never come. */
const PROMOTED = 0.06;
const FALSE_PROMOTIONS = 0.34;

/** When the marketplaces change what they charge; by default they never do. */
export interface FeePlan {
  /** From then on a third of the categories have other rates. */
  readonly ratesChangeAt?: Instant;
  /** The warehouses charge more for each unit from the first time until before the second. */
  readonly season?: { readonly from: Instant; readonly to: Instant };
}

/** A promotion of a listing's commission. */
export interface Promotion {
  /** The waived share of the commission in basis points; 10,000 for a false one. */
  readonly share: number;
  readonly until: Instant;
  /** Estimates name it, sales are charged without it. */
  readonly isFalse: boolean;
}

/** What the marketplace takes for an order line, in cents. */
export interface LineFees {
  /** Before `waived`, shipping included. */
  readonly commission: Cents;
  /** The part of the commission that is taken on shipping. */
  readonly commissionOnShipping: Cents;
  /** The part of the commission that a promotion waives. */
  readonly waived: Cents;
  readonly closing: Cents;
  readonly perOrder: Cents;
  readonly renewal: Cents;
  readonly payment: Cents;
  readonly fulfillment: Cents;
}

/** A line as its fees see it. */
export interface FeeBasis {
  readonly unitPrice: Cents;
  /** For the whole line. */
  readonly shipping: Cents;
  readonly quantity: number;
  /** Sales tax on the line. */
  readonly tax: Cents;
  readonly at: Instant;
  /** The last unit is in it: Etsy does not renew the listing then. */
  readonly isSoldOut?: boolean;
}

/** Everything that the marketplace takes for the line. */
export function totalOf(fees: LineFees): Cents {
  const { commission, waived, closing, perOrder, renewal, payment, fulfillment } = fees;
  return cents(commission - waived + closing + perOrder + renewal + payment + fulfillment);
}

/**
 * What one marketplace truly takes: categories and measures that no call reports in full. Written from the marketplaces'
 * own pages, apart from the schedules of the product.
 */
export class FeeTruth {
  readonly #marketplace: Marketplace;
  readonly #chance: Chance;
  readonly #startsAt: Instant;
  readonly #plan: FeePlan;
  readonly #secret: readonly FeeCategory[];
  readonly #changed = new Map<FeeCategory, FeeCategory>();

  /** @param seed of the marketplace in its world */
  constructor(marketplace: Marketplace, seed: string, startsAt: Instant, plan: FeePlan = {}) {
    this.#marketplace = marketplace;
    this.#chance = new Chance(`${seed}/fees`);
    this.#startsAt = startsAt;
    this.#plan = plan;
    this.#secret = HAS_CATEGORIES.has(marketplace)
      ? drawCategories(this.#chance.for('categories'), marketplace === 'amazon')
      : [];
    // Etsy, Shopify and Michaels charge every listing the same and keep their rates.
    for (const category of HAS_CATEGORIES.has(marketplace) ? this.categories() : []) {
      this.#changed.set(category, changedCategory(category, this.#chance.for(`change ${category.name}`)));
    }
  }

  /** As they are at the start, published ones first. */
  categories(): readonly FeeCategory[] {
    return [...PUBLISHED[this.#marketplace], ...this.#secret];
  }

  /** The category that a product type suggests; one that no page names has secret rates. */
  suggestedFor(productType: string): FeeCategory {
    const published = publishedFor(this.#marketplace, productType);
    return published ?? this.#chance.for(`type ${productType}`).pick(this.#secret);
  }

  /** The listing's true category with its rates at that time. */
  categoryOf({ sku, category }: Pick<MarketItem, 'sku' | 'category'>, at: Instant): FeeCategory {
    const suggested = this.suggestedFor(category);
    const chance = this.#chance.for(`place ${sku}`);
    const others = this.categories().filter((one) => one !== suggested);
    const isMisplaced = others.length > 0 && chance.happens(MISPLACED);
    const found = isMisplaced ? chance.pick(others) : suggested;
    const { ratesChangeAt } = this.#plan;
    const isChanged = ratesChangeAt !== undefined && at >= ratesChangeAt;
    return isChanged ? (this.#changed.get(found) ?? found) : found;
  }

  /** Null without one at that time. Only Amazon and Walmart promote commissions. */
  promotionOf(sku: string, at: Instant): Promotion | null {
    if (this.#marketplace !== 'amazon' && this.#marketplace !== 'walmart') return null;
    const chance = this.#chance.for(`promotion ${sku}`);
    if (!chance.happens(PROMOTED)) return null;
    const isFalse = this.#marketplace === 'amazon' && chance.happens(FALSE_PROMOTIONS);
    const share = isFalse ? 10_000 : chance.pick([2_500, 5_000]);
    const until = (this.#startsAt + chance.whole(20, 120) * DAY) as Instant;
    return at < until ? { share, until, isFalse } : null;
  }

  measuresOf({ sku, weightOunces }: Pick<MarketItem, 'sku' | 'weightOunces'>): Measures {
    return drawMeasures(weightOunces, this.#chance.for(`measures ${sku}`));
  }

  /** The warehouse's fee for one unit at that price. */
  warehouseFeeOf(item: Pick<MarketItem, 'sku' | 'weightOunces'>, price: Cents, at: Instant): SizeFee {
    const { size, fee } = warehouseFee(this.#marketplace, this.measuresOf(item), price, at);
    return { size, fee: fee + this.#seasonExtra(size, at) };
  }

  /** What is charged for a sold line; `tax` counts where the marketplace takes its share of it. */
  feesFor(
    item: Pick<MarketItem, 'sku' | 'category' | 'weightOunces' | 'fulfillmentType'>,
    basis: FeeBasis,
  ): LineFees {
    const { unitPrice, shipping, quantity, tax, at, isSoldOut = false } = basis;
    const category = this.categoryOf(item, at);
    const { commission, onShipping } = this.#commissionOf(category, basis);
    const promotion = this.promotionOf(item.sku, at);
    const share = promotion === null || promotion.isFalse ? 0 : promotion.share;
    const total = unitPrice * quantity + shipping + tax;
    const { payment, renewal, perOrder } = OTHER_FEES[this.#marketplace];
    const isTheirs = item.fulfillmentType === 'FBA/WFS';
    return {
      commission: cents(commission),
      commissionOnShipping: cents(onShipping),
      waived: cents(rounded(commission * share)),
      closing: cents(category.closing * quantity),
      perOrder: cents(perOrder(total)),
      renewal: cents(renewal * (isSoldOut ? quantity - 1 : quantity)),
      payment: cents(payment === null ? 0 : rounded(total * payment.rate) + payment.fixed),
      fulfillment: cents(isTheirs ? quantity * this.warehouseFeeOf(item, unitPrice, at).fee : 0),
    };
  }

  #commissionOf(category: FeeCategory, { unitPrice, shipping, quantity, tax }: FeeBasis) {
    const goods = unitPrice * quantity;
    if (this.#marketplace === 'etsy') {
      const onShipping = rounded(exactCommission(category, shipping));
      return { commission: rounded(exactCommission(category, goods)) + onShipping, onShipping };
    }
    const taken = shipping + (this.#marketplace === 'ebay' ? tax : 0);
    const exact = perUnit(taken, quantity).map((part) =>
      Math.max(exactCommission(category, unitPrice + part), category.minimum * 10_000),
    );
    const isRoundedByUnit = this.#marketplace === 'amazon';
    const commission = isRoundedByUnit ? sum(exact.map(rounded)) : rounded(sum(exact));
    const revenue = goods + shipping;
    return { commission, onShipping: revenue === 0 ? 0 : Math.round((commission * shipping) / revenue) };
  }

  #seasonExtra(size: string, at: Instant): number {
    const { season } = this.#plan;
    if (season === undefined || at < season.from || at >= season.to) return 0;
    return this.#chance.for(`season ${size}`).whole(15, 60);
  }
}

interface OtherFees {
  readonly payment: { readonly rate: number; readonly fixed: number } | null;
  readonly renewal: number;
  /** @param total with sales tax */
  readonly perOrder: (total: number) => number;
}

const NONE: OtherFees = { payment: null, renewal: 0, perOrder: () => 0 };

const OTHER_FEES: Readonly<Record<Marketplace, OtherFees>> = {
  amazon: NONE,
  walmart: NONE,
  ebay: { ...NONE, perOrder: (total) => (total <= 1_000 ? 30 : 40) },
  etsy: { ...NONE, payment: { rate: 300, fixed: 25 }, renewal: 20 },
  shopify: { ...NONE, payment: { rate: 290, fixed: 30 } },
  michaels: NONE,
};

/** An amount of a line split over its units, the larger parts first. */
function perUnit(amount: number, quantity: number): number[] {
  return Array.from({ length: quantity }, (_, at) => Math.floor((amount + quantity - 1 - at) / quantity));
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, one) => all + one, 0);
}
