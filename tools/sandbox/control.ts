import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { cents, instant } from '#domain/units.ts';
import type { AccountDeletion } from './adapters/ebay/account-deletion.ts';
import type { Exchanges } from './exchanges.ts';
import { FaultPlan, type FaultRegistry, SERVICE_NAMES, type ServiceName } from './faults/fault.ts';
import { OddValuePlan, type OddValues } from './faults/odd-values.ts';
import type { EbayForm } from './world/ebay-form.ts';
import { QuirkPlan } from './world/quirks.ts';
import type { Terms } from './world/terms.ts';
import { booksOf } from './world/truth/books.ts';
import type { World } from './world/world.ts';

interface Controlled {
  readonly world: World;
  readonly faults: FaultRegistry;
  readonly oddValues: OddValues;
  readonly exchanges: Exchanges;
  readonly accountDeletion: AccountDeletion;
  readonly countElsewhere: (service: ServiceName, operation: string, calls: number) => void;
}

const Advance = z.strictObject({
  /** A time in ISO 8601. */
  to: z.iso.datetime({ offset: true }).optional(),
  seconds: z.number().min(0).max(31_536_000).optional(),
});

const Price = z.int().min(1).max(9_999_999_999).transform(cents);
const Moment = z.iso.datetime({ offset: true }).transform((text) => instant(Date.parse(text)));
const Bounds = z.strictObject({ min: Price.nullable(), max: Price.nullable() });

/** What is arranged besides the price; null ends it. Prices in whole cents. */
const TermsEdit = z
  .strictObject({
    sale: z.strictObject({ price: Price, from: Moment, to: Moment }).nullable(),
    bounds: Bounds,
    mapPrice: Price.nullable(),
    repricer: Bounds.nullable(),
    business: z
      .strictObject({
        price: Price.nullable(),
        levels: z.array(z.strictObject({ from: z.int().min(2), price: Price })),
      })
      .nullable(),
    compareAtPrice: Price.nullable(),
    bestOffer: z.strictObject({ autoAccept: Price.nullable(), autoDecline: Price.nullable() }).nullable(),
    priceLists: z.array(z.string().min(1).max(100)),
  })
  .partial();

const Edit = z.strictObject({
  marketplace: z.enum(MARKETPLACES),
  sku: z.string(),
  /** Whole cents. */
  price: z.int().min(1).max(9_999_999_999).optional(),
  quantity: z.int().min(0).max(1_000_000).optional(),
  isActive: z.boolean().optional(),
  terms: TermsEdit.optional(),
  /** How it is listed at eBay. */
  ebay: z
    .strictObject({
      hasLabel: z.boolean(),
      tracking: z.enum(['ItemID', 'SKU']),
      hasPolicies: z.boolean(),
      wantsPaymentAtOnce: z.boolean(),
      hasPlace: z.boolean(),
      /** Whether the Inventory API knows it; false takes it out, as if it had been made in eBay's own forms. */
      isInInventory: z.boolean(),
    })
    .partial()
    .optional(),
});

/** What changes about how a marketplace misbehaves. */
const Quirks = QuirkPlan.extend({ marketplace: z.enum(MARKETPLACES) });

/** The right to read what a marketplace booked; granted at the start. */
const MoneyRight = z.strictObject({ marketplace: z.enum(MARKETPLACES), isGranted: z.boolean() });

/** A message about a deleted account, to an address on this machine. */
const Deletion = z.strictObject({
  address: z.url({ protocol: /^http$/ }),
  verificationToken: z.string().min(32).max(80),
  username: z.string().min(1).max(100),
  /** Whether the message is changed after it was signed. */
  isForged: z.boolean().default(false),
});

/** Calls of another program with the same credentials. */
const UsedCalls = z.strictObject({
  service: z.enum(SERVICE_NAMES),
  operation: z.string().min(1).max(100),
  calls: z.int().min(1).max(10_000_000),
});

/** The redirect address of eBay's consent page, as registered for the RuName; null for eBay's own last page. */
const AcceptUrl = z.strictObject({ address: z.url({ protocol: /^https?$/ }).nullable() });

/** The sandbox's own control API, under a prefix that no marketplace uses. */
export function addControl(
  app: FastifyInstance,
  { world, faults, oddValues, exchanges, accountDeletion, countElsewhere }: Controlled,
): void {
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
        const { marketplace, sku, price, quantity, isActive, terms, ebay = {} } = Edit.parse(request.body);
        const { isInInventory, ...form } = ebay;
        const item = world.market(marketplace).edit(sku, {
          ...(price === undefined ? {} : { price: cents(price) }),
          ...(quantity === undefined ? {} : { quantity }),
          ...(isActive === undefined ? {} : { isActive }),
          ...(terms === undefined ? {} : { terms: sentIn<Terms>(terms) }),
          ...(isInInventory === undefined ? {} : { keys: { offerId: isInInventory ? `${sku}-offer` : '' } }),
          ebay: sentIn<EbayForm>(form),
        });
        return item ?? reply.code(404).send({ message: `no such listing: ${sku}` });
      });
      scope.get('/truth', async () => MARKETPLACES.map((name) => truthIn(world, name)));
      scope.get('/quirks', async () =>
        MARKETPLACES.map((name) => ({ marketplace: name, ...world.market(name).quirks })),
      );
      scope.post('/quirks', async (request) => {
        const { marketplace, ...plan } = Quirks.parse(request.body);
        world.market(marketplace).setQuirks(plan);
        return { marketplace, ...world.market(marketplace).quirks };
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
      scope.post('/ebay-account-deletion', async (request) => {
        const { address, verificationToken, username, isForged } = Deletion.parse(request.body);
        const isStepUpFresh = await accountDeletion.challenge({ address, verificationToken });
        const user = { username, userId: `id-${username}`, eiasToken: `eias-${username}` };
        return {
          isStepUpFresh,
          status: isStepUpFresh ? await accountDeletion.send(address, user, isForged) : null,
        };
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
      scope.get('/odd-values', async () => oddValues.list());
      scope.post('/odd-values', async (request) => oddValues.add(OddValuePlan.parse(request.body)));
      scope.delete('/odd-values', async () => {
        oddValues.clear();
        return oddValues.list();
      });
      scope.post('/used-calls', async (request) => {
        const { service, operation, calls } = UsedCalls.parse(request.body);
        countElsewhere(service, operation, calls);
        return { service, operation, calls };
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

/** What buyers saw and bought on a marketplace. */
function truthIn(world: World, marketplace: Marketplace) {
  const truth = world.truth();
  const listings = world
    .market(marketplace)
    .items()
    .map(({ sku }) => ({
      sku,
      prices: truth.prices(marketplace, sku),
      boxes: truth.boxes(marketplace, sku),
    }));
  return { marketplace, listings, sales: truth.sales(marketplace) };
}

/** Without the members that were not sent. */
/** What was sent of it. */
function sentIn<Whole extends object>(
  sent: { [Name in keyof Whole]?: Whole[Name] | undefined },
): Partial<Whole> {
  return Object.fromEntries(
    Object.entries(sent).filter(([, value]) => value !== undefined),
  ) as Partial<Whole>;
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
