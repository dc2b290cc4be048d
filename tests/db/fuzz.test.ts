import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ErrorBody } from '#contract/errors.ts';
import { asMany } from '#tests/support/breadth.ts';
import type { ApiDescription, FuzzRequest } from '#tests/support/fuzz-requests.ts';
import { requestsFor } from '#tests/support/fuzz-requests.ts';
import { aReadyUser, aSessionOf, aWaitingUser } from '#tests/support/people.ts';
import { createPricedShop } from '#tests/support/priced-shop.ts';
import { addListing, addOffer, addSku, addTier } from '#tests/support/seed.ts';
import type { TestApp } from '#tests/support/test-app.ts';

/** How many; `npm run proof:fuzz` sends 20,000. */
const REQUESTS = Number(process.env.PRICEWRIGHT_FUZZ ?? asMany(300, 2_000));
const SEED = Number(process.env.PRICEWRIGHT_FUZZ_SEED ?? 20_261_121);
/** Milliseconds. A request without a response for this long hangs, even on a busy machine. */
const RESPONSE_TIMEOUT_MS = 120_000;
const BOSS = 'boss@example.com';

let shop: TestApp;
let cookie: string;
let hashes: readonly string[];

/** A small store with some of everything, and users in every state. */
beforeAll(async () => {
  const priced = await createPricedShop();
  shop = priced.app;
  const { db } = shop;
  for (const marketplace of ['amazon', 'ebay', 'etsy', 'shopify', 'michaels'] as const) {
    await addSku(db, `${marketplace}-1`);
    const id = await addListing(db, `${marketplace}-1`, { marketplace });
    await addOffer(db, id, 18, { seenAt: shop.deps.now() });
    await addTier(db, marketplace, 4);
  }
  await aWaitingUser(shop, 'waiting@example.com');
  await aReadyUser(shop, 'ann@example.com');
  await priced.engineRuns();
  cookie = await freshSession();
  const { rows } = await db.execute<{ password: string }>(sql`select password from users`);
  hashes = rows.map(({ password }) => password);
});
afterAll(() => shop.close());

/** Restores the administrator and logs in, whatever the requests so far have changed. */
async function freshSession(): Promise<string> {
  await shop.db.execute(
    sql`update users set role = 'admin', approved = true, email_verified = true where email = ${BOSS}`,
  );
  return aSessionOf(shop, BOSS);
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

async function send({ method, url, contentType, payload, remoteAddress }: FuzzRequest): Promise<Answer> {
  const answer = await shop.app.inject({
    method: method as 'GET',
    url,
    remoteAddress,
    headers: {
      host: '127.0.0.1:5000',
      'sec-fetch-site': 'same-origin',
      cookie,
      ...(contentType === null || payload === null ? {} : { 'content-type': contentType }),
    },
    ...(payload === null ? {} : { payload }),
    payloadAsStream: true,
  });
  const type = String(answer.headers['content-type']);
  const { statusCode: status, headers } = answer;
  // A stream of events has no end.
  if (type.startsWith('text/event-stream')) {
    answer.stream().destroy();
    return { status, headers, body: '' };
  }
  const parts: Buffer[] = [];
  for await (const part of answer.stream()) parts.push(Buffer.from(part));
  return { status, headers, body: Buffer.concat(parts).toString() };
}

/** What must be true of every response; null when it is. */
function faultOf({ status, headers, body }: Answer, { method }: FuzzRequest): string | null {
  if (status >= 500) return `answered ${status}: ${body.slice(0, 200)}`;
  if (headers['cache-control'] !== 'no-store') return `may be stored: ${headers['cache-control']}`;
  const hash = hashes.find((one) => body.includes(one));
  if (hash !== undefined || /\$argon2|node_modules|\bat \S+ \(/.test(body)) return 'tells what is inside';
  if (status < 400 || method === 'HEAD') return null;
  return ErrorBody.safeParse(JSON.parse(body)).success ? null : `no refusal of ours: ${body.slice(0, 200)}`;
}

/** Sends a request. @returns what is wrong with the response, null when nothing is */
async function faultAfter(request: FuzzRequest): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer within ${RESPONSE_TIMEOUT_MS} ms`)),
      RESPONSE_TIMEOUT_MS,
    );
  });
  try {
    const answer = await Promise.race([late, send(request)]);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (/"(not_signed_in|not_allowed)"/.test(answer.body)) cookie = await freshSession();
    return faultOf(answer, request);
  } catch (error) {
    return String(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Number of responses by status. */
const statuses = new Map<number, number>();
const shareOf = (from: number, to: number): number =>
  [...statuses].reduce((sum, [status, count]) => sum + (status >= from && status < to ? count : 0), 0) /
  REQUESTS;

test(
  `${REQUESTS} random requests are answered or refused, and none is an error of ours`,
  async () => {
    const description: ApiDescription = (await shop.get('/api/docs/json', cookie)).json();
    const faults: string[] = [];
    for (const request of fc.sample(requestsFor(description), { numRuns: REQUESTS, seed: SEED })) {
      const problem = await faultAfter(request);
      const { method, url, payload } = request;
      if (problem !== null) faults.push(`${problem}\n  ${method} ${url}\n  ${payload?.slice(0, 500)}`);
    }
    const counted = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    console.log(`seed ${SEED}, ${REQUESTS} requests, answered by status: ${counted.join(', ')}`);
    expect(faults.slice(0, 10).join('\n'), `seed ${SEED}, ${faults.length} faults`).toBe('');
    // Neither are nearly all requests rejected nor nearly all accepted.
    expect(shareOf(200, 300)).toBeGreaterThan(0.15);
    expect(shareOf(400, 401)).toBeGreaterThan(0.15);
    expect(Reflect.get({}, 'isPoisoned')).toBeUndefined();
    expect((await shop.get('/readyz')).statusCode).toBe(200);
  },
  2 * 60 * 60_000,
);
