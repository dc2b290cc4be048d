import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { cents } from '#domain/units.ts';
import type { AdapterContext } from '#sandbox/adapters/adapter.ts';
import { priceOf } from '#sandbox/adapters/money.ts';
import { pathText, queryNumber, queryText } from '#sandbox/adapters/query.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { Task } from '#sandbox/world/tasks.ts';
import { walmartRefusal } from './walmart-errors.ts';

const MINUTE = 60_000;
const LIVE_AFTER = 4 * MINUTE;
const FEED_PROCESSING_TIME = 12 * MINUTE;
/** Milliseconds from submission until buyers see the price. */
const FEED_LIVE_AFTER = 15 * MINUTE;
const MAX_DETAILS = 50;
const TOO_NEW = 'The item is not set up yet. Please try again after 24 hours.';

const PriceBody = z.looseObject({
  sku: z.string().min(1),
  pricing: z
    .array(
      z.looseObject({
        currentPriceType: z.literal('BASE'),
        currentPrice: z.looseObject({ currency: z.literal('USD').optional(), amount: z.number() }),
      }),
    )
    .length(1),
});
const FeedBody = z.looseObject({
  MPItemFeedHeader: z.looseObject({
    businessUnit: z.literal('WALMART_US'),
    version: z.string().min(1),
    locale: z.literal('en'),
  }),
  MPItem: z
    .array(z.looseObject({ 'Promo&Discount': z.looseObject({ sku: z.string(), price: z.unknown() }) }))
    .min(1)
    .max(10_000),
});

interface Ingested {
  readonly sku: string;
  readonly index: number;
  readonly problem: string | null;
}

/** Single price updates and price feeds. */
export class Prices {
  readonly #market: Market;
  readonly #tools: AdapterContext;
  readonly #feeds = new Map<string, readonly Ingested[]>();

  constructor(market: Market, tools: AdapterContext) {
    this.#market = market;
    this.#tools = tools;
  }

  register(app: FastifyInstance): void {
    app.put('/v3/price', { config: { operation: 'updatePrice' } }, async (request) => this.#put(request));
    app.post('/v3/feeds', { config: { operation: 'submitPriceAndPromotionFeed' } }, async (request) =>
      this.#submit(request),
    );
    app.get('/v3/feeds', { config: { operation: 'getAllFeedStatuses' } }, async (request) => {
      const one = queryText(request, 'feedId');
      const feeds = [...this.#feeds.keys()].filter((feedId) => one === null || feedId === one);
      return {
        totalResults: feeds.length,
        offset: 0,
        limit: MAX_DETAILS,
        results: { feed: feeds.slice(0, MAX_DETAILS).map((feedId) => this.#summary(feedId)) },
      };
    });
    app.get('/v3/feeds/:feedId', { config: { operation: 'getFeedItemStatus' } }, async (request) =>
      this.#status(request),
    );
  }

  #put(request: FastifyRequest) {
    const body = PriceBody.safeParse(request.body);
    if (!body.success || queryText(request, 'promo') === 'true') {
      throw walmartRefusal(400, 'The price is not well-formed.', 'pricing');
    }
    const { sku, pricing } = body.data;
    const price = priceOf(pricing[0]?.currentPrice.amount);
    const problem = this.#receive(request, sku, price, LIVE_AFTER);
    if (problem !== null)
      throw walmartRefusal(price === null || problem === TOO_NEW ? 400 : 404, problem, 'sku');
    return {
      mart: 'WALMART_US',
      sku,
      message:
        'Thank you. Your price has been updated. Please allow up to five minutes for it to show on the site.',
    };
  }

  /** @returns the problem; null if the price was accepted */
  #receive(
    request: FastifyRequest,
    sku: string,
    price: ReturnType<typeof priceOf>,
    liveAfter: number,
    fails = false,
  ) {
    const item = this.#market.item(sku);
    const problem =
      price === null
        ? 'The price must be above zero.'
        : item === null
          ? 'The SKU does not exist.'
          : this.#isTooNew(item)
            ? TOO_NEW
            : fails
              ? 'The price could not be processed. Please try again.'
              : null;
    this.#tools.receivePrice(this.#market, request, {
      sku,
      price: price ?? cents(0),
      liveAfter,
      refusal: problem,
    });
    return problem;
  }

