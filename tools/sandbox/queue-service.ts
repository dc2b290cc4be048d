import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { CREDENTIALS, QUEUE_PATH } from './credentials.ts';
import type { MessageQueue } from './world/queue.ts';

/** Milliseconds between two checks of the queue during a long poll. */
const POLL_INTERVAL = 100;
/** The content type of requests and responses. */
const TYPE = 'application/x-amz-json-1.0';

const Receive = z.looseObject({
  QueueUrl: z.string(),
  MaxNumberOfMessages: z.int().min(1).max(10).default(1),
  WaitTimeSeconds: z.int().min(0).max(20).default(0),
  VisibilityTimeout: z.int().min(0).max(43_200).default(30),
});
const Remove = z.looseObject({
  QueueUrl: z.string(),
  Entries: z
    .array(z.looseObject({ Id: z.string(), ReceiptHandle: z.string() }))
    .min(1)
    .max(10),
});

/**
 * The seller's queue in the protocol of Amazon SQS: all calls go to "/", and a header names the action.
 * @param tick advances the world to the present during a long poll
 */
export function addQueueService(app: FastifyInstance, queue: MessageQueue, tick: () => void): void {
  app.addContentTypeParser(TYPE, { parseAs: 'string' }, (_request, text, done) =>
    done(null, jsonOf(text.toString())),
  );
  app.post('/', async (request, reply) => {
    reply.type(TYPE);
    if (!(request.headers.authorization ?? '').includes(`Credential=${CREDENTIALS.amazon.awsAccessKeyId}/`)) {
      return refuse(
        reply,
        403,
        'InvalidClientTokenId',
        'The security token included in the request is invalid.',
      );
    }
    const call = String(request.headers['x-amz-target'] ?? '');
    const queueUrl = z.looseObject({ QueueUrl: z.string() }).safeParse(request.body).data?.QueueUrl ?? '';
    if (!queueUrl.endsWith(QUEUE_PATH)) {
      return refuse(reply, 400, 'QueueDoesNotExist', 'The specified queue does not exist.');
    }
    if (call === 'AmazonSQS.ReceiveMessage') return JSON.stringify(await receive(request, queue, tick));
    if (call === 'AmazonSQS.DeleteMessageBatch') return JSON.stringify(remove(request, queue));
    return refuse(reply, 400, 'InvalidAction', 'The action is not valid for this endpoint.');
  });
}

async function receive(request: FastifyRequest, queue: MessageQueue, tick: () => void) {
  const requested = Receive.parse(request.body);
  const polls = Math.ceil((requested.WaitTimeSeconds * 1_000) / POLL_INTERVAL);
  for (let poll = 0; ; poll++) {
    tick();
    // A disconnected client receives no messages: they would stay hidden from the next one until the timeout.
    const limit = request.raw.socket.destroyed ? 0 : requested.MaxNumberOfMessages;
    const messages = queue.receive(limit, requested.VisibilityTimeout * 1_000);
    if (messages.length > 0 || poll >= polls || limit === 0) return { Messages: messages.map(messageView) };
    await pause(POLL_INTERVAL, undefined, { ref: false });
  }
}

function messageView({ id, text, handle, receipts }: ReturnType<MessageQueue['receive']>[number]) {
  return {
    MessageId: id,
    ReceiptHandle: handle,
    Body: text,
    // SQS clients reject a message without a checksum.
    MD5OfBody: createHash('md5').update(text).digest('hex'),
    Attributes: { ApproximateReceiveCount: String(receipts) },
  };
}

function remove(request: FastifyRequest, queue: MessageQueue) {
  const { Entries } = Remove.parse(request.body);
  const removed = Entries.map(({ Id, ReceiptHandle }) => ({ Id, isThere: queue.remove(ReceiptHandle) }));
  return {
    Successful: removed.flatMap(({ Id, isThere }) => (isThere ? [{ Id }] : [])),
    Failed: removed.flatMap(({ Id, isThere }) =>
      isThere ? [] : [{ Id, SenderFault: true, Code: 'ReceiptHandleIsInvalid' }],
    ),
  };
}

function refuse(reply: FastifyReply, status: number, type: string, message: string): FastifyReply {
  return reply.code(status).send(JSON.stringify({ __type: `com.amazonaws.sqs#${type}`, message }));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
