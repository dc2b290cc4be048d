import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { AmountInput, Money, Percent, percentInput } from './fields.ts';

/** Minimum and maximum of each limit, in the unit of its field; percentages in basis points, money in whole cents. */
export const LIMIT_RANGES = {
  checkIntervalMinutes: [1, 1_440],
  maxOfferAgeHours: [1, 720],
  maxStep: [100, 10_000],
  maxDailyChange: [100, 10_000],
  minStep: [1, 10_000],
  cooldownMinutes: [0, 10_080],
  priceWarThreshold: [2, 100],
  priceWarPauseHours: [0, 168],
  holdHours: [0, 720],
  // No value of these disables the check: the circuit breaker can be tuned, not turned off.
  breakerDropShare: [100, 5_000],
  breakerDropDepth: [100, 2_500],
  breakerSameOutcomeShare: [100, 5_000],
} as const satisfies Record<string, readonly [number, number]>;
export type LimitName = keyof typeof LIMIT_RANGES;

/** GET /api/repricing-limits: the limits that bound every rule. */
export const RepricingLimits = z.object({
  /** The Auto-Reprice switch: off, prices are only recommended. */
  autoRepricing: z.boolean(),
  checkIntervalMinutes: z.int(),
  /** Offers older than this do not count. Hours may be fractions, since minutes are stored. */
  maxOfferAgeHours: z.number(),
  /** Largest change of a price in one run, as a share of it. */
  maxStep: Percent,
  /** Largest change of a price within 24 hours. */
  maxDailyChange: Percent,
  minStep: Money,
  cooldownMinutes: z.int(),
  /** This many cuts within 24 hours against one competitor are a price war. */
  priceWarThreshold: z.int(),
  priceWarPauseHours: z.number(),
  /** How long a listing stays on hold after a manual price. */
  holdHours: z.number(),
  /** The circuit breaker halts when more than this share of the listings that may change would drop in one run, and likewise rise. */
  breakerDropShare: Percent,
  /** The change from which a price counts as dropped or risen. */
  breakerDropDepth: Percent,
  /**
   * It halts when more than this share would go to their margin floor, be newly blocked or get the same price,
   * unless earlier runs did.
   */
  breakerSameOutcomeShare: Percent,
  version: z.int(),
});
export type RepricingLimits = z.output<typeof RepricingLimits>;

const OFFER_AGE_MESSAGE = 'Enter whole hours from 1 to 72';

/** PUT /api/repricing-limits. `version` is the one the user saw: 409 when another user saved after that. */
export const EditRepricingLimits = z.strictObject({
  autoRepricing: z.boolean(),
  checkIntervalMinutes: count('checkIntervalMinutes', 'minutes'),
  maxOfferAgeHours: hours('maxOfferAgeHours'),
  maxStep: percentInput(...LIMIT_RANGES.maxStep),
  maxDailyChange: percentInput(...LIMIT_RANGES.maxDailyChange),
  minStep: AmountInput.refine(
    (amount) => amount >= LIMIT_RANGES.minStep[0] && amount <= LIMIT_RANGES.minStep[1],
    {
      message: 'Enter an amount from 0.01 to 100.00',
    },
  ),
  cooldownMinutes: count('cooldownMinutes', 'minutes'),
  priceWarThreshold: count('priceWarThreshold', 'times'),
  priceWarPauseHours: hours('priceWarPauseHours'),
  holdHours: hours('holdHours'),
  breakerDropShare: percentInput(...LIMIT_RANGES.breakerDropShare),
  breakerDropDepth: percentInput(...LIMIT_RANGES.breakerDropDepth),
  breakerSameOutcomeShare: percentInput(...LIMIT_RANGES.breakerSameOutcomeShare),
  version: z.int(),
});
export type EditRepricingLimits = z.output<typeof EditRepricingLimits>;
export type RepricingLimitsForm = z.input<typeof EditRepricingLimits>;

/** PUT /api/connections/{marketplace}/offer-age (admin): null is automatic. */
export const EditOfferAge = z.strictObject({
  hours: z.int(OFFER_AGE_MESSAGE).min(1, OFFER_AGE_MESSAGE).max(72, OFFER_AGE_MESSAGE).nullable(),
});
export type EditOfferAge = z.output<typeof EditOfferAge>;

/** The maximum offer age of a marketplace: what is older does not count. */
export const OfferAge = z.object({
  /** The one that counts. Hours may be fractions, since the repricing limits may. */
  hours: z.number(),
  /** The one that an administrator chose; null for automatic. */
  chosen: z.number().nullable(),
  /**
   * That of the repricing limits or, if it is longer, the one in which the calls that the marketplace allows reach all of
   * its listings, 72 hours at most.
   */
  automatic: z.number(),
});
export type OfferAge = z.output<typeof OfferAge>;

function count(name: LimitName, unit: string) {
  const [least, most] = LIMIT_RANGES[name];
  const message = `Enter a whole number of ${unit} from ${least} to ${most}`;
  return z.int(message).min(least, message).max(most, message);
}

/** Hours that are whole minutes: 1.5 is, 0.001 is not. */
function hours(name: LimitName) {
  const [least, most] = LIMIT_RANGES[name];
  const message = `Enter hours from ${least} to ${most}, such as 6 or 1.5`;
  return z
    .number(message)
    .min(least, message)
    .max(most, message)
    .refine((value) => Number.isInteger(value * 60), message);
}

const SellerName = z.string().trim().min(1, 'Enter the name of a seller').max(500);

/** GET /api/own-sellers: our seller names on each marketplace, all six in the order of every screen. */
export const OwnSellers = z.object({
  marketplaces: z.array(
    z.object({
      marketplace: z.enum(MARKETPLACES),
      names: z.array(z.string()),
      listings: z.int(),
      /** The third-party sellers seen most often in the stored offers that are not ours, at most eight. */
      suggestions: z.array(z.object({ name: z.string(), listings: z.int() })),
    }),
  ),
});
export type OwnSellers = z.output<typeof OwnSellers>;

/** PUT /api/own-sellers replaces the names of the marketplaces it lists; an empty list declares no seller. */
export const EditOwnSellers = z.strictObject({
  marketplaces: z
    .array(z.strictObject({ marketplace: z.enum(MARKETPLACES), names: z.array(SellerName).max(50) }))
    .min(1)
    .max(MARKETPLACES.length)
    .refine(
      (list) => new Set(list.map(({ marketplace }) => marketplace)).size === list.length,
      'Each marketplace once',
    ),
});
export type EditOwnSellers = z.output<typeof EditOwnSellers>;
