import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { beginRead, endRead } from '#db/queries/marketplace-reads.ts';
import { listNotices } from '#db/queries/notices.ts';
import { listingMetrics } from '#db/schema/metrics.ts';
import { priceIntents } from '#db/schema/prices.ts';
import { appSettings, connectionChecks, engineSwitch, integrations } from '#db/schema/settings.ts';
import { hours, type Instant } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { type RecordedQueue, recordedQueue } from '#tests/support/recorded-queue.ts';
import { addListing, addRule, arm } from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { takeOver } from '#usecases/engine/take-over.ts';
import type { MailOrder } from '#usecases/mail/mail-order.ts';
import type { Mail } from '#usecases/mail/mailer.ts';
import { sendMail } from '#usecases/mail/send-mail.ts';
import { orderDigest } from './order-digest.ts';
import { watchShop } from './watch-shop.ts';

let shop: TestApp;
let queue: RecordedQueue;
beforeEach(async () => {
  shop = await createTestApp();
  await shop.admin();
  queue = recordedQueue();
});
afterEach(() => shop.close());

const watch = () => watchShop({ ...shop.deps, queue, home: () => 'https://prices.example.com' });
const open = async (): Promise<string[]> =>
  (await listNotices(shop.db, shop.deps.now(), 50))
    .filter(({ endedAt }) => endedAt === null)
    .map(({ message }) => message);
const halt = (halted: boolean) =>
  shop.db.update(engineSwitch).set({ halted, changedBy: 'Ann', reason: 'costs are wrong' });
async function lowListings(from: number, to: number): Promise<void> {
  for (let number = from; number <= to; number++) {
    const listingId = await addListing(shop.db, `A-${number}`);
    await shop.db.insert(listingMetrics).values({
      ...{ listingId, decidedAt: shop.deps.now(), outcome: 'keep', reasonCode: 'already_there' },
      lowestLegalPrice: usd(25),
    });
  }
}
const mailed = (): unknown[] => queue.sent.map(({ data }) => ('kind' in data ? data.kind : 'digest'));
async function mails(): Promise<Mail[]> {
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail): Promise<void> => void sent.push(mail) };
  for (const { data } of queue.sent) {
    await sendMail({ db: shop.db, now: shop.deps.now, mailer }, data as MailOrder);
  }
  return sent;
}

