import { sql } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { appSettings } from '#db/schema/settings.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { type Cents, cents, hours, type Instant, instant, minutes } from '#domain/units.ts';
import type { Sandbox } from '#sandbox/server.ts';
import type { ItemPlan } from '#sandbox/world/catalog.ts';
import { Chance } from '#sandbox/world/chance.ts';
import type { QuirkPlan } from '#sandbox/world/quirks.ts';
import { pct, usd } from '#tests/builders/facts.ts';
import { IS_ALL } from '#tests/support/breadth.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { BROKEN_LEDGERS } from '#tests/support/engine-shop.ts';
import { openLiveShops } from '#tests/support/live-shops.ts';
import {
  type Arrangement,
  chased,
  countTrueEdits,
  falseEdits,
  type Hold,
  isCaused,
  type LedgerRow,
  lostTerms,
  type MarketTruth,
  missedEdits,
  type Named,
  nameOf,
  overwrittenEdits,
  strays,
} from '#tests/support/market-findings.ts';
import { addRule } from '#tests/support/seed.ts';

/*
 * Six marketplaces that show prices up to half an hour late, with sellers who edit prices, sales, and native repricers.
 * What happened is read from the simulated markets, and compared with what Pricewright believed and did.
 */

/** Days of 504 listings, as `npm run proof:markets -- 30` asks for them; 0: the small markets of `npm test -- --all`. */
const PROOF_DAYS = Number(process.env.PRICEWRIGHT_MARKET_DAYS ?? 0);
const IS_PROOF = PROOF_DAYS > 0;
const PER_MARKETPLACE = IS_PROOF ? 84 : 20;
const DAYS = IS_PROOF ? PROOF_DAYS : 3;
/** One listing in so many has competitors. */
const COMPETED = IS_PROOF ? 7 : 2;
const EDITS_PER_DAY = IS_PROOF ? 0.05 : 0.3;
/** The store is checked twice in two hours, the second time while lists still show the prices before the first one. */
const TICKS = [minutes(105), minutes(15)] as const;
const fixture = engineFixture();
let sandbox: Sandbox;
afterEach(() => sandbox.close());

const QUIRKS: QuirkPlan = {
  lag: { item: [0, 30], list: [0, 1_800], document: [0, 1_800], event: [0, 900], box: [100, 1_800] },
  hands: { seller: { perDay: EDITS_PER_DAY } },
};
const RULED = ['amazon', 'walmart', 'ebay'] as const;
const REPRICERS: ReadonlySet<Marketplace> = new Set(['amazon', 'walmart']);

const hasCompetitors = (at: number) => at % COMPETED === 0;
function items(): ItemPlan[] {
  return MARKETPLACES.flatMap((marketplace) =>
    Array.from({ length: PER_MARKETPLACE }, (_, at): ItemPlan => {
      const price = usd(20 + at / 10);
      const bounds = { min: cents(Math.round(price * 0.7)), max: cents(Math.round(price * 1.3)) };
      return {
        marketplace,
        sku: `${marketplace}-${at}`,
        title: `Product ${at}`,
        fulfillmentType: 'FBM',
        price,
        viewsPerDay: 1,
        ...(hasCompetitors(at) ? {} : { competitors: [] }),
        ...(marketplace === 'amazon' && at % 5 === 1 && { terms: { bounds } }),
      };
    }),
  );
}

/** Each day a sale of ten hours on three marketplaces, and a native repricer for ten hours on two. */
function arrangements(start: Instant): Arrangement[] {
  const chance = new Chance('arrangements');
  const planned: Arrangement[] = [];
  for (let day = 0; day < DAYS; day++) {
    for (const marketplace of RULED) {
      const sku = () => `${marketplace}-${chance.whole(0, PER_MARKETPLACE - 1)}`;
      const at = instant(start + hours(24 * day + 2) + chance.whole(0, hours(5)));
      const to = instant(at + hours(10));
      const sale = { price: usd(17), from: instant(at + minutes(30)), to };
      planned.push({ marketplace, sku: sku(), at, terms: { sale } });
      if (!REPRICERS.has(marketplace)) continue;
      const repriced = { marketplace, sku: sku() };
      planned.push({ ...repriced, at, terms: { repricer: { min: usd(18), max: usd(26) } } });
      planned.push({ ...repriced, at: to, terms: { repricer: null } });
    }
  }
  return planned.toSorted((one, other) => one.at - other.at);
}

async function ledger(): Promise<LedgerRow[]> {
  const { rows } = await fixture.db.execute<LedgerRow & Record<string, unknown>>(
    sql`SELECT l.marketplace, l.sku, (h.new_price * 100)::float8 AS price, h.source, h.reason,
      extract(epoch FROM h.timestamp)::float8 * 1000 AS at,
      extract(epoch FROM lead(h.timestamp) OVER (PARTITION BY l.id ORDER BY h.id))::float8 * 1000 AS until
      FROM price_history h JOIN listings l ON l.id = h.listing_id ORDER BY l.id, h.id`,
  );
  return rows;
}

async function readHolds(): Promise<Hold[]> {
  const { rows } = await fixture.db.execute<Hold & Record<string, unknown>>(
    sql`SELECT marketplace, sku, held_by AS by, hold_reason AS reason FROM listings
      WHERE held_by IS NOT NULL AND (held_until IS NULL OR held_until > ${new Date(fixture.now).toISOString()}::timestamptz)`,
  );
  return rows;
}

