import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { finishSync, startSync } from '#db/queries/marketplaces/marketplace-syncs.ts';
import { appSettings } from '#db/schema/settings.ts';
import { alertFixture } from '#tests/support/alert-fixture.ts';

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
