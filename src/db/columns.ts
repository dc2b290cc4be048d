import { customType } from 'drizzle-orm/pg-core';
import {
  bpsFromDecimal,
  centsFromDecimal,
  decimalFromBps,
  decimalFromCents,
  decimalFromMargin,
  marginFromDecimal,
} from '#domain/decimal.ts';
import {
  type Bps,
  type Cents,
  type Instant,
  type Ounces,
  ounces,
  instant as toInstant,
} from '#domain/units.ts';

/** `numeric(10,2)` in PostgreSQL, whole cents in TypeScript: the only place where the two meet. */
export const money = customType<{ data: Cents; driverData: string }>({
  dataType: () => 'numeric(10, 2)',
  toDriver: decimalFromCents,
  fromDriver: centsFromDecimal,
});

/** `numeric(5,2)` percent in PostgreSQL, basis points in TypeScript. */
export const share = customType<{ data: Bps; driverData: string }>({
  dataType: () => 'numeric(5, 2)',
  toDriver: decimalFromBps,
  fromDriver: bpsFromDecimal,
});

/** `numeric(15,2)` percent in PostgreSQL, basis points in TypeScript: a loss may be many times the price. */
export const margin = customType<{ data: Bps; driverData: string }>({
  dataType: () => 'numeric(15, 2)',
  toDriver: decimalFromMargin,
  fromDriver: marginFromDecimal,
});

/**
 * Ounces. SKUs and tiers are both `real`: compared in one type, so that a weight of 16.3 meets a tier from 16.3.
 * PostgreSQL prints the shortest digits that read back as the same `real`.
 */
export const weight = customType<{ data: Ounces; driverData: number | string }>({
  dataType: () => 'real',
  toDriver: (value) => ounces(value),
  fromDriver: (value) => ounces(Number(value)),
});

/** Inches, as `real`, which PostgreSQL prints with the shortest digits that read back as the same. */
export const inches = customType<{ data: number; driverData: number | string }>({
  dataType: () => 'real',
  fromDriver: Number,
});

/**
 * A time: `timestamptz` to the millisecond in PostgreSQL, the domain's `Instant` in TypeScript.
 * Not a `Date`: numbers compare with `===` and `<`, cannot be changed in place and need no conversion for `decide()`.
 * Three digits, so that a time that was read finds the same row when it is used in a query.
 */
export const instant = customType<{ data: Instant; driverData: string | Date }>({
  dataType: () => 'timestamp (3) with time zone',
  toDriver: (value) => new Date(value).toISOString(),
  fromDriver: (value) => toInstant(new Date(value).getTime()),
});
