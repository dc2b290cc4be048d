/**
 * Whether this run has the time for everything, which `npm test -- --all` says. Without it a test that is long by
 * nature does a smaller part of the same work.
 */
export const IS_ALL = process.env.PRICEWRIGHT_TEST_ALL === '1';

/** How many of something: fewer by default. */
export function asMany(byDefault: number, all: number): number {
  return IS_ALL ? all : byDefault;
}
