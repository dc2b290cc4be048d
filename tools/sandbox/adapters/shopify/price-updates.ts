import type { FastifyRequest } from 'fastify';
import { cents } from '#domain/units.ts';
import type { AdapterContext } from '#sandbox/adapters/adapter.ts';
import { priceOf } from '#sandbox/adapters/money.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import { productIdOf, productView, type VariantView, variantView } from './shop-views.ts';

export interface PriceUpdatesInput {
  readonly productId: string;
  readonly variants: readonly { readonly id?: string | null; readonly price?: string | null }[];
  readonly allowPartialUpdates?: boolean | null;
}

interface Problem {
  readonly field: readonly string[];
  readonly code: string;
  readonly message: string;
}

type CheckedVariant =
  | { readonly item: MarketItem; readonly price: ReturnType<typeof cents> | null; readonly problem: null }
  | { readonly item: MarketItem | null; readonly price: null; readonly problem: Problem };

/** Price updates for the variants of a product; live immediately. */
export class PriceUpdates {
  readonly #market: Market;
  readonly #tools: AdapterContext;

  constructor(market: Market, tools: AdapterContext) {
    this.#market = market;
    this.#tools = tools;
  }

  apply({ productId, variants, allowPartialUpdates }: PriceUpdatesInput, request: FastifyRequest) {
    const number = productId.replace(/^gid:\/\/shopify\/Product\//, '');
    const product = productView(this.#market, number);
    if (product === null) {
      const message = 'Product does not exist';
      const problem = { field: ['productId'], code: 'PRODUCT_DOES_NOT_EXIST', message };
      return { product: null, productVariants: null, userErrors: [problem] };
    }
    const checked = variants.map((variant, at) => this.#check(variant, number, at));
    const userErrors = checked.flatMap(({ problem }) => problem ?? []);
    const isOff = userErrors.length > 0 && allowPartialUpdates !== true;
    const taken = checked.flatMap((one) => this.#receive(one, request, isOff));
    // A response that failed as a whole contains no variants.
    return { product, productVariants: isOff ? null : taken, userErrors };
  }

  #check(
    { id, price: sent }: PriceUpdatesInput['variants'][number],
    productId: string,
    at: number,
  ): CheckedVariant {
    const wrong = (item: MarketItem | null, field: string, code: string, message: string): CheckedVariant => {
      return { item, price: null, problem: { field: ['variants', String(at), field], code, message } };
    };
    if (id == null) return wrong(null, 'id', 'PRODUCT_VARIANT_ID_MISSING', 'Product variant ID is missing');
    const item = this.#market.find(({ itemId }) => id === `gid://shopify/ProductVariant/${itemId}`);
    if (item === null || productIdOf(item) !== productId) {
      return wrong(item, 'id', 'PRODUCT_VARIANT_DOES_NOT_EXIST', 'Product variant does not exist');
    }
    if (sent == null) return { item, price: null, problem: null };
    const price = priceOf(sent);
    if (price !== null) return { item, price, problem: null };
    if (sent.startsWith('-')) {
      return wrong(item, 'price', 'NEGATIVE_PRICE_VALUE', 'Price must be greater than or equal to 0');
    }
    return wrong(item, 'price', 'INVALID_VALUE', 'Price is not valid');
  }

  #receive({ item, price, problem }: CheckedVariant, request: FastifyRequest, isOff: boolean): VariantView[] {
    if (item === null) return [];
    if (problem !== null || isOff) {
      const refusal = problem?.message ?? 'another variant of the call was refused';
      this.#tools.receivePrice(this.#market, request, {
        sku: item.sku,
        price: price ?? cents(0),
        liveAfter: 0,
        refusal,
      });
      return [];
    }
    if (price === null) return [variantView(this.#market, item)];
    this.#tools.receivePrice(this.#market, request, { sku: item.sku, price, liveAfter: 0 });
    return [variantView(this.#market, item, price)];
  }
}
