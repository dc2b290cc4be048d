import type { Sandbox } from '#sandbox/server.ts';
import { callerOf } from './sandbox-shop.ts';

/** Makes every call that the Veeqo of the sandbox knows. */
export async function callVeeqo({ addresses, credentials, world }: Sandbox): Promise<void> {
  const call = callerOf(addresses.veeqo, { 'x-api-key': credentials.veeqo.apiKey ?? '' });
  const page = (await call('GET', '/products?page=1&page_size=10')) as { id: number }[];
  await call('GET', '/products?page=2&page_size=100');
  await call('GET', '/products?query=mug&updated_at_min=2026-01-01%2000:00:00');
  for (const id of [page[0]?.id, 1]) await call('GET', `/products/${id}`);
  await callerOf(addresses.veeqo, { 'x-api-key': 'made up' })('GET', '/products');
  if (page.length !== Math.min(10, world.stock.length)) throw new Error('few products');
}
