import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Account } from '#connectors/connector.ts';
import { type OfferChange, type OfferSink, offerKey } from '#connectors/offer-messages.ts';
import { type Instant, instant } from '#domain/units.ts';
import {
  amazonAccount,
  type FakeAmazon,
  OUR_SELLER,
  startFakeAmazon,
  US,
} from '#tests/support/fake-amazon.ts';
import { createOfferNotifications } from './offer-notifications.ts';

let fake: FakeAmazon;
/** The messages of each receive, in order; after the last one the listening ends. */
let deliveries: { id: string; text: string; receipts?: number }[][];
let deleted: string[];
let kept: OfferChange[];
let latest: Map<string, Instant>;
let stop: AbortController;
beforeEach(async () => {
  fake = await startFakeAmazon();
  deliveries = [];
  deleted = [];
  kept = [];
  latest = new Map();
  stop = new AbortController();
  fake.service.on('POST', /^\/queue|^\/$/, ({ headers, json }) => {
    if (headers['x-amz-target'] === 'AmazonSQS.DeleteMessageBatch') {
      const { Entries } = json as { Entries: { Id: string; ReceiptHandle: string }[] };
      deleted.push(...Entries.map(({ ReceiptHandle }) => ReceiptHandle));
      return { body: { Successful: Entries.map(({ Id }) => ({ Id })), Failed: [] } };
    }
    const delivery = deliveries.shift();
    if (delivery === undefined) stop.abort();
    return { body: { Messages: (delivery ?? []).map(messageOf) } };
  });
});
afterEach(() => fake.close());

function messageOf({ id, text, receipts = 1 }: { id: string; text: string; receipts?: number }) {
  return {
    MessageId: id,
    ReceiptHandle: `handle-${id}`,
    Body: text,
    MD5OfBody: createHash('md5').update(text).digest('hex'),
    Attributes: { ApproximateReceiveCount: String(receipts) },
  };
}

const usd = (Amount: unknown) => ({ Amount, CurrencyCode: 'USD' });

function offer(given: Record<string, unknown> = {}) {
  return {
    SellerId: 'A3COMPETITOR',
    SubCondition: 'new',
    ListingPrice: usd(28.5),
    Shipping: usd(3.99),
    SellerFeedbackRating: { FeedbackCount: 1_204, SellerPositiveFeedbackRating: 97 },
    ShippingTime: { MinimumHours: 24, MaximumHours: 48, AvailabilityType: 'NOW' },
    IsFulfilledByAmazon: false,
    IsFeaturedMerchant: true,
    ShipsDomestically: true,
    ...given,
  };
}

function notification(
  id: string,
  given: {
    at?: string;
    asin?: string;
    offers?: unknown[];
    boxes?: unknown[];
    counts?: unknown[];
    seller?: string;
    type?: string;
  } = {},
): string {
  return JSON.stringify({
    NotificationVersion: '1.0',
    NotificationType: given.type ?? 'ANY_OFFER_CHANGED',
    PayloadVersion: '1.0',
    EventTime: '2026-11-20T11:59:00Z',
    NotificationMetadata: { ApplicationId: 'app', SubscriptionId: 'sub', NotificationId: id },
    Payload: {
      AnyOfferChangedNotification: {
        SellerId: given.seller ?? OUR_SELLER,
        OfferChangeTrigger: {
          MarketplaceId: US,
          ASIN: given.asin ?? 'B000000001',
          ItemCondition: 'new',
          TimeOfOfferChange: given.at ?? '2026-11-20T11:58:00.000Z',
          OfferChangeType: 'Internal',
        },
        Summary: {
          NumberOfOffers: given.counts ?? [
            { Condition: 'new', FulfillmentChannel: 'Merchant', OfferCount: 2 },
          ],
          BuyBoxPrices: given.boxes ?? [],
        },
        Offers: given.offers ?? [offer()],
      },
    },
  });
}

const deliver = (...messages: [id: string, text: string, receipts?: number][]) =>
  deliveries.push(
    messages.map(([id, text, receipts]) => ({ id, text, ...(receipts === undefined ? {} : { receipts }) })),
  );