/** Listings without a price on its way that buyers see at another price. */
async function findStrays(): Promise<string[]> {
  const { rows } = await fixture.db.execute<Named & { readonly price: Cents } & Record<string, unknown>>(
    sql`SELECT marketplace, sku, (current_price * 100)::float8 AS price FROM listings l WHERE NOT EXISTS (
      SELECT FROM price_intents i WHERE i.listing_id = l.id AND i.state IN ('queued', 'sent', 'accepted', 'unknown'))`,
  );
  return strays(rows, ({ marketplace, sku }) => sandbox.world.market(marketplace).item(sku)?.price);
}

function truth(): MarketTruth {
  const { prices } = sandbox.world.truth();
  return { now: fixture.now, prices };
}

test.runIf(IS_ALL || IS_PROOF)(
  'with late readings, edits, sales and native repricers nothing is missed and nothing is made up',
  async () => {
    const start = fixture.now;
    const plan = items();
    const alone = plan.filter(
      ({ marketplace, competitors }) => competitors?.length === 0 && RULED.some((one) => one === marketplace),
    );
    for (const marketplace of RULED) {
      const margins = { minimumMargin: pct(5), competitorOffset: usd(0.1) };
      await addRule(fixture.db, { name: marketplace, marketplace, ...margins });
    }
    await addRule(fixture.db, { name: 'Margin', strategy: 'Fixed Margin', minimumMargin: pct(20) });
    const shops = await openLiveShops(fixture, {
      seed: 'month',
      items: plan,
      quirks: Object.fromEntries(MARKETPLACES.map((marketplace) => [marketplace, QUIRKS])),
      live: MARKETPLACES,
      costShare: 0.6,
      checkInterval: 15,
    });
    // The first prices of a store move further than a circuit breaker lets those of an older one.
    const wide = { breakerDropShare: pct(50), breakerDropDepth: pct(25) };
    await fixture.db.update(appSettings).set(wide);
    sandbox = shops.sandbox;
    const { world } = sandbox;
    const termsOf = ({ marketplace, sku }: Named) => world.market(marketplace).item(sku)?.terms;
    const planned = arrangements(start);
    let done = 0;
    let checks = 0;
    const held = new Map<string, boolean>();
    let reported = 0;
    /** What a proof found so far, once for each day: it takes long, and a finding is to be known early. */
    const recordDay = async (): Promise<void> => {
      const day = Math.floor((fixture.now - start) / hours(24));
      if (!IS_PROOF || day === reported) return;
      reported = day;
      const rows = await ledger();
      const count = (source: string) => rows.filter((row) => row.source === source).length;
      const found = {
        falseEdits: falseEdits(truth(), rows),
        missedEdits: missedEdits(truth(), plan, rows),
        overwrittenEdits: overwrittenEdits(truth(), plan, rows),
        causelessHolds: causeless(),
        chased: chased(truth(), alone, rows),
      };
      const broken = (await fixture.db.execute(BROKEN_LEDGERS)).rows.length;
      console.log(
        `day ${day}: ${countTrueEdits(truth(), plan)} lasting edits, ${count('observed')} adopted, ${count('rule')} moves,`,
        `${held.size} holds, ${world.receivedPrices().length} prices received, ${broken} broken ledgers;`,
        JSON.stringify(found),
      );
    };
    const causeless = () => [...held].flatMap(([name, hasCause]) => (hasCause ? [] : [name]));
    const live = async (until: number): Promise<void> => {
      while (fixture.now < until) {
        for (; planned[done] !== undefined && (planned[done]?.at ?? 0) <= fixture.now; done++) {
          const { marketplace, sku, terms } = planned[done] as Arrangement;
          world.market(marketplace).edit(sku, { terms });
        }
        await shops.check();
        for (const hold of await readHolds()) {
          const name = `${nameOf(hold)}, ${hold.by}: ${hold.reason}`;
          if (!held.has(name)) held.set(name, isCaused(truth(), hold));
        }
        shops.pass(TICKS[checks++ % TICKS.length] ?? 0);
        await recordDay();
      }
    };
    await live(start + hours(24 * DAYS));
    // The sellers rest, and what they did has to be known everywhere.
    for (const marketplace of MARKETPLACES) {
      const market = world.market(marketplace);
      market.setQuirks({ hands: {} });
      for (const { sku, terms } of market.items()) {
        if (terms.repricer !== null) market.edit(sku, { terms: { repricer: null } });
      }
    }
    await live(fixture.now + hours(4));
    const rows = await ledger();
    expect({
      falseEdits: falseEdits(truth(), rows),
      missedEdits: missedEdits(truth(), plan, rows),
      overwrittenEdits: overwrittenEdits(truth(), plan, rows),
      causelessHolds: causeless(),
      strays: await findStrays(),
      lostTerms: lostTerms(plan, planned.slice(0, done), termsOf, world.receivedPrices()),
      chased: chased(truth(), alone, rows),
      brokenLedgers: (await fixture.db.execute(BROKEN_LEDGERS)).rows,
    }).toEqual({
      falseEdits: [],
      missedEdits: [],
      overwrittenEdits: [],
      causelessHolds: [],
      strays: [],
      lostTerms: [],
      chased: [],
      brokenLedgers: [],
    });
    expect(rows.filter(({ source }) => source === 'observed').length).toBeGreaterThan(0);
  },
  900_000 + PROOF_DAYS * 600_000,
);
