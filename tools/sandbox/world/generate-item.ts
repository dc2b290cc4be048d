import type { Marketplace } from '#domain/marketplaces.ts';
import { bps, type Cents, cents, type Instant } from '#domain/units.ts';
import type { CompetitorPlan, ItemPlan } from './catalog.ts';
import type { Chance } from './chance.ts';
import { wholeCents } from './competitors.ts';
import { USUAL_FORM } from './ebay-form.ts';
import type { Habit, MutableCompetitor, MutableItem } from './item.ts';
import { namesFor, sellerIdFor, shopName } from './names.ts';
import { NO_TERMS } from './terms.ts';

/** The largest number of generated competitors, and the marketplace's own seller ID if it sells items too. */
const COMPETITION: Readonly<Record<Marketplace, { readonly most: number; readonly itself: string | null }>> =
  {
    amazon: { most: 5, itself: 'ATVPDKIKX0DER' },
    walmart: { most: 4, itself: 'Walmart.com' },
    ebay: { most: 4, itself: null },
    etsy: { most: 0, itself: null },
    shopify: { most: 0, itself: null },
    michaels: { most: 0, itself: null },
  };

const GENERATED_HABITS: readonly Habit[] = [
  'undercutter',
  'follower',
  'stubborn',
  'sleeper',
  'comes_and_goes',
];

/** The item of a plan with its missing values generated. The same for the same stream. */
export function generateItem(plan: ItemPlan, now: Instant, chance: Chance): MutableItem {
  // Stream names are part of the seed: renaming one changes every generated world.
  const names = namesFor(plan.marketplace, chance.for('names'));
  const competitors = (plan.competitors ?? generateCompetitors(plan, chance.for('rivals'))).map(
    (competitor, at) => generateCompetitor(competitor, chance.for(`rival ${at}`)),
  );
  return {
    sku: plan.sku,
    itemId: plan.itemId ?? names.itemId,
    keys: { ...names.keys, ...plan.keys },
    title: plan.title,
    imageUrl: plan.imageUrl ?? null,
    brand: plan.brand ?? 'Pricewright Sandbox',
    category: plan.category ?? 'Home',
    fulfillmentType: plan.fulfillmentType,
    price: plan.price,
    salePrice: null,
    terms: { ...NO_TERMS, ...plan.terms },
    ebay: { ...USUAL_FORM, ...plan.ebay },
    variation: plan.variation ?? null,
    shippingCharge: plan.shippingCharge ?? cents(0),
    quantity: plan.quantity ?? chance.whole(20, 200),
    isActive: plan.isActive ?? true,
    handlingDays: plan.handlingDays ?? (plan.fulfillmentType === 'FBA/WFS' ? 0 : chance.whole(1, 3)),
    weightOunces: plan.weightOunces ?? chance.whole(4, 64),
    competitors,
    reviewCount: chance.whole(0, 900),
    averageRating: chance.whole(310, 490),
    salesRank: chance.whole(120, 90_000),
    createdAt: plan.createdAt ?? now,
    updatedAt: now,
    views: 0,
    featuredViews: 0,
    unitsSold: 0,
  };
}

function generateCompetitors(plan: ItemPlan, chance: Chance): CompetitorPlan[] {
  const { most, itself } = COMPETITION[plan.marketplace];
  const competitors: CompetitorPlan[] = [];
  if (most === 0) return competitors;
  if (itself !== null && chance.happens(0.25)) {
    competitors.push({
      name: plan.marketplace === 'amazon' ? 'Amazon.com' : itself,
      sellerId: itself,
      habit: 'marketplace',
      fulfillmentType: 'FBA/WFS',
      shippingCharge: cents(0),
      price: near(plan.price, 0.96, 1.12, chance),
    });
  }
  for (let count = chance.whole(0, most); count > 0; count--) {
    competitors.push({
      name: shopName(chance),
      habit: chance.pick(GENERATED_HABITS),
      price: near(plan.price, 0.92, 1.2, chance),
    });
  }
  return competitors;
}

function near(price: Cents, low: number, high: number, chance: Chance): Cents {
  return wholeCents(price * chance.between(low, high));
}

function generateCompetitor(plan: CompetitorPlan, chance: Chance): MutableCompetitor {
  const fulfillmentType = plan.fulfillmentType ?? (chance.happens(0.4) ? 'FBA/WFS' : 'FBM');
  const isQuick = fulfillmentType === 'FBA/WFS';
  return {
    sellerId: plan.sellerId ?? sellerIdFor(chance),
    name: plan.name,
    habit: plan.habit,
    fulfillmentType,
    price: plan.price,
    shippingCharge: plan.shippingCharge ?? cents(isQuick || chance.happens(0.5) ? 0 : chance.whole(299, 699)),
    isInStock: plan.isInStock ?? true,
    rating: plan.rating ?? bps(chance.whole(8_500, 10_000)),
    ratingCount: chance.whole(12, 40_000),
    handlingDays: isQuick ? 0 : chance.whole(1, 4),
    lowest: plan.lowest ?? near(plan.price, 0.7, 0.9, chance),
    usual: plan.price,
  };
}
