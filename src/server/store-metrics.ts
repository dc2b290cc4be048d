import { Gauge, Registry } from 'prom-client';
import { readStoreFigures, type StoreFigures } from '#db/queries/background/store-figures.ts';
import { type LagSummary, summarizeReadingLags } from '#db/queries/marketplaces/sync/reading-lags.ts';
import { type EngineFigures, readEngineFigures } from '#db/queries/repricing/engine-status.ts';
import type { AppDeps } from './app-deps.ts';

const SECONDS_A_MINUTE = 60;
const MILLIS_A_SECOND = 1_000;

interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/**
 * What a monitoring system watches of the store, as one scrape: every process of one database shows the same. What is
 * not known is absent, not zero: without a database everything is.
 */
export async function readStoreMetrics({ db, now }: Pick<AppDeps, 'db' | 'now'>): Promise<Registry> {
  const registry = new Registry();
  const at = now();
  const read = await Promise.all([
    readEngineFigures(db, at),
    readStoreFigures(db, at),
    summarizeReadingLags(db, at),
  ]).catch(() => null);
  if (read === null) return registry;
  const [{ figures: engine }, store, lags] = read;
  for (const [name, help, samples] of [
    ...engineMetrics(engine, at),
    ...storeMetrics(store),
    lagMetric(lags),
  ]) {
    if (samples.length === 0) continue;
    const labelNames = Object.keys(samples[0]?.labels ?? {});
    const gauge = new Gauge({ name: `pricewright_${name}`, help, labelNames, registers: [registry] });
    for (const { labels = {}, value } of samples) gauge.set(labels, value);
  }
  return registry;
}

type Metric = readonly [name: string, help: string, samples: readonly Sample[]];

function engineMetrics(engine: EngineFigures, now: number): Metric[] {
  const { lastFullRunAt: checkedAt, marketplaces } = engine;
  const age = checkedAt === null ? [] : [{ value: Math.max(0, now - checkedAt) / MILLIS_A_SECOND }];
  return [
    ['repricing_halted', '1 while repricing is halted.', [{ value: Number(engine.isHalted) }]],
    ['engine_running', '1 while a process runs the engine.', [{ value: Number(engine.isAtWork) }]],
    ['full_check_age_seconds', 'Time since the last check of all listings began.', age],
    ['listings_pending', 'Listings that wait to be repriced.', [{ value: engine.pendingCount }]],
    [
      'listings',
      'Listings that are not deleted.',
      marketplaces.map(({ marketplace, listingCount }) => ({ labels: { marketplace }, value: listingCount })),
    ],
    [
      'marketplace_live',
      '1 where prices are changed, 0 where they are only recommended.',
      marketplaces.map(({ marketplace, mode }) => ({
        labels: { marketplace },
        value: Number(mode === 'live'),
      })),
    ],
  ];
}

function storeMetrics({ prices, settled, syncs, backup, alerts }: StoreFigures): Metric[] {
  return [
    [
      'prices_in_progress',
      'Prices that are queued, or sent and not confirmed.',
      prices.map(({ marketplace, state, count }) => ({ labels: { marketplace, state }, value: count })),
    ],
    [
      'price_in_progress_age_seconds',
      'Age of the oldest price in progress.',
      prices.map(({ marketplace, state, oldestAge }) => ({
        labels: { marketplace, state },
        value: oldestAge,
      })),
    ],
    [
      'prices_settled_last_hour',
      'How prices of the last hour ended.',
      settled.map(({ marketplace, state, count }) => ({ labels: { marketplace, state }, value: count })),
    ],
    [
      'sync_age_seconds',
      'Time since the last successful sync began.',
      syncs.flatMap(({ marketplace, kind, successAge }) =>
        successAge === null ? [] : [{ labels: { marketplace, kind }, value: successAge }],
      ),
    ],
    [
      'sync_failing',
      '1 where the last sync failed.',
      syncs.map(({ marketplace, kind, isFailing }) => ({
        labels: { marketplace, kind },
        value: Number(isFailing),
      })),
    ],
    [
      'backup_age_seconds',
      'Time since the moment of the last scheduled backup.',
      backup === null ? [] : [{ value: backup.age }],
    ],
    [
      'backup_size_bytes',
      'Size of the last scheduled backup.',
      backup === null ? [] : [{ value: backup.bytes }],
    ],
    ['alerts_open', 'Open alerts.', alerts.map(({ kind, count }) => ({ labels: { kind }, value: count }))],
  ];
}

function lagMetric(lags: readonly LagSummary[]): Metric {
  return [
    'reading_lag_seconds',
    'How late a source of a marketplace shows changed prices: 95 of 100 late readings of the last 7 days.',
    lags.map(({ marketplace, source, minutes95 }) => ({
      labels: { marketplace, source },
      value: minutes95 * SECONDS_A_MINUTE,
    })),
  ];
}
