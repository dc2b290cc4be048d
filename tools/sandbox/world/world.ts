import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import type { StockPlan, WorldPlan } from './catalog.ts';
import { Clockwork } from './clockwork.ts';
import { Market } from './market.ts';
import { MessageQueue } from './queue.ts';
import type { LivingHeardPrice, ReceivedPrice } from './received-prices.ts';

/**
 * Six marketplaces with our listings on them, rivals, shoppers and orders, and the warehouse behind it. It moves only by
 * `advance`, and the same plan always makes the same world.
 */
export interface World {
  readonly seed: string;
  now(): Instant;
  /** Lets time pass up to that moment. One in the past changes nothing. */
  advance(to: Instant): void;
  market(marketplace: Marketplace): Market;
  /** What the inventory program knows. */
  readonly stock: readonly StockPlan[];
  /** The seller's own queue, where marketplaces put messages. */
  readonly queue: MessageQueue;
  /** Every price that any marketplace was asked for, in the order it was heard. */
  heardPrices(): readonly ReceivedPrice[];
}

export function createWorld(plan: WorldPlan): World {
  const { seed, startsAt, items, stock } = plan;
  const clockwork = new Clockwork(startsAt);
  const heard: LivingHeardPrice[] = [];
  const open = (marketplace: Marketplace): Market => new Market(marketplace, plan, clockwork, heard);
  const markets = new Map(MARKETPLACES.map((marketplace) => [marketplace, open(marketplace)]));
  const market = (marketplace: Marketplace): Market => {
    const found = markets.get(marketplace);
    if (found === undefined) throw new RangeError(`no such marketplace: ${marketplace}`);
    return found;
  };
  for (const item of items) market(item.marketplace).plant(item);
  return {
    seed,
    now: () => clockwork.now(),
    advance: (to) => clockwork.advance(to),
    market,
    stock,
    queue: new MessageQueue(() => clockwork.now()),
    heardPrices: () => heard,
  };
}
