import { createHmac } from 'node:crypto';
import { EventPost, isOnThisMachine } from '#sandbox/adapters/post-event.ts';
import { CREDENTIALS } from '#sandbox/credentials.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { Order } from '#sandbox/world/orders.ts';
import { connectionOf, type PageArguments, type QueryContext } from './connection.ts';
import { gid } from './values.ts';

interface Subscription {
  readonly number: number;
  readonly topic: string;
  readonly uri: string;
  readonly includeFields: readonly string[];
  readonly createdAt: string;
}

/** The arguments of webhookSubscriptionCreate. */
export interface SubscriptionInput {
  readonly topic: string;
  readonly webhookSubscription: {
    readonly uri?: string | null;
    readonly includeFields?: readonly string[] | null;
  };
}

/** The shop's webhook subscriptions and the events, signed as Shopify signs them. */
export class WebhookSubscriptions {
  readonly #market: Market;
  readonly #post = new EventPost();
  readonly #subscriptions = new Map<string, Subscription>();
  #made = 0;
  #sent = 0;

  constructor(market: Market) {
    this.#market = market;
    market.onOrderChange((order, isNew) => this.#tell(isNew ? 'ORDERS_CREATE' : 'ORDERS_UPDATED', order));
    market.onOfferChange((itemId, delay) => {
      const event = { id: itemId, updated_at: this.#moment(), title: 'Product' };
      const send = (): void => this.#send('PRODUCTS_UPDATE', event);
      if (delay === 0) send();
      else market.later(delay, send);
    });
  }

  list(requested: PageArguments, by: QueryContext) {
    return connectionOf([...this.#subscriptions.values()].map(viewOf), requested, by);
  }

  create({ topic, webhookSubscription: { uri, includeFields } }: SubscriptionInput) {
    const refuse = (message: string) => ({
      webhookSubscription: null,
      userErrors: [{ field: ['webhookSubscription', 'uri'], message }],
    });
    if (!isOnThisMachine(uri)) return refuse('Address is not allowed');
    const isTaken = [...this.#subscriptions.values()].some((one) => one.topic === topic && one.uri === uri);
    if (isTaken) return refuse('Address for this topic has already been taken');
    const number = ++this.#made;
    const one = { number, topic, uri, includeFields: includeFields ?? [], createdAt: this.#moment() };
    this.#subscriptions.set(gid('WebhookSubscription', number), one);
    return { webhookSubscription: viewOf(one), userErrors: [] };
  }

  remove({ id }: { readonly id: string }) {
    const wasDeleted = this.#subscriptions.delete(id);
    return {
      deletedWebhookSubscriptionId: wasDeleted ? id : null,
      userErrors: wasDeleted ? [] : [{ field: ['id'], message: 'Webhook subscription does not exist' }],
    };
  }

  #tell(topic: string, { number, updatedAt }: Order): void {
    const updated_at = new Date(updatedAt).toISOString();
    this.#send(topic, { id: number, updated_at, email: 'buyer@example.com' });
  }

  #send(topic: string, whole: Readonly<Record<string, unknown>>): void {
    for (const one of this.#subscriptions.values()) {
      if (one.topic !== topic) continue;
      const members = Object.entries(whole).filter(
        ([name]) => one.includeFields.length === 0 || one.includeFields.includes(name),
      );
      const body = JSON.stringify(Object.fromEntries(members));
      this.#post.send({ address: one.uri, headers: this.#headers(topic, body), body });
    }
  }

  #headers(topic: string, body: string): Record<string, string> {
    const { clientSecret, storeUrl } = CREDENTIALS.shopify;
    return {
      'x-shopify-topic': topic.toLowerCase().replace('_', '/'),
      'x-shopify-hmac-sha256': createHmac('sha256', clientSecret).update(body).digest('base64'),
      'x-shopify-shop-domain': storeUrl,
      'x-shopify-webhook-id': `webhook-${++this.#sent}`,
      'x-shopify-triggered-at': this.#moment(),
    };
  }

  #moment(): string {
    return new Date(this.#market.now()).toISOString();
  }
}

function viewOf({ number, topic, uri, includeFields, createdAt }: Subscription) {
  return {
    __typename: 'WebhookSubscription',
    id: gid('WebhookSubscription', number),
    topic,
    uri,
    includeFields,
    format: 'JSON',
    createdAt,
    updatedAt: createdAt,
  };
}
