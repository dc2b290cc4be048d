import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { Refusal } from '#sandbox/adapters/adapter.ts';
import { pathText } from '#sandbox/adapters/query.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { MessageQueue } from '#sandbox/world/queue.ts';
import { amazonRefusal } from './amazon-errors.ts';
import { offerNotification } from './offer-notification.ts';

const TYPE = 'ANY_OFFER_CHANGED';
const PERIODS = { FiveMinutes: 5 * 60_000, TenMinutes: 10 * 60_000 } as const;

const NewDestination = z.looseObject({
  name: z.string().min(1),
  resourceSpecification: z.looseObject({
    sqs: z.looseObject({ arn: z.string().startsWith('arn:aws:sqs:') }),
  }),
});
const NewSubscription = z.looseObject({
  payloadVersion: z.literal('1.0'),
  destinationId: z.string(),
  processingDirective: z
    .looseObject({
      eventFilter: z.looseObject({
        eventFilterType: z.literal(TYPE),
        aggregationSettings: z
          .looseObject({ aggregationTimePeriod: z.enum(['FiveMinutes', 'TenMinutes']) })
          .optional(),
      }),
    })
    .optional(),
});
type NewSubscription = z.infer<typeof NewSubscription>;
type Destination = { readonly name: string; readonly destinationId: string; readonly resource: unknown };

/** The Notifications API, v1: destinations and subscriptions. Only offer changes are sent. */
export class Notifications {
  readonly #market: Market;
  readonly #queue: MessageQueue;
  readonly #destinations: Destination[] = [];
  #subscription: (NewSubscription & { readonly subscriptionId: string }) | null = null;
  /** ASINs whose changes are being aggregated into one message. */
  readonly #gathered = new Set<string>();
  #sent = 0;

  constructor(market: Market, queue: MessageQueue) {
    this.#market = market;
    this.#queue = queue;
    market.onOfferChange((itemId, delay) => this.#changed(itemId, delay));
  }

  /** Calls that need a notifications token instead of a seller token. */
  registerGrantless(app: FastifyInstance): void {
    const path = '/notifications/v1/destinations';
    app.get(path, { config: { operation: 'getDestinations' } }, async () => ({
      payload: this.#destinations,
    }));
    app.post(path, { config: { operation: 'createDestination' } }, async (request) => {
      const body = NewDestination.safeParse(request.body);
      if (!body.success) throw amazonRefusal(400);
      const { name, resourceSpecification } = body.data;
      const { arn } = resourceSpecification.sqs;
      const destinationId = `destination-${this.#destinations.length + 1}`;
      const destination = { name, destinationId, resource: { sqs: { arn } } };
      this.#destinations.push(destination);
      return { payload: destination };
    });
    const one = `/notifications/v1/subscriptions/${TYPE}/:subscriptionId`;
    app.delete(one, { config: { operation: 'deleteSubscriptionById' } }, async (request) => {
      if (this.#subscription?.subscriptionId !== pathText(request, 'subscriptionId'))
        throw amazonRefusal(404);
      this.#subscription = null;
      return {};
    });
  }

  register(app: FastifyInstance): void {
    const path = `/notifications/v1/subscriptions/${TYPE}`;
    app.get(path, { config: { operation: 'getSubscription' } }, async () => {
      if (this.#subscription === null) throw amazonRefusal(404);
      return { payload: this.#subscription };
    });
    app.post(path, { config: { operation: 'createSubscription' } }, async (request) => {
      const body = NewSubscription.safeParse(request.body);
      const isKnown = this.#destinations.some(
        ({ destinationId }) => destinationId === body.data?.destinationId,
      );
      if (!body.success || !isKnown) throw amazonRefusal(400);
      if (this.#subscription !== null) throw conflict();
      this.#subscription = { ...body.data, subscriptionId: 'subscription-1' };
      return { payload: this.#subscription };
    });
  }

  /** Aggregates changes into one message, which shows the state at the time it is sent. */
  #changed(itemId: string, lag: number): void {
    const subscription = this.#subscription;
    if (subscription === null || this.#gathered.has(itemId)) return;
    this.#gathered.add(itemId);
    const settings = subscription.processingDirective?.eventFilter.aggregationSettings;
    const delay = settings === undefined ? 1_000 : PERIODS[settings.aggregationTimePeriod];
    const changedAt = this.#market.now();
    this.#market.later(delay, () => {
      this.#gathered.delete(itemId);
      const item = this.#market.find((one) => one.itemId === itemId);
      if (item === null) return;
      const number = ++this.#sent;
      const { subscriptionId } = subscription;
      const made = offerNotification(item, { number, subscriptionId, changedAt, now: this.#market.now() });
      // A late message shows the state at the time it was made; a later one can arrive before it.
      for (let times = this.#market.happens(this.#market.quirks.told?.twice) ? 2 : 1; times > 0; times--) {
        if (lag === 0) this.#queue.push(made);
        else this.#market.later(lag, () => this.#queue.push(made));
      }
    });
  }
}

function conflict(): Refusal {
  const message = 'A subscription of this type exists already.';
  return new Refusal(409, { errors: [{ code: 'Conflict', message, details: '' }] });
}
