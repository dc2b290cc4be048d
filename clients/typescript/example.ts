import { createClient, PricewrightError } from './client.ts';

const pricewright = createClient({
  baseUrl: process.env.PRICEWRIGHT_URL ?? 'http://127.0.0.1:5000',
  token: process.env.PRICEWRIGHT_TOKEN,
});

for await (const { id, sku, currentPrice } of pricewright.rows('GET /api/listings', {
  query: { q: 'MUG' },
})) {
  try {
    const body = { price: '21.99', from: currentPrice };
    const listing = await pricewright.call('PUT /api/listings/{id}/price', { path: { id }, body });
    console.log(sku, listing.currentPrice);
  } catch (error) {
    if (!(error instanceof PricewrightError)) throw error;
    console.error(sku, error.code, error.message, error.fields);
  }
}

await pricewright.call('POST /api/engine/halt');
