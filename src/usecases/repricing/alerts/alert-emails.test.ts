import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { finishSync, startSync } from '#db/queries/marketplaces/sync/marketplace-syncs.ts';
import { alerts } from '#db/schema/alerts.ts';
import { dayZones, profitDays } from '#db/schema/profit.ts';
import { appSettings } from '#db/schema/settings.ts';
import { instant } from '#domain/units.ts';
import { alertFixture } from '#tests/support/alert-fixture.ts';
import { callAs } from '#tests/support/people.ts';
import { addListing } from '#tests/support/seed.ts';
import { queueWeeklyEmails } from '#usecases/catalog/sales/queue-weekly-emails.ts';
import { weeklyEmail } from '#usecases/email/weekly-email.ts';

const fixture = alertFixture();
const { watch, open, halt, emailed, emails } = fixture;

describe('administrators get an email', () => {
  test('once while it lasts, with a link to its screen', async () => {
    await halt(true);
    await watch();
    await watch();
    expect(emailed()).toEqual(['halted']);
    expect(await emails()).toEqual([
      {
        to: 'boss@example.com',
        subject: 'Pricewright: Repricing is halted',
        text: expect.stringContaining(
          'Repricing was halted by Ann: costs are wrong.\nhttps://prices.example.com/',
        ),
      },
    ]);
  });

  test('at most one per kind and hour, however often it starts again; another kind is sent immediately', async () => {
    await halt(true);
    await watch();
    await halt(false);
    await watch();
    await halt(true);
    fixture.shop.advance(30 * 60_000);
    await watch();
    expect(emailed()).toEqual(['halted']);
    const at = fixture.shop.deps.now();
    await startSync(fixture.shop.db, 'ebay', 'sales', at);
    await finishSync(fixture.shop.db, 'ebay', 'sales', {
      startedAt: at,
      endedAt: at,
      counts: {},
      problem: 'No.',
      isWhole: false,
    });
    await watch();
    expect(emailed()).toEqual(['halted', 'connection']);
    fixture.shop.advance(31 * 60_000);
    await watch();
    expect(emailed()).toEqual(['halted', 'connection', 'halted']);
  });

  test('never when notifications are off: only the bell shows it', async () => {
    await fixture.shop.db
      .update(appSettings)
      .set({ notifications: false })
      .where(eq(appSettings.id, 'default'));
    await halt(true);
    await watch();
    await fixture.digest();
    expect(await open()).toHaveLength(1);
    expect(fixture.queue.sent).toEqual([]);
  });

  test('every day about the day', async () => {
    await halt(true);
    await watch();
    fixture.queue.sent.length = 0;
    await fixture.digest();
    const [email, ...more] = await emails();
    expect(more).toEqual([]);
    expect(email?.subject).toBe('Pricewright daily summary: 1 alert');
    expect(email?.text).toContain('Repricing was halted by Ann');
    expect(email?.text).toContain(
      '0 prices changed\n0 recommended prices need review\n0 units sold for $0.00',
    );
  });
});

