import type { Client } from '#clients/typescript/client.ts';

/** What must not compile. Checked by the type checker; a line that compiles fails the build. */
export async function callsThatMustNotCompile({ call, rows }: Client): Promise<void> {
  // @ts-expect-error no API token may make this call
  await call('POST /api/tokens', {});
  // @ts-expect-error the path has an ID
  await call('GET /api/listings/{id}');
  // @ts-expect-error the price that was seen is missing
  await call('PUT /api/listings/{id}/price', { path: { id: '1' }, body: { price: '1.00' } });
  // @ts-expect-error money is text
  await call('PUT /api/listings/{id}/price', { path: { id: '1' }, body: { price: 1, from: '2.00' } });
  // @ts-expect-error a marketplace that does not exist
  await call('GET /api/listings', { query: { marketplace: 'bazaar' } });
  // @ts-expect-error no list with pages
  rows('GET /api/stats');
  const { total, rows: listings } = await call('GET /api/listings');
  // @ts-expect-error an unknown price is null
  const price: string | undefined = listings[0]?.recommendedPrice;
  // @ts-expect-error a count is a number
  const count: string = total;
  void [price, count];
}
