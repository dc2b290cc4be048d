import { createHmac, randomBytes } from 'node:crypto';
import type { SignedMessage } from '#connectors/webhook-sender.ts';

const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

/** A new secret in the form of Standard Webhooks: "whsec_" and 32 random bytes as base64. */
export function newWebhookSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * The headers of a webhook by Standard Webhooks 1.0 (standardwebhooks.com): id, seconds since 1970, and "v1," with the
 * base64 of HMAC-SHA256 over id, seconds and body, joined by dots. The key is the decoded secret.
 * @param secrets the one in force, and while it is being replaced the former one: a receiver accepts any of the signatures
 */
export function signatureHeaders(
  secrets: readonly string[],
  { id, at, body }: SignedMessage,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(at / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
