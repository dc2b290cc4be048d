import { createPublicKey, createVerify, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { AccountDeletions } from '#connectors/account-deletions.ts';
import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { type Delivery, jsonIn } from '#connectors/marketplace-events.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { hours, type Instant } from '#domain/units.ts';
import { createCalls, type EbayCalls, type EbayOptions, NAME } from './ebay-calls.ts';

const TOPIC = 'MARKETPLACE_ACCOUNT_DELETION';
/** As eBay advises. */
const KEY_LIFETIME = hours(1);
/** eBay has few keys; the IDs of forged messages must not fill the memory. */
const MAX_KEYS = 100;

/** The header: which key signed the body, and the signature. */
const Signature = z.object({
  kid: z.string().regex(/^[\w-]{1,100}$/),
  signature: z.base64().max(1_000),
});

/** GET /commerce/notification/v1/public_key/{kid} */
const PublicKey = z.object({
  key: z.string().max(10_000),
  algorithm: z.literal('ECDSA'),
  digest: z.enum(['SHA1', 'SHA256']),
});

const Name = z.string().max(500).nullish();
const Message = z.object({
  metadata: z.object({ topic: z.string() }),
  notification: z.object({ data: z.object({ username: Name, userId: Name }).nullish() }).nullish(),
});

interface SigningKey {
  readonly key: KeyObject;
  readonly digest: 'SHA1' | 'SHA256';
}

/** Checks messages with eBay's published keys, each of which is read once an hour. */
export function createAccountDeletions(options: EbayOptions): AccountDeletions {
  const calls = createCalls(options);
  const keys = new KeyCache(calls);
  return {
    messageOf: async (account, { headers, body }, signal) => {
      const signature = signatureIn(headers['x-ebay-signature']);
      const content = jsonIn(body);
      if (signature === null || content === null) return null;
      const key = await keys.keyOf(account, signature.kid, signal);
      // What eBay's own examples verify is the content without spaces, which its messages are sent as.
      const isSigned = [body, Buffer.from(JSON.stringify(content))].some((bytes) =>
        isSignedWith(key, bytes, signature.signature),
      );
      const message = isSigned ? Message.safeParse(content) : null;
      if (message?.data === undefined) return isSigned ? { names: [] } : null;
      const { metadata, notification } = message.data;
      const { username, userId } = notification?.data ?? {};
      return { names: metadata.topic === TOPIC ? [username ?? [], userId ?? []].flat() : [] };
    },
  };
}

function signatureIn(header: Delivery['headers'][string]): z.output<typeof Signature> | null {
  if (typeof header !== 'string') return null;
  return Signature.safeParse(jsonIn(Buffer.from(header, 'base64'))).data ?? null;
}

function isSignedWith(key: SigningKey | null, body: Buffer, signature: string): boolean {
  if (key === null) return false;
  return createVerify(key.digest).update(body).verify(key.key, signature, 'base64');
}

interface KeptKey {
  readonly key: Promise<SigningKey | null>;
  readonly until: Instant;
}

/** Keys by their ID; null where eBay has none. */
class KeyCache {
  readonly #calls: EbayCalls;
  readonly #kept = new Map<string, KeptKey>();

  constructor(calls: EbayCalls) {
    this.#calls = calls;
  }

  async keyOf(account: () => Promise<Account>, id: string, signal: AbortSignal): Promise<SigningKey | null> {
    const now = this.#calls.now();
    const kept = this.#kept.get(id);
    if (kept !== undefined && now < kept.until) return kept.key;
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MAX_KEYS && oldest !== undefined) this.#kept.delete(oldest);
    const key = this.#fetch(account, id, signal);
    this.#kept.set(id, { key, until: (now + KEY_LIFETIME) as Instant });
    // A failure is not kept: the next message asks again.
    key.catch(() => this.#kept.delete(id));
    return key;
  }

  async #fetch(account: () => Promise<Account>, id: string, signal: AbortSignal): Promise<SigningKey | null> {
    const path = `/commerce/notification/v1/public_key/${id}`;
    try {
      const answer = await this.#calls.asBuyer(
        await account(),
        { method: 'GET', path, operation: 'keys' },
        signal,
      );
      const { key, digest } = parseResponse(NAME, PublicKey, answer, 'public key');
      return { key: keyIn(key), digest };
    } catch (error) {
      if (error instanceof ConnectorError && error.fault === 'refused') return null;
      throw error;
    }
  }
}

/** eBay writes the key in one line: its frame is replaced. @throws ConnectorError for anything else */
function keyIn(text: string): KeyObject {
  const base64 = text.replaceAll(/-----(BEGIN|END) PUBLIC KEY-----|\s/g, '');
  try {
    return createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' });
  } catch {
    throw new ConnectorError('unreadable', `Unexpected response from ${NAME}: not a valid public key.`);
  }
}
