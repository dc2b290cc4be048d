import { and, desc, eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { auditLog } from '#db/schema/audit.ts';
import { listings } from '#db/schema/listings.ts';
import { priceHistory } from '#db/schema/prices.ts';
import { repricingState } from '#db/schema/repricing-state.ts';
import type { AuditAction } from '#domain/audit-actions.ts';
import { decideListings } from '#usecases/repricing/pricing/decide-listings.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { recordDecisions } from '#usecases/repricing/pricing/record-decisions.ts';
import { addListing, addOffer, addRule, addRun, addSku, declareSeller } from './seed.ts';
import { createTestApp, type TestApp } from './test-app.ts';

type Listing = typeof listings.$inferSelect;
type PriceRow = typeof priceHistory.$inferSelect;

/** A whole app with a story in it, an administrator who is logged in, and an engine that runs on request. */
export interface PricedShop {
  readonly app: TestApp;
  readonly cookie: string;
  /**
   * Walmart A-1: $20.00 now, $10.00 cost, 15 % fee. The rule keeps 15 %: the margin floor is $14.29. A competitor:
   * $18.00.
   */
  readonly id: number;
  send(method: 'PUT' | 'POST', url: string, payload: object): Promise<LightMyRequestResponse>;
  get(url: string): Promise<LightMyRequestResponse>;
  /** Another listing like the first, with a competitor at a price. */
  addAnother(sku: string, competitor: number, over?: Partial<typeof listings.$inferInsert>): Promise<number>;
  /** One run of the engine over everything, as it comes by in the background. */
  engineRuns(): Promise<void>;
  /** @returns its moment, as the API names it */
  halt(): Promise<string>;
  listing(id?: number): Promise<Listing>;
  /** The newest row of the ledger of a listing. */
  lastMove(id?: number): Promise<PriceRow>;
  /** What the audit log says about the first listing. */
  auditOf(action: AuditAction, id?: number): Promise<(typeof auditLog.$inferSelect)[]>;
}

export async function createPricedShop(over: Parameters<typeof createTestApp>[0] = {}): Promise<PricedShop> {
  const app = await createTestApp(over);
  const { db, deps } = app;
  const cookie = await app.admin();
  const addAnother: PricedShop['addAnother'] = async (sku, competitor, over = {}) => {
    await addSku(db, sku);
    const id = await addListing(db, sku, over);
    await addOffer(db, id, competitor, { seenAt: deps.now() });
    return id;
  };
  const id = await addAnother('A-1', 18);
  await addRule(db);
  await declareSeller(db, 'walmart');
  return {
    app,
    cookie,
    id,
    addAnother,
    send: (method, url, payload) => app.post(url, payload, { method, headers: { cookie } }),
    get: (url) => app.get(url, cookie),
    engineRuns: () => runEngine(app),
    halt: async () => {
      const since = deps.now();
      await db.update(repricingState).set({ halted: true, changedAt: since });
      return new Date(since).toISOString();
    },
    listing: async (wanted = id) => only(await db.select().from(listings).where(eq(listings.id, wanted))),
    lastMove: async (wanted = id) =>
      only(
        await db
          .select()
          .from(priceHistory)
          .where(eq(priceHistory.listingId, wanted))
          .orderBy(desc(priceHistory.id))
          .limit(1),
      ),
    auditOf: (action, wanted = id) =>
      db
        .select()
        .from(auditLog)
        .where(and(eq(auditLog.action, action), eq(auditLog.targetId, String(wanted))))
        .orderBy(auditLog.id),
  };
}

async function runEngine({ db, deps }: TestApp): Promise<void> {
  const now = deps.now();
  await db.execute(`UPDATE repricing_runs SET state = 'done', ended_at = started_at`);
  const runId = await addRun(db, now);
  const ids = (await db.select({ id: listings.id }).from(listings).orderBy(listings.id)).map(({ id }) => id);
  const decided = await decideListings(db, await loadPricingContext(db, now), ids);
  await db.transaction((tx) => recordDecisions(tx, runId, decided, now));
}

function only<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error('Expected a row.');
  return row;
}
