import type { AllowedPrices } from '#domain/limits/allowed-prices.ts';
import { highestText, lowestText, mapText, NO_LIMITS } from '#domain/limits/marketplace-limits.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { moneyText, percentText } from '#domain/text.ts';
import type { Bps, Cents } from '#domain/units.ts';
import { whyNothingAllowed } from './decide.ts';
import type { BlockReason } from './decision.ts';
import type { ListingFacts } from './facts.ts';
import { fixFor } from './fix.ts';
import { type ManualPriceCheck, type ManualPriceLimit, nearestAllowed } from './manual-price.ts';

interface RejectedPrice {
  readonly price: Cents;
  readonly facts: ListingFacts;
  readonly minimumMargin: Bps;
  readonly set: AllowedPrices | null;
}

/** Which limit rejects a manual price, and which price to use instead; null if it is allowed. */
export function refusalText(
  check: ManualPriceCheck,
  price: Cents,
  facts: ListingFacts,
  minimumMargin: Bps,
): string | null {
  if (check.isAllowed) return null;
  const { limit, set } = check;
  const refused = { price, facts, minimumMargin, set };
  return isBlock(limit) ? `${BLOCKS[limit](refused)} ${fixFor(limit, facts)}` : LIMITS[limit](refused);
}

type LimitText = (refused: RejectedPrice) => string;

const LIMITS = {
  floor: (refused) =>
    `${moneyText(refused.price)} is below ${priceOr(refused.set?.marginFloor)}, the lowest price that ${keepsText(refused)}. ${instead(refused)}`,
  fee_band_gap: (refused) =>
    `At ${moneyText(refused.price)} the fees are higher, so the price ${refused.minimumMargin === 0 ? 'loses money' : `does not keep your ${percentText(refused.minimumMargin)} margin`}. ${instead(refused)}`,
  min_price: (refused) =>
    `${moneyText(refused.price)} is below this listing's minimum price of ${priceOr(refused.facts.minPrice)}. ${instead(refused, 'lower the minimum price')}`,
  max_price: (refused) =>
    `${moneyText(refused.price)} is above this listing's maximum price of ${priceOr(refused.facts.maxPrice)}. ${instead(refused, 'raise the maximum price')}`,
  marketplace_min: (refused) =>
    `${moneyText(refused.price)} is below ${lowestText(refused.facts.marketplaceLimits?.min ?? (0 as Cents), refused.facts.marketplace)}. ${instead(refused, 'lower it there')}`,
  map_price: (refused) =>
    `${moneyText(refused.price)} is below ${mapText(refused.facts.marketplaceLimits ?? NO_LIMITS, refused.facts.marketplace)}. ${instead(refused, refused.facts.marketplaceLimits?.isMapOurs === true ? 'lower the MAP price' : 'lower it there')}`,
  marketplace_max: (refused) =>
    `${moneyText(refused.price)} is above ${highestText(refused.facts.marketplaceLimits?.max ?? (0 as Cents), refused.facts.marketplace)}. ${instead(refused, 'raise it there')}`,
  ceiling: (refused) =>
    `${moneyText(refused.price)} is above the price ceiling of ${priceOr(refused.set?.priceCeiling)}. ${instead(refused, 'set a maximum price for this listing')}`,
} as const satisfies Record<Exclude<ManualPriceLimit, BlockReason>, LimitText>;

const BLOCKS = {
  gone: ({ facts }) => `This listing is no longer on ${MARKETPLACE_NAMES[facts.marketplace]}.`,
  unreadable_price: () => 'The current price is missing or invalid.',
  unreadable_facts: () => 'A value of this listing is invalid.',
  unknown_cost: () => 'The total cost is unknown, so the margin cannot be checked.',
  no_fee_schedule: () => 'The fees are unknown, so the margin cannot be checked.',
  unreadable_rule: () => 'The rule has an invalid number.',
  margin_impossible: (refused) => `No price ${keepsText(refused)}.`,
  minimum_above_maximum: () => 'The minimum price is above the maximum price.',
  floor_above_maximum: () => 'The margin floor is above the maximum price.',
  minimum_above_ceiling: () => 'The minimum price is above the price ceiling.',
  range_not_legal: () => 'No price between the minimum and maximum price keeps the margin.',
  bounds_conflict: (refused) => `No allowed price fits the limits that you set on ${nameOf(refused)}.`,
  group_blocked: () => 'No price can be checked for a listing that shares this one.',
  group_conflict: () => 'No price is allowed for all listings that share it.',
} as const satisfies Record<BlockReason, LimitText>;

function isBlock(limit: ManualPriceLimit): limit is BlockReason {
  return limit in BLOCKS;
}

function keepsText({ minimumMargin }: RejectedPrice): string {
  return minimumMargin === 0 ? 'loses no money' : `keeps your ${percentText(minimumMargin)} margin`;
}

/** Which price to use instead; if none is allowed, how to fix that. */
function instead(refused: RejectedPrice, otherwise: string | null = null): string {
  const { set, price, facts, minimumMargin } = refused;
  if (set === null || set.ranges.length === 0) {
    return fixFor(set === null ? 'margin_impossible' : whyNothingAllowed(facts, minimumMargin, set), facts);
  }
  const near = nearestAllowed(set, price);
  const or = otherwise === null ? '' : `, or ${otherwise}`;
  if (near.length === 2) return `Use ${near.map(moneyText).join(' or ')}${or}.`;
  const [only] = near;
  return `Use ${priceOr(only)} or ${only !== undefined && only > price ? 'more' : 'less'}${or}.`;
}

function nameOf({ facts }: RejectedPrice): string {
  return MARKETPLACE_NAMES[facts.marketplace];
}

function priceOr(amount: Cents | null | undefined): string {
  return amount === null || amount === undefined ? 'an unknown price' : moneyText(amount);
}
