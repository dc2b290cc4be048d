import { DeleteMessageBatchCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, expect, test } from 'vitest';
import { cents } from '#domain/units.ts';
import type { Sandbox } from '#sandbox/server.ts';
import { callerOf, openSandboxShop, pass } from '#tests/support/sandbox-shop.ts';

const MINUTE = 60_000;
const NOTIFICATIONS = '/notifications/v1';
const FILTER = {
  eventFilterType: 'ANY_OFFER_CHANGED',
  marketplaceIds: ['ATVPDKIKX0DER'],
  aggregationSettings: { aggregationTimePeriod: 'FiveMinutes' },
};

let sandbox: Sandbox;
let client: SQSClient | null = null;
afterEach(async () => {
  client?.destroy();
  await sandbox.close();
});

async function signIn(form: Readonly<Record<string, string>>): Promise<ReturnType<typeof callerOf>> {
  const { lwaClientId = '', lwaClientSecret = '' } = sandbox.credentials.amazon;
  const whole = new URLSearchParams({ ...form, client_id: lwaClientId, client_secret: lwaClientSecret });
  const address = sandbox.addresses.amazon;
  const { access_token } = (await callerOf(address)('POST', '/auth/o2/token', whole)) as {
    access_token: string;
  };
  return callerOf(address, { 'x-amz-access-token': access_token });
}

async function subscribe(): Promise<unknown> {
  const grantless = await signIn({
    grant_type: 'client_credentials',
    scope: 'sellingpartnerapi::notifications',
  });
  const { sqsQueueArn = '', refreshToken = '' } = sandbox.credentials.amazon;
  const resourceSpecification = { sqs: { arn: sqsQueueArn } };
  await grantless('POST', `${NOTIFICATIONS}/destinations`, { name: 'offers', resourceSpecification });
  const { payload } = (await grantless('GET', `${NOTIFICATIONS}/destinations`)) as {
    payload: { destinationId: string }[];
  };
  const seller = await signIn({ grant_type: 'refresh_token', refresh_token: refreshToken });
  const path = `${NOTIFICATIONS}/subscriptions/ANY_OFFER_CHANGED`;
  expect(await seller('GET', path)).toMatchObject({ errors: [{ code: 'NotFound' }] });
  const requested = {
    payloadVersion: '1.0',
    destinationId: payload[0]?.destinationId,
    processingDirective: { eventFilter: FILTER },
  };
  await seller('POST', path, requested);
  return seller('POST', path, requested);
}

/** The AWS SDK's own client. */
function queueClient(accessKeyId = sandbox.credentials.amazon.awsAccessKeyId ?? ''): SQSClient {
  client = new SQSClient({
    region: 'us-east-1',
    endpoint: sandbox.url,
    maxAttempts: 1,
    credentials: { accessKeyId, secretAccessKey: 'sandbox-aws-secret' },
  });
  return client;
}

function receive(from: SQSClient, QueueUrl = sandbox.credentials.amazon.sqsQueueUrl) {
  return from.send(
    new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: 10,
      VisibilityTimeout: 120,
      MessageSystemAttributeNames: ['ApproximateReceiveCount'],
    }),
  );
}

test('offer changes within five minutes are sent as one message, which is redelivered until it is deleted', async () => {
  sandbox = await openSandboxShop({});
  expect(await subscribe()).toMatchObject({ errors: [{ code: 'Conflict' }] });
  const market = sandbox.world.market('amazon');
  const item = market.item('PW-001-1');
  market.edit('PW-001-1', { price: cents(1_500) });
  market.edit('PW-001-1', { price: cents(1_490) });
  const sqs = queueClient();
  expect((await receive(sqs)).Messages ?? []).toEqual([]);
  pass(sandbox, 5 * MINUTE);
  const { Messages = [] } = await receive(sqs);
  const reported = Messages.map(({ Body }) => JSON.parse(Body ?? '')).filter(
    ({ Payload }) => Payload.AnyOfferChangedNotification.OfferChangeTrigger.ASIN === item?.itemId,
  );
  expect(reported).toHaveLength(1);
  const { Offers } = reported[0].Payload.AnyOfferChangedNotification;
  const ours = Offers.find(({ SellerId }: { SellerId: string }) => SellerId === 'A1SANDBOXSELLER');
  expect(ours.ListingPrice).toEqual({ CurrencyCode: 'USD', Amount: 14.9 });
  expect((await receive(sqs)).Messages ?? []).toEqual([]);
  pass(sandbox, 2 * MINUTE);
  const again = (await receive(sqs)).Messages ?? [];
  expect(again.length).toBeGreaterThanOrEqual(Messages.length);
  expect(again[0]?.Attributes?.ApproximateReceiveCount).toBe('2');
  const Entries = again.map(({ ReceiptHandle }, at) => ({ Id: String(at), ReceiptHandle }));
  const QueueUrl = sandbox.credentials.amazon.sqsQueueUrl;
  const { Successful = [] } = await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  expect(Successful).toHaveLength(again.length);
});

test('a wrong access key and a wrong queue are rejected in the error format of AWS', async () => {
  sandbox = await openSandboxShop();
  await expect(receive(queueClient('AKIAOTHER'))).rejects.toMatchObject({ name: 'InvalidClientTokenId' });
  client?.destroy();
  await expect(receive(queueClient(), `${sandbox.url}/000000000000/other`)).rejects.toMatchObject({
    name: expect.stringContaining('QueueDoesNotExist'),
  });
});

test('a long poll returns with the first message', async () => {
  sandbox = await openSandboxShop();
  const { sqsQueueUrl: QueueUrl } = sandbox.credentials.amazon;
  const waiting = queueClient().send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }));
  sandbox.world.queue.push('late');
  expect((await waiting).Messages?.map(({ Body }) => Body)).toEqual(['late']);
});
