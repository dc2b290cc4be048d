import { type RunningProduct, startProduct } from './start-product.ts';

/**
 * Starts two products before the first test and ends them after the last: an empty one for the journeys, and one
 * with the sample shop for the screens. PRICEWRIGHT_E2E_URL and PRICEWRIGHT_E2E_SHOP_URL name ones that run already;
 * the database of the first must be empty, and PRICEWRIGHT_E2E_DATA its data folder, where mail is found.
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
  // One after the other: two clusters being made at once take longer than two in turn on a small machine.
  await start('PRICEWRIGHT_E2E_URL', []);
  await start('PRICEWRIGHT_E2E_SHOP_URL', ['--demo']);
  return async () => {
    for (const product of started) await product.stop();
  };
}
