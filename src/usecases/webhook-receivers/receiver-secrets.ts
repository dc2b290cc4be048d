import { webhookSecretPlace } from '#db/queries/identity/sealed-columns.ts';
import type { WebhookReceiverRow } from '#db/queries/webhook-receivers/receivers.ts';
import type { Instant } from '#domain/units.ts';
import { openSecret, SecretError, type SecretKey } from '#usecases/identity/encryption/secret-box.ts';

type Secrets = Pick<
  WebhookReceiverRow,
  'id' | 'secretEncrypted' | 'formerSecretEncrypted' | 'formerSecretUntil'
>;

/** The secrets that sign now, the one in force first; null when that cannot be decrypted. */
export function signingSecrets(receiver: Secrets, key: SecretKey, now: Instant): string[] | null {
  const { id, formerSecretEncrypted, formerSecretUntil } = receiver;
  const secret = secretInForce(receiver, key);
  if (secret === null) return null;
  if (formerSecretUntil === null || formerSecretUntil <= now) return [secret];
  const former = decrypted(key, webhookSecretPlace(id, 'former_secret'), formerSecretEncrypted);
  return former === null ? [secret] : [secret, former];
}

/** The secret in force; null when there is none, or it cannot be decrypted. */
export function secretInForce(
  { id, secretEncrypted }: Pick<Secrets, 'id' | 'secretEncrypted'>,
  key: SecretKey,
): string | null {
  return decrypted(key, webhookSecretPlace(id, 'secret'), secretEncrypted);
}

function decrypted(key: SecretKey, place: string, record: string | null): string | null {
  if (record === null) return null;
  try {
    return openSecret(key, place, record);
  } catch (error) {
    if (error instanceof SecretError) return null;
    throw error;
  }
}