describe('on Mondays users who want it get an email about the week', () => {
  const MONDAY = Date.UTC(2026, 0, 19, 6);
  const order = () =>
    queueWeeklyEmails({
      ...fixture.shop.deps,
      queue: fixture.queue,
      home: () => 'https://prices.example.com',
    });
  const weekly = () => fixture.queue.sent.filter(({ data }) => 'mail' in data && data.mail === 'weekly');
  const want = async (weeklySummary: boolean) => {
    const cookie = await fixture.shop.logIn('boss@example.com');
    const body = { fullName: 'Boss', weeklySummary };
    const answer = await callAs(fixture.shop, cookie, 'PUT', '/api/account/profile', body);
    expect(answer.statusCode, answer.body).toBe(200);
    expect((await fixture.shop.get('/api/account', cookie)).json().profile.weeklySummary).toBe(weeklySummary);
  };

  test('once, from 6:00 on, also when two processes order it and after a Monday without the program', async () => {
    await order();
    expect(weekly()).toEqual([]);
    await want(true);
    fixture.shop.advance(MONDAY - fixture.shop.deps.now() - 1);
    await order();
    expect(weekly()).toEqual([]);
    fixture.shop.advance(1);
    await Promise.all([order(), order()]);
    await order();
    expect(weekly()).toHaveLength(1);
    fixture.shop.advance(9 * 24 * 3_600_000);
    await order();
    expect(weekly()).toHaveLength(2);
  });

  test('from 6:00 of Monday where the shop is', async () => {
    await fixture.shop.db.update(dayZones).set({ zone: 'Asia/Tokyo' });
    await want(true);
    fixture.shop.advance(MONDAY - 9 * 3_600_000 - fixture.shop.deps.now() - 1);
    await order();
    expect(weekly()).toEqual([]);
    fixture.shop.advance(1);
    await order();
    expect(weekly()[0]?.data).toMatchObject({ monday: Date.UTC(2026, 0, 19) });
  });

  test('with its sums next to those of the week before, and the listings that earned least', async () => {
    const { db } = fixture.shop;
    const sold = async (sku: string, day: string, profit: string, known: 0 | 1 = 1) => {
      const listingId = await addListing(db, sku);
      const sums = {
        sales: 1,
        salesKnown: known,
        salesTold: 0,
        units: 2,
        revenue: '40.00',
        revenueKnown: '40.00',
      };
      await db.insert(profitDays).values({ listingId, day, marketplace: 'walmart', profit, ...sums });
    };
    await sold('A-1', '2026-01-12', '-3.10');
    await sold('A-2', '2026-01-18', '1200.00');
    await sold('A-3', '2026-01-18', '-39.99', 0);
    await sold('A-4', '2026-01-11', '7.00');
    await sold('A-5', '2026-01-19', '9.00');
    await want(true);
    fixture.shop.advance(MONDAY - fixture.shop.deps.now());
    await order();
    const [email] = await emails();
    const lines = email?.text.split('\n') ?? [];
    expect(lines).toEqual(
      expect.arrayContaining([
        'Revenue: $120.00 ($40.00)',
        'Profit: about $1,156.91 (about $7.00), from 2 of 3 sales',
        'Units: 6 (2)',
        'https://prices.example.com/profit?from=2026-01-12&to=2026-01-18',
      ]),
    );
    expect(lines.filter((line) => line.startsWith('- '))).toEqual([
      '- Walmart A-1: about -$3.10, 2 units',
      '- Walmart A-2: about $1,200.00, 2 units',
    ]);
    await want(false);
    expect(await emails()).toEqual([]);
  });

  test('with the fees that changed in that week, however many other alerts are open', async () => {
    const { db } = fixture.shop;
    const alert = (
      kind: 'fee_drift' | 'fee_breaker' | 'rule_inactive',
      subject: string,
      startedAt: number,
    ) => ({
      kind,
      subject,
      message: `${subject}: what changed`,
      link: `/${kind}`,
      startedAt: instant(startedAt),
    });
    const week = Date.UTC(2026, 0, 12);
    await db
      .insert(alerts)
      .values([
        alert('fee_drift', 'before', week - 1),
        { ...alert('fee_drift', 'ended', week), endedAt: instant(week + 1) },
        { ...alert('fee_breaker', 'doubted', week + 1), forUsers: 'for users' },
        alert('fee_drift', 'after', Date.UTC(2026, 0, 19)),
        ...Array.from({ length: 60 }, (_, rule) => alert('rule_inactive', `rule ${rule}`, week + 2)),
      ]);
    await want(true);
    fixture.shop.advance(MONDAY - fixture.shop.deps.now());
    await order();
    const [email] = await emails();
    const lines = email?.text.split('\n') ?? [];
    expect(lines.filter((line) => line.endsWith('what changed'))).toEqual([
      'doubted: what changed',
      'ended: what changed',
    ]);
    const home = 'https://prices.example.com';
    expect((await weeklyEmail(db, instant(Date.UTC(2026, 0, 19)), home, 'user')).text).toContain(
      `\nfor users\n${home}/fee_breaker\n`,
    );
  });
});
