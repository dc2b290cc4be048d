import { type RunningProduct, startProduct } from './start-product.ts';

/**
 * Starts two products before the first test and ends them after the last: an empty one, and one
 * with the sample data. PRICEWRIGHT_E2E_URL and PRICEWRIGHT_E2E_SHOP_URL name running ones instead;
 * the database of the first must be empty, and PRICEWRIGHT_E2E_DATA its data folder, which contains the outbox.
 */
export default async function startProducts(): Promise<() => Promise<void>> {
  const started: RunningProduct[] = [];
  const start = async (name: string, args: readonly string[]): Promise<void> => {
    if (process.env[name]) return;
    const product = await startProduct(args);
    started.push(product);
    process.env[name] = product.url;
    if (name === 'PRICEWRIGHT_E2E_URL') process.env.PRICEWRIGHT_E2E_DATA = product.dataDir;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((product) => product.stop()));
  };
  const starts = [start('PRICEWRIGHT_E2E_URL', []), start('PRICEWRIGHT_E2E_SHOP_URL', ['--demo'])];
  const failed = (await Promise.allSettled(starts)).find(({ status }) => status === 'rejected');
  if (failed === undefined) return stop;
  // One that did start must not outlive the run.
  await stop();
  throw (failed as PromiseRejectedResult).reason;
}
