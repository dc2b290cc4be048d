import { describe, expect, test } from 'vitest';
import type { SyncRow } from '#db/queries/marketplaces/sync/marketplace-syncs.ts';
import { SYNC_KINDS, type SyncKind } from '#domain/connections/sync-kinds.ts';
import { hours, type Instant, instant } from '#domain/units.ts';
import { dueSyncs, requestBy } from './due-syncs.ts';

const NOW = instant(Date.UTC(2026, 0, 15, 12));
const MINUTE = 60_000;
const ago = (milliseconds: number): Instant => instant(NOW - milliseconds);

const aSync = (what: SyncKind, over: Partial<SyncRow> = {}): SyncRow => ({
  marketplace: 'amazon',
  kind: what,
  startedAt: ago(MINUTE),
  endedAt: ago(MINUTE / 2),
  succeededAt: ago(MINUTE),
  problem: null,
  counts: {},
  notes: null,
  partial: null,
  ...over,
});
const all = (over: Partial<SyncRow> = {}): SyncRow[] => SYNC_KINDS.map((what) => aSync(what, over));
const due = (rows: readonly SyncRow[], requestedAt: Instant | null = null): SyncKind[] =>
  dueSyncs(rows, 15, requestedAt, NOW);

test('the catalog is synced first; the other kinds are due once it was tried', () => {
  expect(due([])).toEqual(['listings']);
  const first = { startedAt: ago(5), succeededAt: null };
  expect(due([aSync('listings', { ...first, endedAt: null })])).toEqual([]);
  expect(due([aSync('listings', { ...first, endedAt: ago(1), problem: 'Refused.' })])).toEqual([
    ...['offers', 'sales', 'figures', 'fees', 'money', 'featured_prices'],
  ]);
});

test('no kind waits for a repeated catalog sync', () => {
  const [, ...others] = all({ startedAt: ago(hours(25)), succeededAt: ago(hours(25)) });
  const rows = [
    aSync('listings', { startedAt: ago(5), endedAt: null, succeededAt: ago(hours(25)) }),
    ...others,
  ];
  expect(due(rows)).toEqual(['offers', 'sales', 'figures', 'fees', 'money', 'featured_prices']);
});

test.each<[number, SyncKind[]]>([
  [14 * MINUTE, []],
  [15 * MINUTE, ['offers', 'sales', 'fees', 'featured_prices']],
  [hours(1), ['listings', 'offers', 'sales', 'fees', 'money', 'featured_prices']],
  [hours(24), ['listings', 'offers', 'sales', 'figures', 'fees', 'money', 'featured_prices']],
])('%d milliseconds after everything was read: %s', (passed, kinds) => {
  expect(due(all({ startedAt: ago(passed), succeededAt: ago(passed) }))).toEqual(kinds);
});

test.each<[string, Partial<SyncRow>]>([
  ['failed', { problem: 'Amazon does not take the key.' }],
  ['was cut off', { endedAt: null }],
])('what %s comes again after five minutes', (_, over) => {
  expect(due(all({ ...over, startedAt: ago(5 * MINUTE - 1) }))).toEqual([]);
  expect(due(all({ ...over, startedAt: ago(5 * MINUTE) }))).toEqual([...SYNC_KINDS]);
});

describe('a change reported by the marketplace', () => {
  const changed = new Map<SyncKind, Instant>([
    ['listings', ago(30_000)],
    ['sales', ago(30_000)],
  ]);
  const dueThen = (rows: readonly SyncRow[]) => dueSyncs(rows, 15, null, NOW, changed);
  const since = (passed: number) => all({ startedAt: ago(passed), succeededAt: ago(passed) });

  test.each<[string, number, SyncKind[]]>([
    ['at once', MINUTE - 1, []],
    ['sales after a minute', MINUTE, ['sales']],
    ['the catalog after ten', 10 * MINUTE, ['listings', 'sales']],
  ])('is read again: %s', (_, passed, kinds) => {
    expect(dueThen(since(passed))).toEqual(kinds);
  });

  test('is done with once it was read after that', () => {
    expect(dueThen(since(29_999))).toEqual([]);
  });

  test('waits longer after a failure, as everything does', () => {
    expect(dueThen(all({ problem: 'No.', startedAt: ago(4 * MINUTE) }))).toEqual([]);
  });

  test('in the future, by a clock that was ahead, counts as none', () => {
    const later = new Map(SYNC_KINDS.map((kind) => [kind, ago(-hours(24))]));
    expect(dueSyncs(since(14 * MINUTE), 15, null, NOW, later)).toEqual([]);
  });
});

describe('a full sync requested by a user', () => {
  test('makes due what was last read before it, also what failed a moment ago', () => {
    const rows = all({ problem: 'Too much.' });
    expect(due(rows, ago(MINUTE - 1))).toEqual([...SYNC_KINDS]);
    expect(
      due([...rows.slice(1), aSync('listings', { startedAt: ago(5), succeededAt: ago(5) })], ago(10)),
    ).toEqual([...['offers', 'sales', 'figures', 'fees', 'money', 'featured_prices']]);
  });

  test('is done with once everything was read after it', () => {
    expect(due(all(), ago(2 * MINUTE))).toEqual([]);
  });

  test('counts as none in the future, by a clock that was ahead', () => {
    expect([ago(0), ago(-1), null, undefined].map((at) => requestBy(at, NOW))).toEqual([
      NOW,
      null,
      null,
      null,
    ]);
  });
});
