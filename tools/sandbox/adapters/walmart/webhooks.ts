import { createHmac } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { EventPost, isOnThisMachine } from '#sandbox/adapters/post-event.ts';
import { pathText } from '#sandbox/adapters/query.ts';
import type { Market } from '#sandbox/world/market.ts';
import { featuredOffer } from '#sandbox/world/offers.ts';
import { walmartRefusal } from './walmart-errors.ts';

const PATH = '/v3/webhooks/subscriptions';
const PARTNER = '10001234567';

const NewSubscription = z.looseObject({
  eventType: z.enum(['PO_CREATED', 'PO_LINE_AUTOCANCELLED', 'BUY_BOX_CHANGED', 'OFFER_UNPUBLISHED']),
  eventVersion: z.string(),
  resourceName: z.string(),
  eventUrl: z.string(),
  authDetails: z
    .looseObject({ authMethod: z.literal('HMAC'), authHeaderName: z.string(), clientSecret: z.string() })
    .optional(),
  status: z.enum(['ACTIVE', 'INACTIVE']),
});
const NewSubscriptions = z.looseObject({ events: z.array(NewSubscription).min(1) });
type Subscription = z.output<typeof NewSubscription> & { readonly subscriptionId: string };

/** The Notifications API: subscriptions, and their events signed with the subscription's secret. */
export class Webhooks {
  readonly #market: Market;
  readonly #post = new EventPost();
  readonly #subscriptions = new Map<string, Subscription>();
  /** The featured offer sent last, by item. */
  readonly #boxes = new Map<string, string>();
  #made = 0;
  #sent = 0;

  constructor(market: Market) {
    this.#market = market;
    market.onOrderChange((order, isNew) => {
      if (isNew) this.#send('PO_CREATED', { purchaseOrderId: String(order.number) });
      else if (order.status === 'cancelled')
        this.#send('PO_LINE_AUTOCANCELLED', { purchaseOrderId: String(order.number) });
    });
    market.onOfferChange((itemId) => this.#offersChanged(itemId));
  }

  register(app: FastifyInstance): void {
    app.get(PATH, { config: { operation: 'getAllSubscriptions' } }, async () => ({
      events: [{ event: [...this.#subscriptions.values()].map(viewOf) }],
    }));
    app.post(PATH, { config: { operation: 'createSubscription' } }, async (request) => {
      const asked = NewSubscriptions.safeParse(request.body);
      if (!asked.success || !asked.data.events.every(({ eventUrl }) => isOnThisMachine(eventUrl))) {
        throw walmartRefusal(400, 'The event URL is not valid.', 'eventUrl');
      }
      const made = asked.data.events.map((event) => {
        const one = { ...event, subscriptionId: `subscription-${++this.#made}` };
        this.#subscriptions.set(one.subscriptionId, one);
        return viewOf(one);
      });
      return { event: made };
    });
    app.delete(
      `${PATH}/:subscriptionId`,
      { config: { operation: 'deleteSubscription' } },
      async (request) => {
        const subscriptionId = pathText(request, 'subscriptionId');
        if (!this.#subscriptions.delete(subscriptionId)) {
          throw walmartRefusal(404, 'There is no such subscription.', 'subscriptionId');
        }
        return { subscriptionId, message: 'Successfully deleted subscription' };
      },
    );
  }

  #offersChanged(itemId: string): void {
    const item = this.#market.find((one) => one.itemId === itemId);
    if (item === null) return;
    const itemInfo = { itemId, itemName: item.title, sku: item.sku };
    if (!item.isActive) {
      this.#send('OFFER_UNPUBLISHED', { itemInfo });
      return;
    }
    const featured = featuredOffer(item);
    const box = featured === null ? '' : `${featured.competitor?.name ?? ''} ${featured.landed}`;
    if (this.#boxes.get(itemId) === box) return;
    this.#boxes.set(itemId, box);
    this.#send('BUY_BOX_CHANGED', { partnerId: PARTNER, itemInfo });
  }

  #send(eventType: Subscription['eventType'], payload: object): void {
    for (const one of this.#subscriptions.values()) {
      if (one.eventType !== eventType || one.status !== 'ACTIVE') continue;
      const eventTime = new Date(this.#market.now()).toISOString();
      const body = JSON.stringify({
        source: { eventType, eventTime, eventId: `event-${++this.#sent}` },
        payload,
      });
      const { authHeaderName = '', clientSecret = '' } = one.authDetails ?? {};
      const signature = createHmac('sha256', clientSecret).update(body).digest('base64');
      const headers = authHeaderName === '' ? {} : { [authHeaderName]: signature };
      this.#post.send({ address: one.eventUrl, headers, body });
    }
  }
}

/** The subscription without its secret. */
function viewOf({ authDetails, ...one }: Subscription) {
  const { authMethod, authHeaderName } = authDetails ?? {};
  return {
    ...one,
    partnerId: PARTNER,
    ...(authDetails === undefined ? {} : { authDetails: { authMethod, authHeaderName } }),
  };
}
