import { z } from 'zod';
import { MODE_RESET_REASONS } from '#domain/connections/mode-reset.ts';
import { PRICE_CHANNELS } from '#domain/connections/price-channel.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { Confirmed, Day, Id, Margin, Moment, Money, PageParam, sizeParam, Zone } from './fields.ts';
import { SoldSoFar } from './profit-sums.ts';
import { RUN_TRIGGERS } from './run-triggers.ts';

const RUN_STATES = ['queued', 'running', 'done', 'stopped', 'failed'] as const;

/** One pass over many listings. */
export const Run = z.object({
  id: Id,
  trigger: z.enum(RUN_TRIGGERS),
  state: z.enum(RUN_STATES),
  startedBy: z.string().nullable(),
  startedAt: Moment,
  endedAt: Moment.nullable(),
  /** Number of listings it covers; null until they are counted. */
  planned: z.int().nullable(),
  evaluated: z.int(),
  changed: z.int(),
  kept: z.int(),
  recommended: z.int(),
  blocked: z.int(),
  stopReason: z.string().nullable(),
  /** The run whose prices this one reverted; null for every other kind of run. */
  undoesRunId: Id.nullable(),
});
export type Run = z.output<typeof Run>;

/** GET /api/runs/:id. `sent`: results of its prices on connected marketplaces; omitted when it sent none there. `sold`: what
 * sold at its prices so far; omitted when nothing did. */
export const RunDetail = Run.extend({
  sent: z
    .object({
      /** Buyers see them, or saw them until the next price. */
      confirmed: z.int(),
      /** Queued, sent, accepted or unknown. */
      inProgress: z.int(),
      /** Rejected, expired or superseded by a later price. */
      notApplied: z.int(),
    })
    .optional(),
  sold: SoldSoFar.optional(),
  /** Of its changed prices whose margins are known. */
  money: z.object({
    up: z.int(),
    down: z.int(),
    /** What they earn more in a week if as many units sell as in the last 30 days; null when unknown. */
    equalSales: Money.nullable(),
    /** The number of changes whose margins are known: the others are not part of the sums. */
    equalSalesOf: z.int(),
    /** Of one unit of each, before and after. */
    marginBefore: Margin.nullable(),
    marginAfter: Margin.nullable(),
  }),
});
export type RunDetail = z.output<typeof RunDetail>;

/** GET /api/engine: what the header of every page shows. */
export const EngineStatus = z.object({
  isHalted: z.boolean(),
  haltedBy: z.string().nullable(),
  haltedAt: Moment.nullable(),
  haltReason: z.string().nullable(),
  /** Prices that have left for a marketplace and may still go live; a halt cannot call them back. */
  inProgressCount: z.int(),
  /** The Auto-Reprice switch of the settings. */
  autoRepricing: z.boolean(),
  /** Whether open pages show a message when a job ends or repricing is halted; a setting. */
  notifications: z.boolean(),
  checkIntervalMinutes: z.int(),
  /** When every listing is checked next; null while no process works the queue. */
  nextCheckAt: Moment.nullable(),
  /** The active run. */
  run: Run.nullable(),
  /** Listings that are waiting for a decision. */
  pendingCount: z.int(),
  /** Whether credentials and prices go to test addresses instead of a real service. */
  usesTestAddresses: z.boolean(),
  marketplaces: z.array(
    z.object({
      marketplace: z.enum(MARKETPLACES),
      mode: z.enum(['live', 'recommend_only']),
      changedAt: Moment,
      changedBy: z.string().nullable(),
      /**
       * Why saving the settings switched it to recommend only: it was connected, or may be another account;
       * null otherwise.
       */
      modeResetReason: z.enum(MODE_RESET_REASONS).nullable(),
      listingCount: z.int(),
      /**
       * How prices are sent: by a file to upload until the marketplace is connected; nothing is applied
       * automatically while paused or read_only.
       */
      priceChannel: z.enum(PRICE_CHANNELS),
      /** Applied prices that are not uploaded yet. */
      toUploadCount: z.int(),
      recommendedCount: z.int(),
    }),
  ),
});
export type EngineStatus = z.output<typeof EngineStatus>;

/** Identifies a plan that a user reviewed. */
const PlanToken = z.string().max(100);
/** One or more marketplaces, each at most once. */
const SomeMarketplaces = z.array(z.enum(MARKETPLACES)).min(1).max(MARKETPLACES.length);

/** POST /api/engine/halt: every logged-in user. */
export const Halt = z.strictObject({ reason: z.string().trim().min(1).max(300).optional() });

/**
 * POST /api/engine/resume (admin). With the token of a reviewed plan the circuit breaker lets exactly that plan
 * pass (409 when it has changed); without one it checks the next run as usual.
 */
export const Resume = z.strictObject({ token: PlanToken.optional() }).nullish();

/** POST /api/engine/go-live (admin). Returns the current EngineStatus, like halt, resume and recommend-only. */
export const GoLive = z.strictObject({
  marketplaces: SomeMarketplaces,
  token: PlanToken,
  /** How many listings of `fallen` in the plan the user reviewed: 409 unless it is all of them. */
  fallen: z.int().min(0).optional(),
});
/** POST /api/engine/recommend-only (every logged-in user). */
export const SetRecommendOnly = z.strictObject({ marketplaces: SomeMarketplaces });

/** POST /api/runs/:id/undo. */
export const UndoRun = z.strictObject({ ...Confirmed }).nullish();

export const RUN_SUBSETS = ['people', 'stopped'] as const;
export type RunSubset = (typeof RUN_SUBSETS)[number];

export const RunsQuery = z.strictObject({
  page: PageParam,
  size: sizeParam([25, 50, 100], 25),
  /** Only runs that changed, recommended or stopped something. */
  withEffect: z.enum(['true', 'false']).optional(),
  /** Only runs that a user started, or that were stopped or failed. */
  only: z.enum(RUN_SUBSETS).optional(),
  /** The first and last day of their start, both inclusive; days start in time zone `zone`. */
  from: Day.optional(),
  to: Day.optional(),
  zone: Zone.prefault('UTC'),
});
/** A run of the list. */
export const ListedRun = Run.extend({
  /** Prices raised and lowered. */
  up: z.int(),
  down: z.int(),
  /** What they earn more in a week if as many units sell as in the last 30 days; null when unknown. */
  equalSales: Money.nullable(),
  /** The number of changes whose margins are known: the others are not part of the sum. */
  equalSalesOf: z.int(),
});
export type ListedRun = z.output<typeof ListedRun>;
export const RunsPage = z.object({ rows: z.array(ListedRun), total: z.int() });

export const RunItemsQuery = z.strictObject({
  page: PageParam,
  size: sizeParam([25, 50, 100], 50),
  outcome: z.enum(['change', 'recommend', 'blocked']).optional(),
});
export const RunItem = z.object({
  listingId: Id,
  marketplace: z.enum(MARKETPLACES),
  sku: z.string(),
  title: z.string(),
  outcome: z.enum(['change', 'recommend', 'blocked']),
  reasonCode: z.string(),
  reason: z.string(),
  oldPrice: Money.nullable(),
  newPrice: Money.nullable(),
  marginFloor: Money.nullable(),
  marginBefore: Margin.nullable(),
  marginAfter: Margin.nullable(),
  /** What the price earns more in a week if as many units sell as in the last 30 days; null when unknown. */
  equalSales: Money.nullable(),
});
export type RunItem = z.output<typeof RunItem>;
export const RunItemsPage = z.object({ rows: z.array(RunItem), total: z.int() });
