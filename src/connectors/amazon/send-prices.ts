import type { PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { ConnectorError, concernsAll } from '#connectors/connector-error.ts';
import { mapLimited } from '#connectors/map-limited.ts';
import type { AmazonCalls } from './amazon-calls.ts';
import type { AmazonShop } from './amazon-shop.ts';
import { readForPrice, submitPrice } from './price-patch.ts';
import { type BusinessWay, proveBusiness, readBusinessWay, withoutBusiness } from './prove-business.ts';
import { knownWay, type OfferBehind, proveMerge, sendBehind } from './prove-merge.ts';
import { outcomeOf, tooLate } from './send-outcome.ts';
import type { WriteWay } from './write-way.ts';

const CONCURRENT_SENDS = 4;

/**
 * Sends each price with a call of its own, right after its listing was read. The first one of an account proves how the
 * others are written. One outcome per order, in their order.
 */
export async function patchPrices(
  calls: AmazonCalls,
  shop: AmazonShop,
  orders: readonly PriceOrder[],
  signal: AbortSignal,
): Promise<SendOutcome[]> {
  const sending = new Sending(calls, shop, signal);
  const first: SendOutcome[] = [];
  for (const [at, order] of orders.entries()) {
    if (sending.isDecided(orders.slice(at))) break;
    first.push(await sending.sendFirst(order));
  }
  const others = await mapLimited(orders.slice(first.length), CONCURRENT_SENDS, (order) =>
    sending.sendNext(order),
  );
  return [...first, ...others];
}

/** The prices of one call. */
class Sending {
  readonly #calls: AmazonCalls;
  readonly #shop: AmazonShop;
  readonly #signal: AbortSignal;
  #way: WriteWay | null = null;
  #behind: OfferBehind | null = null;
  /** Null until it is needed; "unproven" while the next price with business prices has to prove it. */
  #business: BusinessWay | null = null;
  /** An error that the next order would have too. */
  #stop: ConnectorError | null = null;

  constructor(calls: AmazonCalls, shop: AmazonShop, signal: AbortSignal) {
    this.#calls = calls;
    this.#shop = shop;
    this.#signal = signal;
  }

  /** How the prices that are left are written is known, or that none can be. */
  isDecided(left: readonly PriceOrder[]): boolean {
    if (this.#stop !== null) return true;
    return this.#way !== null && !(this.#isUnproven && left.some(({ business }) => business != null));
  }

  /** A replace sends back all that was read: what it writes needs no proof. */
  get #isUnproven(): boolean {
    return this.#way?.op === 'merge' && (this.#business ?? 'unproven') === 'unproven';
  }

  sendFirst(order: PriceOrder): Promise<SendOutcome> {
    return this.#attempt(order, async () => {
      if (this.#way === null) {
        const known = await knownWay(this.#calls, this.#shop, this.#signal);
        this.#way = known;
        this.#behind = known?.behind ?? null;
      }
      if (order.business != null)
        this.#business ??= await readBusinessWay(this.#calls, this.#shop, this.#signal);
      if (this.#way !== null)
        return this.#isUnproven && order.business != null
          ? this.#prove(order, this.#way)
          : this.#send(order, this.#way);
      const regular = withoutBusiness(order);
      const { outcome, way } = await proveMerge(this.#calls, this.#shop, regular, this.#signal);
      this.#way = way;
      return outcome;
    });
  }

  async #prove(order: PriceOrder, way: WriteWay): Promise<SendOutcome> {
    if (this.#calls.now() > order.notAfter) return tooLate(order);
    const read = await readForPrice(this.#calls, this.#shop, order, this.#signal);
    if ('kind' in read) return read;
    const { outcome, found } = await proveBusiness(this.#calls, this.#shop, read, way, this.#signal);
    this.#business = found;
    return outcome;
  }

  async sendNext(order: PriceOrder): Promise<SendOutcome> {
    const way = this.#way;
    if (way !== null) return this.#attempt(order, () => this.#send(order, way));
    if (this.#stop === null) throw new Error('It is not known how prices are written.');
    return outcomeOf(order, withoutAct(this.#stop));
  }

  async #attempt(order: PriceOrder, send: () => Promise<SendOutcome>): Promise<SendOutcome> {
    if (this.#stop !== null) return outcomeOf(order, withoutAct(this.#stop));
    try {
      return await send();
    } catch (error) {
      if (error instanceof ConnectorError && concernsAll(error)) this.#stop = error;
      return outcomeOf(order, error);
    }
  }

  async #send(order: PriceOrder, way: WriteWay): Promise<SendOutcome> {
    if (this.#calls.now() > order.notAfter) return tooLate(order);
    const isAlone = way.op === 'merge' && this.#business !== 'proven';
    const sent = isAlone ? withoutBusiness(order) : order;
    const read = await readForPrice(this.#calls, this.#shop, sent, this.#signal);
    if ('kind' in read) return read;
    const behind = this.#behind;
    return behind?.sku === order.ref.sku
      ? sendBehind(this.#calls, this.#shop, read, behind, way, this.#signal)
      : submitPrice(this.#calls, this.#shop, read, way, this.#signal);
  }
}

/** The orders after the failed one were not sent, whatever the outcome of that one. */
function withoutAct({ fault, message, code, retryAfter }: ConnectorError): ConnectorError {
  return new ConnectorError(fault, message, { code, retryAfter });
}
