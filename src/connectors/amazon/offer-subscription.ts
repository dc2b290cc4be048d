import { z } from 'zod';
import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { AmazonCalls } from './amazon-calls.ts';
import { Id, read } from './amazon-responses.ts';
import { type AmazonShop, shopOf } from './amazon-shop.ts';

const NOTIFICATIONS = '/notifications/v1';
const TYPE = 'ANY_OFFER_CHANGED';
const QUEUE_ARN = /^arn:aws:sqs:[a-z0-9-]{5,30}:\d{12}:[\w-]{1,80}$/;

const Destination = z.object({
  destinationId: Id,
  resource: z.object({ sqs: z.object({ arn: z.string() }).nullish() }),
});
const Destinations = z.object({ payload: z.array(Destination) });
const CreatedDestination = z.object({ payload: Destination });
const Subscription = z.object({ payload: z.object({ subscriptionId: Id, destinationId: Id }) });

/**
 * Subscribes the seller's queue to every change of offers. Idempotent.
 * @throws ConnectorError, of fault "refused" when another program already receives these messages
 */
export async function subscribeToOffers(
  calls: AmazonCalls,
  account: Account,
  signal: AbortSignal,
): Promise<void> {
  const shop = shopOf(account);
  const arn = account.credentials.sqsQueueArn?.trim() ?? '';
  if (!QUEUE_ARN.test(arn)) {
    throw new ConnectorError(
      'key',
      'Amazon notifications need the ARN of the queue. Enter it in the settings of Amazon.',
    );
  }
  const destinationId =
    (await findDestination(calls, shop, arn, signal)) ?? (await createDestination(calls, shop, arn, signal));
  const current = await currentDestination(calls, shop, signal);
  if (current === destinationId) return;
  if (current !== null) {
    throw new ConnectorError(
      'refused',
      'Changes of offers already go to another queue. End that subscription, or enter its queue here.',
    );
  }
  await subscribe(calls, shop, destinationId, signal);
}

async function createDestination(
  calls: AmazonCalls,
  shop: AmazonShop,
  arn: string,
  signal: AbortSignal,
): Promise<string> {
  const text = JSON.stringify({ name: 'Pricewright', resourceSpecification: { sqs: { arn } } });
  const answer = await calls.ask(
    shop,
    {
      method: 'POST',
      path: `${NOTIFICATIONS}/destinations`,
      operation: 'destinations',
      text,
      isGrantless: true,
    },
    signal,
  );
  return read(CreatedDestination, answer.body, 'destination').payload.destinationId;
}

async function findDestination(
  calls: AmazonCalls,
  shop: AmazonShop,
  arn: string,
  signal: AbortSignal,
): Promise<string | null> {
  const answer = await calls.ask(
    shop,
    {
      method: 'GET',
      path: `${NOTIFICATIONS}/destinations`,
      operation: 'destinations',
      isGrantless: true,
    },
    signal,
  );
  const { payload } = read(Destinations, answer.body, 'list of destinations');
  return payload.find(({ resource }) => resource.sqs?.arn === arn)?.destinationId ?? null;
}

/** The current destination of the changes; null when there is none. */
async function currentDestination(
  calls: AmazonCalls,
  shop: AmazonShop,
  signal: AbortSignal,
): Promise<string | null> {
  const path = `${NOTIFICATIONS}/subscriptions/${TYPE}?payloadVersion=1.0`;
  const answer = await calls.ask(
    shop,
    { method: 'GET', path, operation: 'subscriptions', alsoAnswers: [404] },
    signal,
  );
  return answer.status === 404 ? null : read(Subscription, answer.body, 'subscription').payload.destinationId;
}

async function subscribe(
  calls: AmazonCalls,
  shop: AmazonShop,
  destinationId: string,
  signal: AbortSignal,
): Promise<void> {
  const text = JSON.stringify({
    payloadVersion: '1.0',
    destinationId,
    processingDirective: {
      eventFilter: {
        eventFilterType: TYPE,
        marketplaceIds: [shop.marketplaceId],
        aggregationSettings: { aggregationTimePeriod: 'FiveMinutes' },
      },
    },
  });
  await calls.ask(
    shop,
    // 409: the previous attempt created it, and its response was lost.
    {
      method: 'POST',
      path: `${NOTIFICATIONS}/subscriptions/${TYPE}`,
      operation: 'subscriptions',
      text,
      alsoAnswers: [409],
    },
    signal,
  );
}