describe('people are told', () => {
  test('of nothing in a calm shop', async () => {
    await watch();
    expect(await open()).toEqual([]);
    expect(queue.sent).toEqual([]);
  });

  test('that everything is halted, by whom and why, until it goes on', async () => {
    await halt(true);
    await watch();
    expect(await open()).toEqual(['Repricing was halted by Ann: costs are wrong.']);
    await halt(false);
    await watch();
    expect(await open()).toEqual([]);
  });

  test('that an upgrade disarmed marketplaces, until somebody arms them again', async () => {
    await arm(shop.db, 'walmart');
    await arm(shop.db, 'ebay');
    await takeOver(shop.deps, '1.3.0/30');
    await takeOver(shop.deps, '1.4.0/31');
    await watch();
    expect(await open()).toEqual([
      'eBay and Walmart were put back to observing by an upgrade: look at the next run, then arm again.',
    ]);
  });

  test('of listings below their floor, with a number that follows them', async () => {
    await lowListings(1, 1);
    await watch();
    const before = await listNotices(shop.db, shop.deps.now(), 50);
    await lowListings(2, 2);
    await watch();
    const after = await listNotices(shop.db, shop.deps.now(), 50);
    expect(before.map(({ message }) => message)).toContain('1 listing sells below its lowest legal price.');
    expect(after.map(({ message }) => message)).toContain('2 listings sell below their lowest legal price.');
    expect(after.find(({ kind }) => kind === 'below_floor')?.id).toBe(
      before.find(({ kind }) => kind === 'below_floor')?.id,
    );
  });

  test('again when listings below their floor became more than twice as many, ten at least; fewer is no news', async () => {
    const bells = async (): Promise<string[]> =>
      (await listNotices(shop.db, 0 as Instant, 50)).map(
        ({ message, endedAt }) => `${message}${endedAt ? ' Over.' : ''}`,
      );
    await lowListings(1, 4);
    await watch();
    shop.advance(61 * 60_000);
    await lowListings(5, 13);
    await watch();
    expect(await bells()).toEqual(['13 listings sell below their lowest legal price.']);
    expect(mailed()).toEqual(['below_floor']);
    await lowListings(14, 14);
    await watch();
    expect(await bells()).toEqual([
      '14 listings sell below their lowest legal price.',
      '13 listings sell below their lowest legal price. Over.',
    ]);
    expect(mailed()).toEqual(['below_floor', 'below_floor']);
  });

  test('of a marketplace that takes no prices for minutes, in its words, until it does', async () => {
    const listingId = await addListing(shop.db, 'A-1', { marketplace: 'etsy' });
    const behindIt = await addListing(shop.db, 'A-2', { marketplace: 'etsy' });
    const at = shop.deps.now();
    const intent = {
      ...{ marketplace: 'etsy' as const, sequence: 1, price: usd(19), fromPrice: usd(20) },
      ...{ state: 'queued' as const, lowestLegalPrice: usd(15), reason: 'Beat', source: 'rule' as const },
      ...{ createdAt: at, expiresAt: at },
    };
    const answer = 'Etsy answered with an error (500)';
    await shop.db.insert(priceIntents).values([
      { ...intent, listingId, idempotencyKey: 'a', answer },
      { ...intent, listingId: behindIt, idempotencyKey: 'b' },
    ]);
    shop.advance(2 * 60_000);
    await watch();
    expect(await open()).toEqual([]);
    shop.advance(2 * 60_000);
    await watch();
    expect(await open()).toEqual(['Etsy takes no prices: 2 prices wait. Etsy answered with an error (500).']);
    expect(mailed()).toEqual(['stuck']);
    await shop.db
      .update(priceIntents)
      .set({ state: 'accepted', sentAt: shop.deps.now() })
      .where(eq(priceIntents.listingId, listingId));
    await watch();
    expect(await open()).toEqual([]);
  });

  test('of a marketplace that cannot be read, in its own words', async () => {
    const at = shop.deps.now();
    await beginRead(shop.db, 'ebay', 'sales', at);
    await endRead(shop.db, 'ebay', 'sales', {
      ...{ beganAt: at, endedAt: at, counts: {}, isWhole: false },
      problem: 'eBay does not accept the API key (401).',
    });
    await watch();
    expect(await open()).toEqual(['eBay could not be read: eBay does not accept the API key (401).']);
  });

  test('that nothing was checked for three intervals, and not before', async () => {
    await addListing(shop.db, 'A-1', { createdAt: shop.deps.now() });
    shop.advance(44 * 60_000);
    await watch();
    expect(await open()).toEqual([]);
    shop.advance(2 * 60_000);
    await watch();
    expect(await open()).toEqual([
      'Prices have not been checked for three intervals of 15 minutes. See whether a process with "work" runs.',
    ]);
  });

  test('of prices that were refused, or that nobody knows of for an hour', async () => {
    const listingId = await addListing(shop.db, 'A-1', { marketplace: 'ebay' });
    const other = await addListing(shop.db, 'A-2', { marketplace: 'ebay' });
    const at = shop.deps.now();
    const intent = {
      ...{ marketplace: 'ebay' as const, sequence: 1, price: usd(19), fromPrice: usd(20) },
      lowestLegalPrice: usd(15),
      ...{ reason: 'Beat', source: 'rule' as const, createdAt: at, expiresAt: at, sentAt: at },
    };
    await shop.db.insert(priceIntents).values([
      { ...intent, listingId, state: 'rejected', settledAt: at, idempotencyKey: 'a' },
      { ...intent, listingId: other, state: 'unknown', idempotencyKey: 'b' },
    ]);
    await watch();
    expect(await open()).toEqual(['eBay refused 1 price within the last day.']);
    shop.advance(61 * 60_000);
    await watch();
    expect(await open()).toContain(
      'For an hour nobody has known whether 1 price arrived at eBay. They are read back again and again.',
    );
  });

  test('of a consent that ends soon, of connected marketplaces alone', async () => {
    const endsAt = (shop.deps.now() + hours(24 * 10)) as Instant;
    const check = { checkedAt: shop.deps.now(), milliseconds: 5, notes: [], endsAt };
    await shop.db.insert(connectionChecks).values([
      { ...check, marketplace: 'ebay' },
      { ...check, marketplace: 'etsy' },
    ]);
    await shop.db
      .update(integrations)
      .set({ delivery: 'connected' })
      .where(eq(integrations.marketplace, 'ebay'));
    await watch();
    expect(await open()).toEqual(['The key or consent for eBay ends in 10 days: renew it under Settings.']);
  });

  test('of a rule that moved prices and no longer decides anything; a new one is given time', async () => {
    const old = await addRule(shop.db, { name: 'Beat everybody' });
    await addRule(shop.db, { name: 'Brand new' });
    const listingId = await addListing(shop.db, 'A-1');
    await shop.db.execute(
      `INSERT INTO price_history (listing_id, old_price, new_price, reason, source, rule_id, lowest_legal_price)
       VALUES (${listingId}, 20, 19, 'Beat', 'rule', ${old}, 15)`,
    );
    await watch();
    expect(await open()).toContain('Rule Beat everybody is active and no longer decides any listing.');
    expect(await open()).toHaveLength(1);
  });
});

