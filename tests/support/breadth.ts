/**
 * Whether this run has the time for everything, which `npm test -- --all` says. Without it a test that is long by
 * nature does a smaller part of the same work.
 */
export const IS_ALL = process.env.PRICEWRIGHT_TEST_ALL === '1';
