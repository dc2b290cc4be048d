import { userEvent } from '@testing-library/user-event';
import type { EngineStatus, Run } from '#contract/engine.ts';
import type { MarketplaceForecast, RunPreview, RunPreviewLine } from '#contract/run-preview.ts';
import { type Answer, type Answers, aUser, serveApi } from './fake-api.ts';
import { renderApp } from './render-app.tsx';

type State = EngineStatus['marketplaces'][number];

/** Walmart, recommend only, 412 listings. */
export function aMarketplace(given: Partial<State> = {}): State {
  return {
    marketplace: 'walmart',
    mode: 'recommend_only',
    changedAt: '2026-11-20T10:00:00.000Z',
    changedBy: null,
    modeResetReason: null,
    listingCount: 412,
    priceChannel: 'file',
    toUploadCount: 0,
    recommendedCount: 0,
    ...given,
  };
}

/** An engine that waits for its next check in six and a half minutes. */
export function aStatus(given: Partial<EngineStatus> = {}): EngineStatus {
  return {
    isHalted: false,
    haltedBy: null,
    haltedAt: null,
    haltReason: null,
    inProgressCount: 0,
    autoRepricing: true,
    notifications: true,
    checkIntervalMinutes: 15,
    nextCheckAt: new Date(Date.now() + 6.5 * 60_000).toISOString(),
    run: null,
    pendingCount: 0,
    usesTestAddresses: false,
    marketplaces: [aMarketplace()],
    ...given,
  };
}

export const RUN: Run = {
  id: '9',
  trigger: 'full_check',
  state: 'running',
  startedBy: null,
  startedAt: '2026-11-21T10:00:00.000Z',
  endedAt: null,
  planned: 5000,
  evaluated: 1240,
  changed: 3,
  kept: 1237,
  recommended: 0,
  blocked: 0,
  stopReason: null,
  undoesRunId: null,
};

/** The money of a run that changed prices of which none is known. */
export const NO_MONEY = {
  money: { up: 0, down: 0, equalSales: null, equalSalesOf: 0, marginBefore: null, marginAfter: null },
};

/** Walmart: 37 prices would change, and everything is ready. */
export function aForecast(given: Partial<MarketplaceForecast> = {}): MarketplaceForecast {
  return {
    marketplace: 'walmart',
    raised: 12,
    lowered: 25,
    priceChange: '-41.20',
    profitChange: '-30.10',
    waiting: [],
    problems: [],
    ...given,
  };
}

export const PLAN: RunPreview = {
  token: 'plan-1',
  evaluated: 412,
  changes: 37,
  raised: 12,
  lowered: 25,
  dropped: 4,
  rose: 3,
  dropDepth: '10.00',
  atMarginFloor: 6,
  blocked: 2,
  recommended: 3,
  breaker: null,
  forecasts: [aForecast()],
  fallen: { count: 0, worst: [] },
  rows: [
    {
      listingId: '5',
      marketplace: 'walmart',
      sku: 'MUG-1',
      title: 'Blue mug',
      oldPrice: '19.99',
      newPrice: '17.00',
      marginBefore: '22.40',
      marginAfter: '15.00',
    },
  ],
};

/** The last line of the answer that brings a plan. */
export function planLine(plan: RunPreview): RunPreviewLine {
  return { kind: 'plan', plan };
}

/** The product at an address, with this state of the engine. */
export function openEngine(
  status: EngineStatus | (() => Answer),
  answers: Answers = {},
  role: 'admin' | 'user' = 'admin',
  at = '/',
) {
  const sent = serveApi({
    'GET /api/user': { body: aUser({ role }) },
    'GET /api/stats': { body: null },
    'GET /api/jobs': { body: [] },
    'GET /api/engine': typeof status === 'function' ? status : { body: status },
    ...answers,
  });
  const router = renderApp(at);
  const count = (call: string): number => sent.filter((each) => each.call === call).length;
  const bodyOf = (call: string): unknown => sent.find((each) => each.call === call)?.body;
  return { sent, bodyOf, count, router, user: userEvent.setup() };
}