const account = (given: Record<string, string> = {}): Account =>
  amazonAccount({
    sqsQueueUrl: `${fake.service.url}/queue`,
    awsRegion: 'us-east-1',
    awsAccessKeyId: 'AKIATEST',
    awsSecretAccessKey: 'aws-secret',
    ...given,
  });

const notifications = () =>
  createOfferNotifications({
    baseUrl: fake.service.url,
    now: fake.now,
    wait: async (milliseconds) => {
      fake.waits.push(milliseconds);
    },
  });

const sink = {
  latest: async () => latest,
  commit: async (changes: readonly OfferChange[]) => {
    expect(deleted).toEqual([]);
    kept.push(...changes);
  },
};
const listen = (of = account(), to: OfferSink = sink) => notifications().listen(of, to, stop.signal);

describe('a message', () => {
  test('becomes the offers of an item, as a sync has them', async () => {
    const ours = offer({ SellerId: OUR_SELLER, IsFulfilledByAmazon: true, IsBuyBoxWinner: true });
    deliver(['1', notification('n-1', { offers: [offer(), ours, offer({ SubCondition: 'good' })] })]);
    await listen();
    expect(kept).toEqual([
      {
        notificationId: 'n-1',
        itemId: 'B000000001',
        condition: 'New',
        isWinnerOpen: false,
        changedAt: Date.parse('2026-11-20T11:58:00Z'),
        coverage: 'all',
        offers: [
          {
            sellerName: 'A3COMPETITOR',
            isMarketplace: false,
            isOurs: false,
            price: 2_850,
            shipping: 399,
            fulfillmentType: 'FBM',
            isFeatured: false,
            rating: 9_700,
            ratingCount: 1_204,
            handlingDays: 2,
          },
          expect.objectContaining({ isOurs: true, isFeatured: true, fulfillmentType: 'FBA/WFS' }),
        ],
      },
    ]);
  });

  test('without a winner determines the buy box by its price, or leaves it open', async () => {
    const boxes = [
      { Condition: 'used', LandedPrice: usd(28.5) },
      { Condition: 'new', LandedPrice: usd(32.49) },
    ];
    const same = [offer(), offer({ SellerId: 'A5' })];
    deliver(['1', notification('n-1', { boxes })]);
    deliver(['2', notification('n-2', { asin: 'B2', boxes, offers: same })]);
    await notifications().listen(
      account(),
      { latest: sink.latest, commit: async (all) => void kept.push(...all) },
      stop.signal,
    );
    expect(
      kept.map(({ isWinnerOpen, offers }) => [isWinnerOpen, offers.map(({ isFeatured }) => isFeatured)]),
    ).toEqual([
      [false, [true]],
      [true, [false, false]],
    ]);
  });

  test('is deleted after it was stored, and not before', async () => {
    deliver(['1', notification('n-1')]);
    await listen();
    expect(deleted).toEqual(['handle-1']);
  });

  test('that could not be stored stays in the queue', async () => {
    deliver(['1', notification('n-1')]);
    const outage = new Error('connection lost');
    await expect(listen(account(), { ...sink, commit: () => Promise.reject(outage) })).rejects.toBe(outage);
    expect(deleted).toEqual([]);
  });

  test('delivered twice is stored once, and deleted twice', async () => {
    deliver(['1', notification('n-1')]);
    deliver(['2', notification('n-1')]);
    await notifications().listen(
      account(),
      { latest: sink.latest, commit: async (all) => void kept.push(...all) },
      stop.signal,
    );
    expect(kept).toHaveLength(1);
    expect(deleted).toEqual(['handle-1', 'handle-2']);
  });

  test('of an item is skipped for a newer one, in the same delivery or stored before', async () => {
    deliver(
      ['1', notification('n-1', { at: '2026-11-20T11:57:00Z' })],
      ['2', notification('n-2', { at: '2026-11-20T11:58:00Z' })],
      ['3', notification('n-3', { asin: 'B2', at: '2026-11-20T11:50:00Z' })],
      ['4', notification('n-4', { asin: 'B3', at: '2026-11-20T11:50:00Z' })],
    );
    const at = instant(Date.parse('2026-11-20T11:50:00Z'));
    latest = new Map([
      [offerKey({ itemId: 'B2', condition: 'New' }), at],
      [offerKey({ itemId: 'B3', condition: 'New' }), instant(at - 1)],
    ]);
    await listen();
    expect(kept.map(({ notificationId }) => notificationId)).toEqual(['n-2', 'n-4']);
    expect(deleted).toHaveLength(4);
  });

  test.each([
    ['is garbage', 'ka-boom'],
    ['is of another kind', notification('n-1', { type: 'PRICING_HEALTH' })],
    ['is about another shop', notification('n-1', { seller: 'A9' })],
    ['has a negative price', notification('n-1', { offers: [offer({ ListingPrice: usd(-1) })] })],
    ['has a price of "N/A"', notification('n-1', { offers: [offer({ ListingPrice: usd('N/A') })] })],
    ['comes from the future', notification('n-1', { at: '2026-11-20T12:06:00Z' })],
  ])('that %s is not kept, and given up after a while', async (_, text) => {
    deliver(['1', text], ['2', text, 5]);
    await listen();
    expect(kept).toEqual([]);
    expect(deleted).toEqual(['handle-2']);
  });
});

