import { createHash, createSign, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { isOnThisMachine } from '#sandbox/adapters/post-event.ts';
import { pathText } from '#sandbox/adapters/query.ts';
import type { Market } from '#sandbox/world/market.ts';
import { ebayError } from './ebay-errors.ts';

const TOPIC = 'MARKETPLACE_ACCOUNT_DELETION';
/** Milliseconds to wait for the receiver. */
const RESPONSE_TIMEOUT = 5_000;

/** A user of eBay whose account was deleted. */
export interface DeletedUser {
  readonly username: string;
  readonly userId: string;
  readonly eiasToken: string;
}

/** Where such messages are sent, as entered at eBay. */
export interface DeletionReceiver {
  readonly address: string;
  readonly verificationToken: string;
}

/** Messages about deleted accounts: eBay first asks the receiver to prove itself, then sends them signed. */
export class AccountDeletion {
  readonly #market: Market;
  readonly #keyId = randomUUID();
  #keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject } | null = null;

  constructor(market: Market) {
    this.#market = market;
  }

  /** The key with which receivers check the signatures. */
  register(app: FastifyInstance): void {
    const path = '/commerce/notification/v1/public_key/:keyId';
    app.get(path, { config: { operation: 'getPublicKey' } }, async (request) => {
      if (pathText(request, 'keyId') !== this.#keyId) {
        throw ebayError(195_012, 'API_NOTIFICATION', 'The public key was not found.', 404);
      }
      const key = this.#pair().publicKey.export({ type: 'spki', format: 'pem' }).toString();
      return { key: key.replaceAll('\n', ''), algorithm: 'ECDSA', digest: 'SHA1' };
    });
  }

  /** Asks a receiver to prove that it knows the token. @returns whether it did @throws RangeError for an address elsewhere */
  async challenge({ address, verificationToken }: DeletionReceiver): Promise<boolean> {
    if (!isOnThisMachine(address)) throw new RangeError('The sandbox sends nothing to other machines.');
    const code = randomUUID();
    const answer = await fetch(`${address}?challenge_code=${code}`, options());
    const expected = createHash('sha256')
      .update(code)
      .update(verificationToken)
      .update(address)
      .digest('hex');
    const reported: unknown = answer.status === 200 ? await answer.json() : null;
    return (reported as { readonly challengeResponse?: unknown } | null)?.challengeResponse === expected;
  }

  /**
   * Sends a signed message. @param isForged whether the body is changed after it was signed
   * @returns the status of the answer @throws RangeError for an address elsewhere
   */
  async send(address: string, data: DeletedUser, isForged = false): Promise<number> {
    if (!isOnThisMachine(address)) throw new RangeError('The sandbox sends nothing to other machines.');
    const moment = new Date(this.#market.now()).toISOString();
    const notification = { notificationId: randomUUID(), eventDate: moment, publishDate: moment };
    const messageOf = (user: DeletedUser): string =>
      JSON.stringify({
        metadata: { topic: TOPIC, schemaVersion: '1.0', deprecated: false },
        notification: { ...notification, publishAttemptCount: 1, data: user },
      });
    const signature = createSign('SHA1').update(messageOf(data)).sign(this.#pair().privateKey, 'base64');
    const header = JSON.stringify({ alg: 'ecdsa', kid: this.#keyId, signature, digest: 'SHA1' });
    const answer = await fetch(address, {
      ...options(),
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-ebay-signature': Buffer.from(header).toString('base64'),
      },
      body: messageOf(isForged ? { ...data, username: `${data.username}x` } : data),
    });
    await answer.arrayBuffer();
    return answer.status;
  }

  #pair() {
    this.#keys ??= generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return this.#keys;
  }
}

function options() {
  return { redirect: 'error', signal: AbortSignal.timeout(RESPONSE_TIMEOUT) } as const;
}
