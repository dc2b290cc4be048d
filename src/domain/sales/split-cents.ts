import { type Cents, cents } from '#domain/units.ts';

/**
 * Divides an amount by weights, to the cent: the parts add up exactly. Remaining cents go to the largest
 * remainders, then to the first.
 * @param amount zero or more
 * @param weights whole numbers, zero or more; all zero means equal parts
 */
export function splitCents(amount: Cents, weights: readonly (number | bigint)[]): Cents[] {
  const isEven = weights.every((weight) => BigInt(weight) === 0n);
  // BigInt: an amount times a weight can exceed the safe integers.
  const shares = weights.map((weight) => (isEven ? 1n : BigInt(weight)));
  const whole = shares.reduce((sum, share) => sum + share, 0n);
  const parts = shares.map((share, index) => {
    const product = BigInt(amount) * share;
    return { index, part: Number(product / whole), rest: product % whole };
  });
  const left = amount - parts.reduce((sum, { part }) => sum + part, 0);
  const first = new Set(
    parts
      .toSorted((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
      .slice(0, left)
      .map(({ index }) => index),
  );
  return parts.map(({ index, part }) => cents(part + (first.has(index) ? 1 : 0)));
}