describe('the queue', () => {
  test('is long-polled, and not called in a tight loop when it is empty', async () => {
    deliver();
    await listen();
    const [requested] = fake.calls(/./);
    expect(requested?.json).toMatchObject({ WaitTimeSeconds: 20, MaxNumberOfMessages: 10 });
    expect(fake.waits).toContain(1_000);
  });

  test('that does not respond is called again, less and less often', async () => {
    const failure = { status: 400, body: { __type: 'com.amazonaws.sqs#OverLimit', message: 'Too much.' } };
    fake.service.faults.push(failure, failure, failure);
    deliver(['1', notification('n-1')]);
    await listen();
    expect(kept).toHaveLength(1);
    expect(fake.waits.slice(0, 3)).toEqual([1_000, 2_000, 4_000]);
  });

  test.each([
    ['that passes at once', 2, []],
    ['that lasts', 3, ['The queue for Amazon notifications cannot be reached.', null]],
  ])('reports errors to its sink %s: %d failures', async (_, failures, expected) => {
    const failure = { status: 400, body: { __type: 'com.amazonaws.sqs#OverLimit', message: 'Too much.' } };
    const reported: (string | null)[] = [];
    fake.service.faults.push(...Array.from({ length: failures }, () => failure));
    deliver(['1', notification('n-1')]);
    await listen(account(), { ...sink, onError: async (problem) => void reported.push(problem) });
    expect(reported).toEqual(expected);
  });

  test.each([
    ['com.amazon.coral.service#AccessDeniedException', 'key'],
    ['com.amazon.coral.service#UnrecognizedClientException', 'key'],
    ['com.amazonaws.sqs#QueueDoesNotExist', 'refused'],
  ])('that says %s ends the listening', async (type, fault) => {
    fake.service.faults.push({ status: 400, body: { __type: type, message: 'No.' } });
    await expect(listen()).rejects.toMatchObject({ fault });
  });

  test.each([
    ['sqsQueueUrl', /address of the queue/],
    ['awsRegion', /region/],
    ['awsAccessKeyId', /key ID/],
    ['awsSecretAccessKey', /secret/],
  ])('without %s is not opened', async (name, words) => {
    await expect(listen(account({ [name]: '' }))).rejects.toMatchObject({
      fault: 'key',
      message: expect.stringMatching(words),
    });
  });

  test.each(['https://evil.example/1/offers', 'http://sqs.us-east-1.amazonaws.com/1/offers', 'offers'])(
    'at %s is none: no key goes there',
    async (sqsQueueUrl) => {
      await expect(listen(account({ sqsQueueUrl }))).rejects.toMatchObject({ fault: 'key' });
    },
  );
});
