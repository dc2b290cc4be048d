import { constant, priceGrid, trueFloor } from './constants.ts';
import { cyclesAround } from './cycles.ts';
import { bestResponse, foresight } from './foresight.ts';
import type { Market } from './market.ts';
import { DAYS } from './market.ts';
import type { Policy } from './observation.ts';
import { type Outcome, runMarket, runPolicy } from './run.ts';

/** What one policy reached in one market. */
export interface Reached {
  readonly policy: string;
  /** In cents. */
  readonly profit: number;
  readonly units: number;
  /** Of the upper bound: at most 1. */
  readonly ofBound: number;
  /** Of what the best constant price earned; may be above 1. */
  readonly ofConstant: number;
  readonly changesPerDay: number;
  /** The share of hours at or below the lowest price with the minimum margin. */
  readonly atLowest: number;
}

/** The results of all policies in one market, and what they are compared with. Amounts in cents. */
export interface MarketResult {
  readonly world: string;
  readonly seed: number;
  readonly bestConstant: { readonly price: number; readonly profit: number };
  /** The most that any policy earned, those with foresight and cycles included. */
  readonly bound: { readonly policy: string; readonly profit: number };
  readonly reached: readonly Reached[];
}

/** Policies with knowledge that no seller has: they are part of the bound and of the table. */
const INSIDERS = [
  ['Knows the moment', bestResponse],
  ['Knows the future', foresight],
] as const;

/**
 * Runs everything in one market.
 * @param policies with names of their own
 * @returns null where not even the bound earns anything: shares would mean nothing
 */
export function runAll(market: Market, policies: readonly Policy[]): MarketResult | null {
  const low = trueFloor(market);
  const named = (name: string, outcome: Outcome): Run => ({ name, outcome });
  const constants = priceGrid(market).map((price) => ({
    price,
    ...named('Best constant price', runPolicy(market, constant(price), low)),
  }));
  const best = most(constants);
  const cycles = cyclesAround(best.price, low).map((policy) =>
    named('Best cycle', runPolicy(market, policy, low)),
  );
  const table = [
    best,
    most(cycles),
    ...INSIDERS.map(([name, insider]) => named(name, runMarket(market, low, insider(market)))),
    ...policies.map((policy) => named(policy.name, runPolicy(market, policy, low))),
  ];
  const bound = most(table);
  if (bound.outcome.profit <= 0) return null;
  return {
    world: market.world.name,
    seed: market.seed,
    bestConstant: { price: best.price, profit: best.outcome.profit },
    bound: { policy: bound.name, profit: bound.outcome.profit },
    reached: table.map((run) => reachedBy(run, bound.outcome.profit, best.outcome.profit)),
  };
}

interface Run {
  readonly name: string;
  readonly outcome: Outcome;
}

function reachedBy({ name, outcome }: Run, bound: number, bestConstant: number): Reached {
  const { profit, units, changes, hoursLow } = outcome;
  return {
    policy: name,
    profit,
    units,
    ofBound: profit / bound,
    ofConstant: profit / bestConstant,
    changesPerDay: changes / DAYS,
    atLowest: hoursLow / (DAYS * 24),
  };
}

/** Of equals the first. @param runs at least one */
function most<Each extends Run>(runs: readonly Each[]): Each {
  return runs.reduce((best, run) => (run.outcome.profit > best.outcome.profit ? run : best));
}
