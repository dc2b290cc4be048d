import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { RaiseOrder, RaiseOutcome } from '#connectors/auto-accept-raises.ts';
import { countRevisions } from '#db/queries/marketplaces/sending/send-pauses.ts';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import { listings } from '#db/schema/listings.ts';
import { marketplaceListings } from '#db/schema/marketplace-syncs.ts';
import { marketplaceModes, repricingState } from '#db/schema/repricing-state.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { raisedAutoAccept } from '#domain/sending/raised-auto-accept.ts';
import { revisionDayEnd, revisionDayStart } from '#domain/sending/revision-limits.ts';
import { type Cents, instant } from '#domain/units.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { auditOf } from '#tests/support/read-back.ts';
import { sendingFixture } from '#tests/support/sending-fixture.ts';

const fixture = sendingFixture();
const HOUR = 60 * MINUTE;
/** What the marketplace shows, in cents. */
let shown: Cents | null;
let isWanted: boolean;
let tried: number[];
/** What each order names as refused before. */
let refused: (string | null)[];
let react: (order: RaiseOrder) => RaiseOutcome;

/** As a connector does it: by what the listing shows. */
function raise({ allowed, ref }: RaiseOrder): RaiseOutcome {
  const price = fixture.market.live.get(ref.listingId) as Cents;
  const to = shown === null ? null : raisedAutoAccept({ autoAccept: shown, price, allowed });
  if (shown === null || to === null) return { kind: 'unneeded', autoAccept: shown };
  const from = shown;
  shown = to;
  return { kind: 'raised', from, to };
}

/** One listing, priced, whose offers are accepted from a dollar below its margin floor on. */
async function seed(): Promise<Cents> {
  await fixture.seed(1);
  fixture.market.bestOffers = {
    isWanted: () => isWanted,
    raise: async (_, order) => {
      tried.push(order.ref.listingId);
      refused.push(order.refused);
      return react(order);
    },
  };
  await fixture.untilIdle();
  await fixture.send();
  const [metrics] = await fixture.db.select().from(listingMetrics);
  const floor = metrics?.marginFloor as Cents;
  shown = (floor - 100) as Cents;
  await fixture.db.update(marketplaceListings).set({ channel: 'trading', autoAcceptPrice: shown });
  tried = [];
  refused = [];
  return floor;
}
const row = async () => (await fixture.db.select().from(marketplaceListings))[0];

beforeEach(() => {
  isWanted = true;
  tried = [];
  refused = [];
  react = raise;
});

