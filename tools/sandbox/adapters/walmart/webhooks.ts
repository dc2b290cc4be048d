import { createHmac } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { EventPost, isOnThisMachine } from '#sandbox/adapters/post-event.ts';
import { pathText } from '#sandbox/adapters/query.ts';
import type { Market } from '#sandbox/world/market.ts';
import { boxEvent, PARTNER } from './box-event.ts';
import { productTypeOf } from './items.ts';
import { walmartRefusal } from './walmart-errors.ts';

const PATH = '/v3/webhooks/subscriptions';

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
  /** The offers reported last, by item. */
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
    market.onOfferChange((itemId, delay) => this.#offersChanged(itemId, delay));
  }

  register(app: FastifyInstance): void {
    app.get(PATH, { config: { operation: 'getAllSubscriptions' } }, async () => ({
      events: [{ event: [...this.#subscriptions.values()].map(viewOf) }],
    }));
    app.post(PATH, { config: { operation: 'createSubscription' } }, async (request) => {
      const requested = NewSubscriptions.safeParse(request.body);
      if (!requested.success || !requested.data.events.every(({ eventUrl }) => isOnThisMachine(eventUrl))) {
        throw walmartRefusal(400, 'The event URL is not valid.', 'eventUrl');
      }
      const made = requested.data.events.map((event) => {
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

  #offersChanged(itemId: string, delay: number): void {
    const item = this.#market.find((one) => one.itemId === itemId);
    if (item === null) return;
    const itemInfo = {
      itemId,
      itemName: item.title,
      category: item.category,
      productType: productTypeOf(item.category),
      itemCondition: 'New',
      brand: item.brand,
      sku: item.sku,
    };
    if (!item.isActive) {
      this.#send('OFFER_UNPUBLISHED', { itemInfo }, delay);
      return;
    }
    const reported = boxEvent(item, this.#market.quirks.told ?? {});
    // Only a change of the winner, of its price or of one of the five listed offers is reported.
    const box = JSON.stringify(reported.offer);
    if (this.#boxes.get(itemId) === box) return;
    this.#boxes.set(itemId, box);
    const { totalNumberOfOffers, offer } = reported;
    const payload = { partnerId: PARTNER, itemInfo: { ...itemInfo, totalNumberOfOffers }, offer };
    this.#send('BUY_BOX_CHANGED', payload, delay);
  }

  /** @param delay milliseconds until it is posted; the event still carries its own moment */
  #send(eventType: Subscription['eventType'], payload: object, delay = 0): void {
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
      const times = this.#market.happens(this.#market.quirks.told?.twice) ? 2 : 1;
      const post = (): void => {
        for (let at = 0; at < times; at++) this.#post.send({ address: one.eventUrl, headers, body });
      };
      if (delay === 0) post();
      else this.#market.later(delay, post);
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
