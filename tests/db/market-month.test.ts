import { sql } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { appSettings } from '#db/schema/settings.ts';
import { MARKETPLACE_NAMES, MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { type Cents, cents, hours, type Instant, instant, minutes } from '#domain/units.ts';
import type { Sandbox } from '#sandbox/server.ts';
import type { ItemPlan } from '#sandbox/world/catalog.ts';
import { Chance } from '#sandbox/world/chance.ts';
import type { QuirkPlan } from '#sandbox/world/quirks.ts';
import { NO_TERMS, type Terms } from '#sandbox/world/terms.ts';
import type { PriceChange } from '#sandbox/world/truth/price-history.ts';
import { pct, usd } from '#tests/builders/facts.ts';
import { asMany } from '#tests/support/breadth.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { BROKEN_LEDGERS } from '#tests/support/engine-shop.ts';
import { openLiveShops } from '#tests/support/live-shops.ts';
import { addRule } from '#tests/support/seed.ts';

/*
 * Six marketplaces that show prices up to half an hour late, with sellers who edit prices, sales, and native repricers.
 * What happened is read from the simulated markets, and compared with what Pricewright believed and did.
 */

/** Days of 504 listings, as `npm run proof:markets -- 30` asks for them; 0: the small markets of a run of all tests. */
const PROOF_DAYS = Number(process.env.PRICEWRIGHT_MARKET_DAYS ?? 0);
const IS_PROOF = PROOF_DAYS > 0;
const PER_MARKETPLACE = IS_PROOF ? 84 : asMany(10, 20);
const DAYS = IS_PROOF ? PROOF_DAYS : asMany(1, 3);
/** One listing in so many has competitors. */
const COMPETED = IS_PROOF ? 7 : 2;
const EDITS_PER_DAY = IS_PROOF ? 0.05 : 0.3;
/** The store is checked twice in two hours, the second time while lists still show the prices before the first one. */
const TICKS = [minutes(105), minutes(15)] as const;
/** An edit that lasts so long has to be found. */
const FOUND_WITHIN = hours(5);
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
const nameOf = ({ marketplace, sku }: { readonly marketplace: string; readonly sku: string }) =>
  `${marketplace} ${sku}`;
const timeText = (at: number) => new Date(at).toISOString().slice(5, 19);

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

/** What a seller arranges on a marketplace's own pages. */
interface Arrangement {
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly at: Instant;
  readonly terms: Partial<Terms>;
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

const OUTSIDE: ReadonlySet<PriceChange['cause']> = new Set(['seller', 'repricer']);

/** A time during which buyers saw one usual price. */
interface Span {
  readonly price: Cents;
  readonly from: Instant;
  readonly to: Instant;
  /** Pricewright did not set it. */
  readonly isOutside: boolean;
}

function spansOf({ marketplace, sku }: Pick<ItemPlan, 'marketplace' | 'sku'>): Span[] {
  const changes = sandbox.world
    .truth()
    .prices(marketplace, sku)
    .filter(({ price }, at, all) => price !== all[at - 1]?.price);
  return changes.map(({ price, at, cause }, index) => {
    return { price, from: at, to: changes[index + 1]?.at ?? fixture.now, isOutside: OUTSIDE.has(cause) };
  });
}

interface Row extends Record<string, unknown> {
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly price: Cents;
  readonly source: string;
  readonly reason: string;
  readonly at: Instant;
  /** When the next price took its place; null for the price in force. */
  readonly until: Instant | null;
}

async function ledger(): Promise<Row[]> {
  const { rows } = await fixture.db.execute<Row>(
    sql`SELECT l.marketplace, l.sku, (h.new_price * 100)::float8 AS price, h.source, h.reason,
      extract(epoch FROM h.timestamp)::float8 * 1000 AS at,
      extract(epoch FROM lead(h.timestamp) OVER (PARTITION BY l.id ORDER BY h.id))::float8 * 1000 AS until
      FROM price_history h JOIN listings l ON l.id = h.listing_id ORDER BY l.id, h.id`,
  );
  return rows;
}

/** Adopted prices that no one had set, or that had been replaced for a while. */
function falseEdits(rows: readonly Row[]): string[] {
  return rows.flatMap((row) => {
    if (row.source !== 'observed') return [];
    const isTrue = spansOf(row).some(
      ({ price, from, to, isOutside }) =>
        isOutside && price === row.price && from <= row.at && to >= row.at - minutes(10),
    );
    return isTrue ? [] : [`${nameOf(row)} ${row.price} at ${timeText(row.at)}: ${row.reason}`];
  });
}

/** Prices that others set, that lasted, and that the ledger never had. */
function missedEdits(plan: readonly ItemPlan[], rows: readonly Row[]): string[] {
  return plan.flatMap((item) => {
    const own = rows.filter((row) => nameOf(row) === nameOf(item));
    return spansOf(item).flatMap(({ price, from, to, isOutside }) => {
      if (!isOutside || to - from < FOUND_WITHIN) return [];
      const isKnown = own.some((row) => row.price === price && row.at <= to && (row.until ?? to) >= from);
      return isKnown ? [] : [`${nameOf(item)} ${price} from ${timeText(from)} to ${timeText(to)}`];
    });
  });
}

/** How many prices others set that lasted long enough to have to be found. */
function trueEdits(plan: readonly ItemPlan[]): number {
  const spans = plan.flatMap((item) => spansOf(item));
  return spans.filter(({ isOutside, from, to }) => isOutside && to - from >= FOUND_WITHIN).length;
}

interface Hold extends Record<string, unknown> {
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly by: string;
  readonly reason: string;
}

async function readHolds(): Promise<Hold[]> {
  const { rows } = await fixture.db.execute<Hold>(
    sql`SELECT marketplace, sku, held_by AS by, hold_reason AS reason FROM listings
      WHERE held_by IS NOT NULL AND (held_until IS NULL OR held_until > ${new Date(fixture.now).toISOString()}::timestamptz)`,
  );
  return rows;
}

/** Whether others set the price of the listing, or the seller arranged a sale or a native repricer, within the last day. */
function isCaused({ marketplace, sku, by }: Hold): boolean {
  const since = fixture.now - hours(25);
  if (by !== MARKETPLACE_NAMES[marketplace]) {
    return spansOf({ marketplace, sku }).some(({ isOutside, to }) => isOutside && to >= since);
  }
  return sandbox.world
    .truth()
    .prices(marketplace, sku)
    .some(
      ({ at, terms, salePrice }, index, all) =>
        (terms.repricer !== null || salePrice !== null) && (all[index + 1]?.at ?? at) >= since - hours(1),
    );
}

/** Listings without a price on its way that buyers see at another price. */
async function strays(): Promise<string[]> {
  const { rows } = await fixture.db.execute<{ marketplace: Marketplace; sku: string; price: number }>(
    sql`SELECT marketplace, sku, (current_price * 100)::float8 AS price FROM listings l WHERE NOT EXISTS (
      SELECT FROM price_intents i WHERE i.listing_id = l.id AND i.state IN ('queued', 'sent', 'accepted', 'unknown'))`,
  );
  return rows.flatMap((row) => {
    const live = sandbox.world.market(row.marketplace).item(row.sku)?.price;
    return live === row.price ? [] : [`${nameOf(row)} ${row.price} here, ${live} there`];
  });
}

/** Sales and bounds that are not what the seller arranged last, and prices sent beyond the bounds. */
function lostTerms(plan: readonly ItemPlan[], done: readonly Arrangement[]): string[] {
  const { world } = sandbox;
  return plan.flatMap((item) => {
    const arranged = done.findLast((one) => nameOf(one) === nameOf(item) && one.terms.sale !== undefined);
    const { sale = null } = arranged?.terms ?? {};
    const { bounds } = { ...NO_TERMS, ...item.terms };
    const now = world.market(item.marketplace).item(item.sku)?.terms;
    const isKept = now?.sale === sale && now.bounds === bounds;
    const isBeyond = world
      .receivedPrices()
      .some(
        (one) =>
          nameOf(one) === nameOf(item) &&
          (one.price < (bounds.min ?? 0) || one.price > (bounds.max ?? Number.POSITIVE_INFINITY)),
      );
    return isKept && !isBeyond ? [] : [nameOf(item)];
  });
}

/** Listings without competitors whose price a rule changed more often than others had changed it before. */
function chased(plan: readonly ItemPlan[], rows: readonly Row[]): string[] {
  const alone = plan.filter(
    ({ marketplace, competitors }) => competitors?.length === 0 && RULED.some((one) => one === marketplace),
  );
  return alone.flatMap((item) => {
    const moves = rows.filter((row) => nameOf(row) === nameOf(item) && row.source === 'rule').length;
    const edits = spansOf(item).filter(({ isOutside }) => isOutside).length;
    return moves <= edits ? [] : [`${nameOf(item)}: ${moves} moves after ${edits} edits`];
  });
}

test(
  'with late readings, edits, sales and native repricers nothing is missed and nothing is made up',
  async () => {
    const start = fixture.now;
    const plan = items();
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
    const planned = arrangements(start);
    let done = 0;
    let checks = 0;
    const held = new Map<string, boolean>();
    let told = 0;
    /** What a proof found so far, once for each day: it takes long, and a finding is to be known early. */
    const tellDay = async (): Promise<void> => {
      const day = Math.floor((fixture.now - start) / hours(24));
      if (!IS_PROOF || day === told) return;
      told = day;
      const rows = await ledger();
      const count = (source: string) => rows.filter((row) => row.source === source).length;
      const found = {
        falseEdits: falseEdits(rows),
        missedEdits: missedEdits(plan, rows),
        causelessHolds: causeless(),
        chased: chased(plan, rows),
      };
      const broken = (await fixture.db.execute(BROKEN_LEDGERS)).rows.length;
      console.log(
        `day ${day}: ${trueEdits(plan)} lasting edits, ${count('observed')} adopted, ${count('rule')} moves,`,
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
          if (!held.has(name)) held.set(name, isCaused(hold));
        }
        shops.pass(TICKS[checks++ % TICKS.length] ?? 0);
        await tellDay();
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
      falseEdits: falseEdits(rows),
      missedEdits: missedEdits(plan, rows),
      causelessHolds: causeless(),
      strays: await strays(),
      lostTerms: lostTerms(plan, planned.slice(0, done)),
      chased: chased(plan, rows),
      brokenLedgers: (await fixture.db.execute(BROKEN_LEDGERS)).rows,
    }).toEqual({
      falseEdits: [],
      missedEdits: [],
      causelessHolds: [],
      strays: [],
      lostTerms: [],
      chased: [],
      brokenLedgers: [],
    });
    expect(rows.filter(({ source }) => source === 'observed').length).toBeGreaterThan(0);
  },
  asMany(300_000, 900_000) + PROOF_DAYS * 600_000,
);