  #isTooNew({ createdAt }: MarketItem): boolean {
    const { tooNewHours = 0 } = this.#market.quirks;
    return this.#market.now() - createdAt < tooNewHours * 60 * MINUTE;
  }

  #submit(request: FastifyRequest) {
    if (queryText(request, 'feedType') !== 'PRICE_AND_PROMOTION') {
      throw walmartRefusal(400, 'The feed type is not supported.', 'feedType');
    }
    const body = FeedBody.safeParse(request.body);
    if (!body.success) throw walmartRefusal(400, 'The feed does not follow its schema.', 'MPItem');
    const feedId = `${randomUUID().replaceAll('-', '').toUpperCase()}@AVMBAgA`;
    const seen = new Set<string>();
    const ingested = body.data.MPItem.map(({ 'Promo&Discount': item }, index) => {
      const isRepeated = seen.has(item.sku);
      seen.add(item.sku);
      const problem = isRepeated
        ? 'The SKU is in the feed more than once.'
        : this.#receive(
            request,
            item.sku,
            priceOf(item.price),
            FEED_LIVE_AFTER,
            this.#market.happens(this.#market.quirks.effects?.feedFails),
          );
      return { sku: item.sku, index, problem };
    });
    this.#feeds.set(feedId, ingested);
    this.#market.tasks.start(feedId, 'feed', FEED_PROCESSING_TIME, () => '');
    return { feedId };
  }

  #status(request: FastifyRequest) {
    const feedId = pathText(request, 'feedId');
    const ingested = this.#feeds.get(feedId);
    const task = this.#market.tasks.find(feedId);
    if (ingested === undefined || task === null)
      throw walmartRefusal(404, 'There is no such feed.', 'feedId');
    const offset = queryNumber(request, 'offset', 0, 10_000);
    const limit = queryNumber(request, 'limit', MAX_DETAILS, MAX_DETAILS);
    if (Number.isNaN(offset) || !(limit >= 1)) throw walmartRefusal(400, 'The page is not valid.', 'limit');
    const details =
      queryText(request, 'includeDetails') === 'true' ? ingested.slice(offset, offset + limit) : [];
    return {
      feedId,
      feedStatus: STATUS[task.state],
      ...countsOf(ingested, task),
      offset,
      limit,
      itemDetails: { itemIngestionStatus: details.map((one) => detailOf(one, task)) },
    };
  }

  #summary(feedId: string) {
    const task = this.#market.tasks.find(feedId);
    if (task === null) return { feedId };
    return {
      feedId,
      feedSource: 'MARKETPLACE_PARTNER',
      feedType: 'MP_ITEM_PRICE_UPDATE',
      partnerId: '1000',
      ...countsOf(this.#feeds.get(feedId) ?? [], task),
      feedStatus: STATUS[task.state],
      feedDate: task.createdAt,
      modifiedDtm: task.doneAt ?? task.createdAt,
    };
  }
}

const STATUS = { waiting: 'RECEIVED', working: 'INPROGRESS', done: 'PROCESSED' } as const;

function countsOf(ingested: readonly Ingested[], { state }: Task) {
  const failed = ingested.filter(({ problem }) => problem !== null).length;
  const isDone = state === 'done';
  return {
    itemsReceived: ingested.length,
    itemsSucceeded: isDone ? ingested.length - failed : 0,
    itemsFailed: isDone ? failed : 0,
    itemsProcessing: isDone ? 0 : ingested.length,
  };
}

function detailOf({ sku, index, problem }: Ingested, { state }: Task) {
  if (state !== 'done') return { martId: 0, sku, index, ingestionStatus: 'INPROGRESS' };
  if (problem === null) return { martId: 0, sku, index, ingestionStatus: 'SUCCESS' };
  const ingestionError = [{ type: 'DATA_ERROR', code: 'ERR_PDI_0001', description: problem }];
  return { martId: 0, sku, index, ingestionStatus: 'DATA_ERROR', ingestionErrors: { ingestionError } };
}
