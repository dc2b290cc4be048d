import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Cents, cents } from '#domain/units.ts';
import { type AdapterContext, Refusal } from '#sandbox/adapters/adapter.ts';
import { priceOf } from '#sandbox/adapters/money.ts';
import { headerText } from '#sandbox/adapters/query.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import { type EbayError, ebayError } from './ebay-errors.ts';
import { bestOfferProblem, INVENTORY, isInInventory, NO_SUCH_OFFER } from './inventory.ts';

const LIVE_AFTER = 45_000;
const MAX_OFFERS = 25;
const TOO_OFTEN =
  'A user error has occurred. You have exceeded the number of revisions allowed for this listing today.';

const Body = z.looseObject({
  requests: z
    .array(
      z.looseObject({
        sku: z.string().optional(),
        offers: z
          .array(
            z.looseObject({
              offerId: z.string(),
              price: z.looseObject({ value: z.unknown(), currency: z.string() }),
            }),
          )
          .min(1)
          .max(MAX_OFFERS),
      }),
    )
    .min(1)
    .max(MAX_OFFERS),
});
type Offer = z.output<typeof Body>['requests'][number]['offers'][number];

/** Bulk price updates; each offer has its own status. */
export class PriceUpdates {
  readonly #market: Market;
  readonly #tools: AdapterContext;

  constructor(market: Market, tools: AdapterContext) {
    this.#market = market;
    this.#tools = tools;
  }

  register(app: FastifyInstance): void {
    const path = `${INVENTORY}/bulk_update_price_quantity`;
    app.post(path, { config: { operation: 'bulkUpdatePriceQuantity' } }, async (request, reply) => {
      const body = Body.safeParse(request.body);
      if (!body.success)
        throw ebayError(25_002, 'API_INVENTORY', 'Any User error. The requests are not valid.');
      if (headerText(request, 'content-language') === undefined) {
        throw ebayError(25_709, 'API_INVENTORY', 'Invalid value for header Content-Language.');
      }
      const responses = body.data.requests.flatMap(({ offers }) =>
        offers.map((offer) => this.#take(request, offer)),
      );
      const [only] = responses;
      const isWhole = responses.length === 1 && this.#market.quirks.revisions?.refusesCall === true;
      if (isWhole && only?.errors[0]?.errorId === 25_002) throw new Refusal(400, { errors: only.errors });
      const hasFailed = responses.some(({ statusCode }) => statusCode !== 200);
      return reply.code(hasFailed ? 207 : 200).send({ responses });
    });
  }

  #take(request: FastifyRequest, { offerId, price: sent }: Offer) {
    const item = this.#market.find((one) => isInInventory(one) && one.keys.offerId === offerId);
    const price = sent.currency === 'USD' ? priceOf(sent.value) : null;
    const problem = this.#problemOf(item, offerId, price);
    this.#tools.receivePrice(this.#market, request, {
      sku: item?.sku ?? offerId,
      price: price ?? cents(0),
      liveAfter: LIVE_AFTER,
      refusal: problem?.message ?? null,
    });
    const named = { offerId, ...(item === null ? {} : { sku: item.sku }) };
    if (problem === null) return { ...named, statusCode: 200, warnings: [], errors: [] };
    const statusCode = problem.errorId === NO_SUCH_OFFER ? 404 : 400;
    return { ...named, statusCode, warnings: [], errors: [problem] };
  }

  #problemOf(item: MarketItem | null, offerId: string, price: Cents | null): EbayError | null {
    const wrong = (errorId: number, message: string): EbayError => {
      return { errorId, domain: 'API_INVENTORY', category: 'REQUEST', message };
    };
    if (item === null) return wrong(NO_SUCH_OFFER, `This Offer is not available : ${offerId}.`);
    if (price === null) return wrong(25_709, 'Invalid value for price.');
    const atOffers = bestOfferProblem(item, price);
    if (atOffers !== null) return wrong(25_002, `Any User error. ${atOffers}`);
    // The number is that of any error of the user: only the words say which.
    const parameters = [{ name: 'sku', value: item.sku }];
    if (this.#market.revisions.count(item.itemId)) return null;
    return { ...wrong(25_002, TOO_OFTEN), subdomain: 'Selling', parameters };
  }
}
