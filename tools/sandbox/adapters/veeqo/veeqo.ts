import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AdapterContext, type MarketplaceAdapter, Refusal } from '#sandbox/adapters/adapter.ts';
import { dollars } from '#sandbox/adapters/money.ts';
import { headerText, pathText, queryNumber, queryText } from '#sandbox/adapters/query.ts';
import { CREDENTIALS } from '#sandbox/credentials.ts';
import type { StockPlan } from '#sandbox/world/catalog.ts';
import type { World } from '#sandbox/world/world.ts';

const GRAMS_PER_OUNCE = 28.349523125;
/** Products and sellables have separate number ranges. */
const FIRST_PRODUCT = 8_600_000;
const FIRST_SELLABLE = 14_100_000;

const USUAL_ERRORS: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  404: 'Not found',
  429: 'Too many requests',
};
const bodyOf = (status: number) => ({ error: USUAL_ERRORS[status] ?? 'Internal server error' });

/** The inventory program Veeqo: products with cost and weight. */
export function veeqoAdapter({ world }: AdapterContext): MarketplaceAdapter {
  const limit = { perSecond: 5, burst: 100 };
  const startedAt = world.now();
  return {
    name: 'veeqo',
    errorFormat: { refusal: (status) => ({ body: bodyOf(status) }), failedInside: () => bodyOf(500) },
    limits: { listProducts: limit, getProduct: limit },
    register: (app) => {
      app.addHook('preHandler', async (request) => {
        if (headerText(request, 'x-api-key') !== CREDENTIALS.veeqo.apiKey) throw veeqoRefusal(401);
      });
      addProducts(app, world, startedAt);
    },
  };
}

function veeqoRefusal(status: number): Refusal {
  return new Refusal(status, bodyOf(status));
}

function addProducts(app: FastifyInstance, { stock }: World, startedAt: number): void {
  const products = stock.map((one, at) => ({ one, at }));
  app.get('/products', { config: { operation: 'listProducts' } }, async (request, reply) => {
    const page = queryNumber(request, 'page', 1, 1_000_000);
    const size = queryNumber(request, 'page_size', 12, 100);
    if (!(page >= 1) || !(size >= 1)) throw veeqoRefusal(400);
    const wanted = products.filter(({ one, at }) => isWanted(request, one, at, startedAt));
    reply.headers({
      'x-total-count': String(wanted.length),
      'x-total-pages-count': String(Math.ceil(wanted.length / size)),
      'x-page-index': String(page),
      'x-per-page': String(size),
    });
    return wanted.slice((page - 1) * size, page * size).map(({ one, at }) => productView(one, at, startedAt));
  });
  app.get('/products/:productId', { config: { operation: 'getProduct' } }, async (request) => {
    const at = Number(pathText(request, 'productId')) - FIRST_PRODUCT;
    const one = stock[at];
    if (one === undefined) throw veeqoRefusal(404);
    return productView(one, at, startedAt);
  });
}

/** Stock never changes, so every product is as old as the world. */
function isWanted(request: FastifyRequest, { sku, name }: StockPlan, at: number, startedAt: number): boolean {
  const words = queryText(request, 'query')?.toLowerCase() ?? '';
  const sinceId = Number(queryText(request, 'since_id') ?? 0);
  const since = ['created_at_min', 'updated_at_min'].map((parameter) => queryText(request, parameter));
  return (
    `${sku} ${name}`.toLowerCase().includes(words) &&
    FIRST_PRODUCT + at > sinceId &&
    since.every((text) => text === null || startedAt >= Date.parse(`${text.replace(' ', 'T')}Z`))
  );
}

function productView(
  { sku, name, cost, weightOunces, isKit = false }: StockPlan,
  at: number,
  startedAt: number,
) {
  const moment = new Date(startedAt).toISOString();
  return {
    id: FIRST_PRODUCT + at,
    title: name,
    created_at: moment,
    updated_at: moment,
    deleted_at: null,
    main_image: null,
    sellables: [
      {
        id: FIRST_SELLABLE + at,
        type: isKit ? 'Kit' : 'ProductVariant',
        title: '',
        full_title: name,
        product_title: name,
        sku_code: sku,
        upc_code: '',
        price: null,
        cost_price: cost === null ? null : dollars(cost),
        weight_grams: weightOunces === null ? null : Math.round(weightOunces * GRAMS_PER_OUNCE * 100) / 100,
        weight_unit: 'g',
      },
    ],
  };
}
