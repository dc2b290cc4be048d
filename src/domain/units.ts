/** A number with a unit in its type, so that a share can never be added to money. */
type Unit<Name extends string> = number & { readonly __unit: Name };

/** Money: whole US cents. 1999 is $19.99. */
export type Cents = Unit<'cents'>;
/** A share: basis points. 10,000 is 100%, 1,250 is 12.5%. */
export type Bps = Unit<'bps'>;
/** Weight: ounces, fractions allowed. */
export type Ounces = Unit<'ounces'>;
/** A point in time: milliseconds since 1970-01-01 UTC. The domain has no clock; times are arguments. */
export type Instant = Unit<'instant'>;
/** A duration in milliseconds. */
export type Millis = Unit<'millis'>;

/** The largest price or cost: `numeric(10,2)`, $99,999,999.99. */
export const MAX_CENTS = 9_999_999_999 as Cents;
/** 100 %. */
export const WHOLE = 10_000 as Bps;

/**
 * The only constructor of money.
 * @param amount whole cents, may be negative (an offset, a loss)
 * @throws RangeError for fractions, NaN, infinities and amounts beyond `numeric(10,2)`
 */
export function cents(amount: number): Cents {
  if (!Number.isInteger(amount) || Math.abs(amount) > MAX_CENTS) {
    throw new RangeError(`not an amount in whole cents: ${amount}`);
  }
  return amount as Cents;
}

/**
 * @param share whole basis points, may be negative (a margin can be a loss)
 * @throws RangeError for fractions and anything not finite
 */
export function bps(share: number): Bps {
  if (!Number.isSafeInteger(share)) throw new RangeError(`not whole basis points: ${share}`);
  return share as Bps;
}

/**
 * @param weight ounces, zero or more
 * @throws RangeError for negative weights and anything not finite
 */
export function ounces(weight: number): Ounces {
  if (!Number.isFinite(weight) || weight < 0) throw new RangeError(`not a weight: ${weight}`);
  return weight as Ounces;
}

/**
 * @param epochMillis milliseconds since 1970-01-01 UTC
 * @throws RangeError for anything that is not a finite whole number
 */
export function instant(epochMillis: number): Instant {
  if (!Number.isSafeInteger(epochMillis)) throw new RangeError(`not a moment: ${epochMillis}`);
  return epochMillis as Instant;
}

/** @param hours zero or more */
export function hours(hours: number): Millis {
  return (hours * 3_600_000) as Millis;
}

/** @param minutes zero or more */
export function minutes(minutes: number): Millis {
  return (minutes * 60_000) as Millis;
}

/** @param seconds zero or more */
export function seconds(seconds: number): Millis {
  return (seconds * 1_000) as Millis;
}

/**
 * Whether a value is a whole number. Taken from `Number` once, because that keeps the checks below so short (27 bytes of
 * bytecode at most) that V8 inlines them wherever they are called, which is 20 times in a decision.
 */
const isWhole = Number.isInteger as (value: number | null | undefined) => value is number;

/** Whether a value is a valid price: whole cents, above zero, at most {@link MAX_CENTS}. */
export function isPrice(value: number | null | undefined): value is Cents {
  return isWhole(value) && value > 0 && value <= MAX_CENTS;
}

/** Whether a value is a valid price, or null: a limit or former price that is not set. */
export function isPriceOrNull(value: number | null): boolean {
  return value === null || isPrice(value);
}

/** Whether a value is a valid amount, zero or more: a charge, a cost part, an offer's shipping. */
export function isAmount(value: number | null | undefined): value is Cents {
  return isWhole(value) && value >= 0 && value <= MAX_CENTS;
}