describe('administrators get a mail', () => {
  test('once while it lasts, with the screen to look at', async () => {
    await halt(true);
    await watch();
    await watch();
    expect(mailed()).toEqual(['halted']);
    expect(await mails()).toEqual([
      {
        to: 'boss@example.com',
        subject: 'Pricewright: Repricing is halted',
        text: expect.stringContaining(
          'Repricing was halted by Ann: costs are wrong.\nhttps://prices.example.com/',
        ),
      },
    ]);
  });

  test('of a kind once in an hour, however often it begins anew; another kind goes at once', async () => {
    await halt(true);
    await watch();
    await halt(false);
    await watch();
    await halt(true);
    shop.advance(30 * 60_000);
    await watch();
    expect(mailed()).toEqual(['halted']);
    const at = shop.deps.now();
    await beginRead(shop.db, 'ebay', 'sales', at);
    await endRead(shop.db, 'ebay', 'sales', {
      ...{ beganAt: at, endedAt: at, counts: {}, problem: 'No.', isWhole: false },
    });
    await watch();
    expect(mailed()).toEqual(['halted', 'connection']);
    shop.advance(31 * 60_000);
    await watch();
    expect(mailed()).toEqual(['halted', 'connection', 'halted']);
  });

  test('never where the settings say no: the bell alone rings', async () => {
    await shop.db.update(appSettings).set({ notifications: false }).where(eq(appSettings.id, 'default'));
    await halt(true);
    await watch();
    await orderDigest({ ...shop.deps, queue, home: () => 'https://prices.example.com' });
    expect(await open()).toHaveLength(1);
    expect(queue.sent).toEqual([]);
  });

  test('every day about the day', async () => {
    await halt(true);
    await watch();
    queue.sent.length = 0;
    await orderDigest({ ...shop.deps, queue, home: () => 'https://prices.example.com' });
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('Pricewright: your day, 1 to look at');
    expect(mail?.text).toContain('Repricing was halted by Ann');
    expect(mail?.text).toContain(
      '0 prices changed\n0 recommended prices wait for somebody\n0 pieces sold for $0.00',
    );
  });
});

test('what ended is forgotten after thirty days', async () => {
  await halt(true);
  await watch();
  await halt(false);
  await watch();
  shop.advance(hours(24 * 31));
  await watch();
  expect(await listNotices(shop.db, 0 as Instant, 50)).toEqual([]);
});