describe('where a seller wants it', () => {
  test('the price from which offers are accepted is raised to the margin floor, once, and never lowered', async () => {
    const floor = await seed();
    const before = await fixture.prices();
    await fixture.send();
    expect(tried).toEqual([1]);
    expect(await row()).toMatchObject({ autoAcceptPrice: floor, raiseRefusal: null });
    expect(await auditOf(fixture.db, 'listing.best_offer_raised')).toMatchObject([
      {
        before: { autoAcceptPrice: decimalFromCents((floor - 100) as Cents) },
        after: { autoAcceptPrice: decimalFromCents(floor) },
      },
    ]);
    // No price changed by it.
    expect(await fixture.prices()).toEqual(before);
    await fixture.db.update(listingMetrics).set({ marginFloor: (floor - 500) as Cents });
    fixture.advance(2 * HOUR);
    await fixture.send();
    expect(tried).toEqual([1]);
  });

  test('after a crash the listing is tried again, by what it shows then', async () => {
    const floor = await seed();
    react = (order) => {
      raise(order);
      return { kind: 'unknown', message: 'No answer.' };
    };
    await fixture.send();
    expect(tried).toEqual([1]);
    fixture.advance(2 * MINUTE);
    await fixture.send();
    expect(tried).toEqual([1]);
    react = raise;
    fixture.advance(HOUR);
    await fixture.send();
    expect(tried).toEqual([1, 1]);
    expect(await row()).toMatchObject({ autoAcceptPrice: floor });
    expect(await auditOf(fixture.db, 'listing.best_offer_raised')).toEqual([]);
  });

  test('a refusal is kept with its words for a day; what passes is tried again when it passed', async () => {
    const floor = await seed();
    react = () => ({ kind: 'not_sent', message: 'Busy.', retryAfter: 5 * MINUTE });
    await fixture.send();
    fixture.advance(6 * MINUTE);
    react = () => ({ kind: 'refused', message: 'Not in\nthis category.', asked: '2000 to 2100' });
    await fixture.send();
    expect(await row()).toMatchObject({
      raiseRefusal: 'Not in this category.',
      autoAcceptPrice: floor - 100,
    });
    fixture.advance(23 * HOUR);
    await fixture.send();
    expect(tried).toEqual([1, 1]);
    expect(refused).toEqual([null, null]);
    react = () => ({ kind: 'refused', message: null, asked: '2000 to 2100' });
    fixture.advance(2 * HOUR);
    await fixture.send();
    expect(await row()).toMatchObject({
      raiseRefusal: 'Not in this category.',
      raiseRefused: '2000 to 2100',
    });
    react = raise;
    fixture.advance(25 * HOUR);
    await fixture.send();
    expect(refused).toEqual([null, null, '2000 to 2100', '2000 to 2100']);
    expect(await row()).toMatchObject({ autoAcceptPrice: floor, raiseRefusal: null, raiseRefused: null });
  });

  test('each raise counts as a revision of the day, an unknown one too, a refused one not', async () => {
    await seed();
    const counted = async () =>
      (await countRevisions(fixture.db, [1], revisionDayStart(fixture.now))).get(1) ?? 0;
    const before = await counted();
    for (const [kind, more] of [
      ['unknown', 1],
      ['refused', 1],
      ['raised', 2],
    ] as const) {
      react = (order) => (kind === 'raised' ? raise(order) : { kind, message: 'No.', asked: null });
      await fixture.db.update(marketplaceListings).set({ raiseAfter: null });
      await fixture.send(fixture.desk());
      expect(await counted()).toBe(before + more);
    }
    fixture.advance(revisionDayEnd(fixture.now) - fixture.now);
    expect(await counted()).toBe(0);
  });

  test('what the seller took away there is no longer too low', async () => {
    await seed();
    shown = null;
    await fixture.send();
    expect(await row()).toMatchObject({ autoAcceptPrice: null });
  });
});

describe('nothing is raised', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['where the seller does not want it', async () => (isWanted = false)],
    [
      'while repricing is halted',
      () => fixture.db.update(repricingState).set({ halted: true, changedAt: fixture.now }),
    ],
    [
      'while the marketplace is not live',
      () => fixture.db.update(marketplaceModes).set({ mode: 'recommend_only' }),
    ],
    [
      'of listings without automatic repricing',
      () => fixture.db.update(listings).set({ autoRepricingEnabled: false }),
    ],
    [
      'of listings in the Inventory model',
      () => fixture.db.update(marketplaceListings).set({ channel: 'inventory' }),
    ],
    [
      'in a sale',
      () => fixture.db.update(marketplaceListings).set({ notRepriceableReason: 'It is in a sale.' }),
    ],
    [
      'tried within the hour',
      () => fixture.db.update(marketplaceListings).set({ raiseAfter: instant(fixture.now + HOUR) }),
    ],
  ])('%s', async (_, change) => {
    await seed();
    await change();
    await fixture.send();
    expect(tried).toEqual([]);
  });

  test('before the price that is on its way is there', async () => {
    await seed();
    fixture.market.reactionTo = () => 'accept';
    await fixture.db.update(listingMetrics).set({ marginFloor: sql`margin_floor` });
    await fixture.db.update(listings).set({ minPrice: sql`current_price + 1` }).where(eq(listings.id, 1));
    await fixture.untilIdle();
    await fixture.send();
    expect(await fixture.states()).toContain('accepted');
    expect(tried).toEqual([]);
  });
});
