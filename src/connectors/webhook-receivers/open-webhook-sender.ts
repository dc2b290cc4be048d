import type { WebhookSender } from '#connectors/webhook-sender.ts';
import { postWebhook } from './post-webhook.ts';
import { receiverAddress } from './receiver-address.ts';
import { newWebhookSecret, signatureHeaders } from './signature.ts';

/** The sender of this program. It keeps nothing between calls. */
export function openWebhookSender(): WebhookSender {
  return {
    addressOf: receiverAddress,
    newSecret: newWebhookSecret,
    headersOf: signatureHeaders,
    post: (call, signal) => postWebhook(call, signal),
  };
}
