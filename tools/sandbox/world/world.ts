import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import type { StockPlan, WorldPlan } from './catalog.ts';
import { Clockwork } from './clockwork.ts';
import { Market } from './market.ts';
import { MessageQueue } from './queue.ts';
import type { MutableReceivedPrice, ReceivedPrice } from './received-prices.ts';
import { type Truth, truthOf } from './truth/truth.ts';

/**
 * Six marketplaces with our listings, competitors, shoppers and orders, and the warehouse behind them. Time passes only
 * by `advance`, and the same plan always makes the same world.
 */
export interface World {
  readonly seed: string;
  now(): Instant;
  /** Lets time pass up to that time. A time in the past changes nothing. */
  advance(to: Instant): void;
  market(marketplace: Marketplace): Market;
  /** The products of the inventory program. */
  readonly stock: readonly StockPlan[];
  /** The seller's own message queue. */
  readonly queue: MessageQueue;
  /** All prices that any marketplace received, in order. */
  receivedPrices(): readonly ReceivedPrice[];
  /** What really happened: what buyers saw, who sold at which price, and what each store showed when. */
  truth(): Truth;
}

export function createWorld(plan: WorldPlan): World {
  const { seed, startsAt, items, stock } = plan;
  const clockwork = new Clockwork(startsAt);
  const received: MutableReceivedPrice[] = [];
  const open = (marketplace: Marketplace): Market => new Market(marketplace, plan, clockwork, received);
  const markets = new Map(MARKETPLACES.map((marketplace) => [marketplace, open(marketplace)]));
  const market = (marketplace: Marketplace): Market => {
    const found = markets.get(marketplace);
    if (found === undefined) throw new RangeError(`no such marketplace: ${marketplace}`);
    return found;
  };
  for (const item of items) market(item.marketplace).addItem(item);
  return {
    seed,
    now: () => clockwork.now(),
    advance: (to) => clockwork.advance(to),
    market,
    stock,
    queue: new MessageQueue(() => clockwork.now()),
    receivedPrices: () => received,
    truth: () => truthOf(market),
  };
}
