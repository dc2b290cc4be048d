import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { cents, instant } from '#domain/units.ts';
import type { Exchanges } from './exchanges.ts';
import { FaultPlan, type FaultRegistry } from './faults/fault.ts';
import { booksOf } from './world/truth/books.ts';
import type { World } from './world/world.ts';

interface Controlled {
  readonly world: World;
  readonly faults: FaultRegistry;
  readonly exchanges: Exchanges;
}

const Advance = z.strictObject({
  /** A time in ISO 8601. */
  to: z.iso.datetime({ offset: true }).optional(),
  seconds: z.number().min(0).max(31_536_000).optional(),
});

const Edit = z.strictObject({
  marketplace: z.enum(MARKETPLACES),
  sku: z.string(),
  /** Whole cents. */
  price: z.int().min(1).max(9_999_999_999).optional(),
  quantity: z.int().min(0).max(1_000_000).optional(),
  isActive: z.boolean().optional(),
});

/** The right to read what a marketplace booked; granted at the start. */
const MoneyRight = z.strictObject({ marketplace: z.enum(MARKETPLACES), isGranted: z.boolean() });

/** The redirect address of eBay's consent page, as registered for the RuName; null for eBay's own last page. */
const AcceptUrl = z.strictObject({ address: z.url({ protocol: /^https?$/ }).nullable() });

/** The sandbox's own control API, under a prefix that no marketplace uses. */
export function addControl(app: FastifyInstance, { world, faults, exchanges }: Controlled): void {
  app.register(
    async (scope) => {
      scope.setErrorHandler((error, _request, reply) => {
        const status = error instanceof z.ZodError ? 400 : 500;
        return reply.code(status).send({ message: error instanceof Error ? error.message : 'unknown' });
      });
      scope.get('/state', async () => stateOf(world));
      scope.get('/books', async () =>
        MARKETPLACES.map((name) => booksOf(name, world.market(name).orders(), world.market(name).money)),
      );
      scope.get('/received-prices', async () => world.receivedPrices());
      scope.post('/advance', async (request) => {
        const { to, seconds = 0 } = Advance.parse(request.body);
        world.advance(instant(to === undefined ? world.now() + Math.round(seconds * 1_000) : Date.parse(to)));
        return stateOf(world);
      });
      scope.post('/edit', async (request, reply) => {
        const { marketplace, sku, price, quantity, isActive } = Edit.parse(request.body);
        const item = world.market(marketplace).edit(sku, {
          ...(price === undefined ? {} : { price: cents(price) }),
          ...(quantity === undefined ? {} : { quantity }),
          ...(isActive === undefined ? {} : { isActive }),
        });
        return item ?? reply.code(404).send({ message: `no such listing: ${sku}` });
      });
      scope.post('/money-right', async (request) => {
        const { marketplace, isGranted } = MoneyRight.parse(request.body);
        world.market(marketplace).grantMoneyRight(isGranted);
        return { marketplace, isGranted };
      });
      scope.post('/ebay-accept-url', async (request) => {
        const { address } = AcceptUrl.parse(request.body);
        world.market('ebay').consents.setReturnAddress(address);
        return { address };
      });
      scope.get('/faults', async () => ({ planned: faults.list(), held: faults.held }));
      scope.post('/faults', async (request) => faults.add(FaultPlan.parse(request.body)));
      scope.delete('/faults', async () => {
        faults.clear();
        faults.release();
        return { planned: faults.list(), held: faults.held };
      });
      scope.post('/faults/release', async () => {
        faults.release();
        return { held: faults.held };
      });
      scope.get('/exchanges', async () => exchanges.list());
      scope.delete('/exchanges', async () => {
        exchanges.clear();
        return [];
      });
    },
    { prefix: '/_sandbox' },
  );
}

function stateOf(world: World) {
  const marketplaces = MARKETPLACES.map((marketplace) => {
    const market = world.market(marketplace);
    return {
      marketplace,
      orders: market.orders().length,
      receivedPrices: world.receivedPrices().filter((received) => received.marketplace === marketplace)
        .length,
      items: market.items(),
    };
  });
  return { now: new Date(world.now()).toISOString(), seed: world.seed, marketplaces };
}
