import { type Bps, type Cents, isAmount, isPrice, WHOLE } from '#domain/units.ts';

/** A member of a JSON object that is missing, or not what it has to be. The message names it: "competitors[2].price is missing". */
export class MemberError extends Error {
  override readonly name = 'MemberError';
}

/** Reads one value. @throws MemberError that names the path */
export type Reader<T> = (value: unknown, path: string) => T;

/** The members of a JSON object. Members that are not requested are ignored. */
export class Members {
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #path: string;

  /** @throws MemberError unless the value is an object */
  constructor(value: unknown, path: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new MemberError(`${path === '' ? 'the line' : path} is not an object`);
    }
    this.#members = value as Readonly<Record<string, unknown>>;
    this.#path = path === '' ? '' : `${path}.`;
  }

  has(name: string): boolean {
    return (this.#members[name] ?? null) !== null;
  }

  /** A member that has to be there. */
  get<T>(name: string, read: Reader<T>): T {
    const path = `${this.#path}${name}`;
    if (!this.has(name)) throw new MemberError(`${path} is missing`);
    return read(this.#members[name], path);
  }

  /** A member that may be missing or null. */
  find<T>(name: string, read: Reader<T>): T | null {
    return this.has(name) ? this.get(name, read) : null;
  }
}

export const text: Reader<string> = (value, path) =>
  typeof value === 'string' ? value : refuse(path, 'is not a text');

export const flag: Reader<boolean> = (value, path) =>
  typeof value === 'boolean' ? value : refuse(path, 'is not true or false');

/** A whole number of at least 0. */
export const count: Reader<number> = (value, path) =>
  Number.isSafeInteger(value) && Number(value) >= 0
    ? Number(value)
    : refuse(path, 'is not a whole number of at least 0');

/** Dollars with whole cents, above 0. */
export const price: Reader<Cents> = (value, path) => {
  const cents = centsOf(value);
  return isPrice(cents) ? cents : refuse(path, 'is not a price in dollars with whole cents');
};

/** Dollars with whole cents, 0 or more. */
export const amount: Reader<Cents> = (value, path) => {
  const cents = centsOf(value);
  return isAmount(cents) ? cents : refuse(path, 'is not an amount in dollars with whole cents');
};

/** Dollars with whole cents, of either sign. */
export const signedAmount: Reader<Cents> = (value, path) => {
  const cents = centsOf(value);
  return isAmount(Math.abs(cents))
    ? (cents as Cents)
    : refuse(path, 'is not an amount in dollars with whole cents');
};

/** A fraction from 0 to 1, as hundredths of a percent. */
export const share: Reader<Bps> = (value, path) => {
  const isShare = typeof value === 'number' && value >= 0 && value <= 1;
  return isShare ? (Math.round(value * WHOLE) as Bps) : refuse(path, 'is not a fraction from 0 to 1');
};

export function oneOf<const Word extends string>(words: readonly Word[]): Reader<Word> {
  return (value, path) =>
    words.find((word) => word === value) ?? refuse(path, `is not one of ${words.join(', ')}`);
}

export function listOf<T>(read: Reader<T>): Reader<T[]> {
  return (value, path) =>
    Array.isArray(value)
      ? value.map((each, at) => read(each, `${path}[${at}]`))
      : refuse(path, 'is not a list');
}

export function objectOf<T>(read: (members: Members) => T): Reader<T> {
  return (value, path) => read(new Members(value, path));
}

export function refuse(path: string, why: string): never {
  throw new MemberError(`${path} ${why}`);
}

/** What a written number may differ from whole cents, for sums of binary fractions such as 0.1 + 0.2. */
const TOLERANCE = 1e-6;

function centsOf(value: unknown): number {
  if (typeof value !== 'number') return Number.NaN;
  const cents = Math.round(value * 100);
  return Math.abs(value * 100 - cents) <= TOLERANCE ? cents : Number.NaN;
}
