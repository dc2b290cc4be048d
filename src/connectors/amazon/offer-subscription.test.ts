import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { amazonAccount, type FakeAmazon, startFakeAmazon, US } from '#tests/support/fake-amazon.ts';
import { createOfferNotifications } from './offer-notifications.ts';

let fake: FakeAmazon;
beforeEach(async () => {
  fake = await startFakeAmazon();
});
afterEach(() => fake.close());

describe('subscribing', () => {
  const arn = 'arn:aws:sqs:us-east-1:123456789012:offers';
  const destination = (id: string, to: string) => ({
    destinationId: id,
    name: 'x',
    resource: { sqs: { arn: to } },
  });
  let destinations: unknown[];
  let subscription: object | null;
  beforeEach(() => {
    destinations = [];
    subscription = null;
    fake.service.on('GET', /^\/notifications\/v1\/destinations$/, () => ({
      body: { payload: destinations },
    }));
    fake.service.on('POST', /^\/notifications\/v1\/destinations$/, () => ({
      body: { payload: destination('d-1', arn) },
    }));
    fake.service.on('GET', /^\/notifications\/v1\/subscriptions\/ANY_OFFER_CHANGED/, () =>
      subscription === null
        ? { status: 404, body: { errors: [{ code: 'NotFound', message: 'None.' }] } }
        : { body: { payload: subscription } },
    );
    fake.service.on('POST', /^\/notifications\/v1\/subscriptions\/ANY_OFFER_CHANGED$/, () => ({
      body: { payload: { subscriptionId: 's-1', destinationId: 'd-1', payloadVersion: '1.0' } },
    }));
  });
  const subscribe = (sqsQueueArn = arn) =>
    createOfferNotifications({ baseUrl: fake.service.url, now: fake.now }).subscribe(
      amazonAccount({ sqsQueueArn }),
      new AbortController().signal,
    );
  const posted = () => fake.calls(/^\/notifications/).filter(({ method }) => method === 'POST');

  test("creates a destination with a token of the application, and a subscription with the seller's", async () => {
    await subscribe();
    expect(posted().map(({ json }) => json)).toEqual([
      { name: 'Pricewright', resourceSpecification: { sqs: { arn } } },
      {
        payloadVersion: '1.0',
        destinationId: 'd-1',
        processingDirective: {
          eventFilter: {
            eventFilterType: 'ANY_OFFER_CHANGED',
            marketplaceIds: [US],
            aggregationSettings: { aggregationTimePeriod: 'FiveMinutes' },
          },
        },
      },
    ]);
    const grants = fake.calls(/^\/auth/).map(({ text }) => new URLSearchParams(text).get('grant_type'));
    expect(grants).toEqual(['client_credentials', 'client_credentials', 'refresh_token']);
    expect(fake.calls(/^\/auth/)[0]?.text).toContain('scope=sellingpartnerapi%3A%3Anotifications');
  });

  test('is idempotent', async () => {
    destinations = [destination('d-0', 'arn:aws:sqs:us-east-1:123456789012:other'), destination('d-1', arn)];
    subscription = { subscriptionId: 's-1', destinationId: 'd-1' };
    await subscribe();
    expect(posted()).toEqual([]);
  });

  test('does not change the subscription of another program', async () => {
    destinations = [destination('d-1', arn)];
    subscription = { subscriptionId: 's-9', destinationId: 'd-9' };
    await expect(subscribe()).rejects.toMatchObject({ fault: 'refused' });
    expect(posted()).toEqual([]);
  });

  test('needs the ARN of the queue', async () => {
    await expect(subscribe('offers')).rejects.toMatchObject({ fault: 'key' });
    expect(fake.service.asked).toEqual([]);
  });
});
