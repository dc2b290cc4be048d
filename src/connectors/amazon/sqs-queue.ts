import { z } from 'zod';
import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { reachOf } from '#connectors/http/public-address.ts';

/** Seconds that a receive waits for a message: the maximum, and the cheapest. */
const LONGEST_WAIT = 20;
/** Seconds in which received messages must be processed before they are delivered again. */
const HIDDEN_FOR = 120;
const MESSAGES_PER_RECEIVE = 10;
const MILLISECONDS = { connectionTimeout: 10_000, requestTimeout: 40_000 };
const QUEUE_HOST = /^sqs\.[a-z0-9-]+\.amazonaws\.com$/;
/** Errors of AWS: the key is invalid, or lacks the permission for this queue. */
const KEY_ERRORS =
  /AccessDenied|InvalidClientTokenId|Signature|UnrecognizedClient|ExpiredToken|InvalidSecurity/;

const Key = z.string().trim().min(1);
const QueueCredentials = z.object({
  sqsQueueUrl: Key,
  awsRegion: Key,
  awsAccessKeyId: Key,
  awsSecretAccessKey: Key,
});
const CREDENTIAL_NAMES: Readonly<Record<string, string>> = {
  sqsQueueUrl: 'the address of the queue',
  awsRegion: 'the AWS region',
  awsAccessKeyId: 'the AWS access key ID',
  awsSecretAccessKey: 'the AWS secret access key',
};

/** A message that is hidden from other consumers until it is deleted or delivered again. */
export interface QueuedMessage {
  readonly text: string;
  readonly handle: string;
  /** How often it was received, including this time. */
  readonly receipts: number;
}

export interface Queue {
  /** Waits for messages for as long as one call may; there may be none. */
  receive(signal: AbortSignal): Promise<readonly QueuedMessage[]>;
  /** What could not be deleted is delivered again: that is not an error. */
  remove(messages: readonly QueuedMessage[]): Promise<void>;
  close(): void;
}

/**
 * Opens the seller's own queue. Its library is loaded on first use: most stores have none.
 * @param baseUrl of Amazon's calls; the queue may be on this machine when they are
 * @throws ConnectorError of fault "key" when something is missing, or the queue is not one of AWS
 */
export async function openQueue({ credentials }: Account, baseUrl: string): Promise<Queue> {
  const { sqsQueueUrl: QueueUrl, awsRegion, ...keys } = queueCredentials(credentials);
  checkAddress(QueueUrl, reachOf(baseUrl) === 'loopback');
  const sqs = await import('@aws-sdk/client-sqs');
  const client = new sqs.SQSClient({
    region: awsRegion,
    endpoint: new URL(QueueUrl).origin,
    credentials: { accessKeyId: keys.awsAccessKeyId, secretAccessKey: keys.awsSecretAccessKey },
    requestHandler: MILLISECONDS,
    maxAttempts: 2,
  });
  return {
    receive: async (abortSignal) => {
      const command = new sqs.ReceiveMessageCommand({
        QueueUrl,
        WaitTimeSeconds: LONGEST_WAIT,
        VisibilityTimeout: HIDDEN_FOR,
        MaxNumberOfMessages: MESSAGES_PER_RECEIVE,
        MessageSystemAttributeNames: ['ApproximateReceiveCount'],
      });
      const { Messages = [] } = await client.send(command, { abortSignal }).catch(asConnectorError);
      return Messages.flatMap(({ Body, ReceiptHandle, Attributes }) =>
        ReceiptHandle === undefined
          ? []
          : [
              {
                text: Body ?? '',
                handle: ReceiptHandle,
                receipts: Number(Attributes?.ApproximateReceiveCount ?? 1),
              },
            ],
      );
    },
    remove: async (messages) => {
      if (messages.length === 0) return;
      const Entries = messages.map(({ handle }, at) => ({ Id: String(at), ReceiptHandle: handle }));
      await client.send(new sqs.DeleteMessageBatchCommand({ QueueUrl, Entries })).catch(asConnectorError);
    },
    close: () => client.destroy(),
  };
}

function queueCredentials(credentials: Account['credentials']): z.output<typeof QueueCredentials> {
  const answer = QueueCredentials.safeParse(credentials);
  if (answer.success) return answer.data;
  const names = new Set(answer.error.issues.map(({ path }) => String(path[0])));
  const needed = [...names].map((name) => CREDENTIAL_NAMES[name] ?? name).join(', ');
  throw new ConnectorError('key', `Amazon notifications need ${needed}. Enter it in the settings of Amazon.`);
}

/** Keys of AWS are only sent to AWS. */
function checkAddress(address: string, isLocal: boolean): void {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isThere = isLocal
    ? url !== null && reachOf(address) === 'loopback'
    : url?.protocol === 'https:' && url.port === '' && url.username === '' && QUEUE_HOST.test(url.hostname);
  if (isThere) return;
  throw new ConnectorError('key', 'The queue address is not an Amazon SQS address. Copy it from AWS again.');
}

function asConnectorError(error: unknown): never {
  const name = error instanceof Error ? error.name : '';
  if (name === 'AbortError') throw new ConnectorError('time', 'Waiting for Amazon notifications ended.');
  if (KEY_ERRORS.test(name)) {
    throw new ConnectorError('key', 'The queue does not accept the AWS key, or does not let it read.', {
      code: name,
    });
  }
  if (/QueueDoesNotExist|NonExistentQueue/.test(name)) {
    throw new ConnectorError('refused', 'There is no such queue. Compare its address in the settings.', {
      code: name,
    });
  }
  throw new ConnectorError('network', 'The queue for Amazon notifications cannot be reached.', {
    code: name || null,
  });
}
