import { groupBy } from '#domain/group-by.ts';
import type { MarketResult, Reached } from './shares.ts';
import { type Estimate, estimate, meanOf } from './statistics.ts';

/** The figures of one policy over all seeds, in one world or in all. */
export interface Summary {
  readonly policy: string;
  readonly ofBound: Estimate;
  readonly ofConstant: Estimate;
  readonly changesPerDay: number;
  readonly atLowest: number;
}

/** The result file. */
export interface Report {
  readonly seeds: readonly number[];
  readonly worlds: readonly { readonly world: string; readonly policies: readonly Summary[] }[];
  /** Every world counts the same: the figures of a seed are means over its worlds. */
  readonly all: readonly Summary[];
  readonly markets: readonly MarketResult[];
}

/** @param markets every world with the same seeds, every market with the same policies */
export function reportOf(markets: readonly MarketResult[]): Report {
  const seeds = [...new Set(markets.map(({ seed }) => seed))];
  const worlds = [...new Set(markets.map(({ world }) => world))];
  return {
    seeds,
    worlds: worlds.map((world) => ({
      world,
      policies: summaries(markets.filter((market) => market.world === world)),
    })),
    all: summaries(markets),
    markets,
  };
}

function summaries(markets: readonly MarketResult[]): Summary[] {
  const policies = markets[0]?.reached.map(({ policy }) => policy) ?? [];
  return policies.map((policy) => {
    const means = meansBySeed(markets, policy);
    const mean = (figure: (reached: Reached) => number): number => estimate(means(figure)).mean;
    return {
      policy,
      ofBound: estimate(means(({ ofBound }) => ofBound)),
      ofConstant: estimate(means(({ ofConstant }) => ofConstant)),
      changesPerDay: mean(({ changesPerDay }) => changesPerDay),
      atLowest: mean(({ atLowest }) => atLowest),
    };
  });
}

/** One figure per seed: the worlds of a seed are no independent samples. */
function meansBySeed(
  markets: readonly MarketResult[],
  policy: string,
): (figure: (reached: Reached) => number) => number[] {
  const bySeed = [...groupBy(markets, ({ seed }) => seed)].map(([, ofSeed]) =>
    ofSeed.flatMap(({ reached }) => reached.filter((one) => one.policy === policy)),
  );
  return (figure) => bySeed.map((ofSeed) => meanOf(ofSeed.map(figure)));
}

/** Prints a table per world and one for all. */
export function printReport({ seeds, worlds, all }: Report): void {
  for (const { world, policies } of worlds) printSummaries(world, policies);
  printSummaries(`all ${worlds.length} worlds, ${seeds.length} seeds`, all);
}

function printSummaries(heading: string, summaries: readonly Summary[]): void {
  const width = Math.max(heading.length, ...summaries.map(({ policy }) => policy.length));
  const heads = ['of bound', '95%', 'of constant', '95%', 'changes/day', 'at lowest'];
  console.log(`\n${heading.padEnd(width)} ${heads.map((head) => head.padStart(13)).join('')}`);
  for (const { policy, ofBound, ofConstant, changesPerDay, atLowest } of summaries) {
    const figures = [
      ofBound.mean.toFixed(3),
      intervalText(ofBound),
      ofConstant.mean.toFixed(3),
      intervalText(ofConstant),
      changesPerDay.toFixed(2),
      `${Math.round(atLowest * 100)}%`,
    ];
    console.log(`${policy.padEnd(width)} ${figures.map((figure) => figure.padStart(13)).join('')}`);
  }
}

function intervalText({ low, high }: Estimate): string {
  return `${low.toFixed(2)}-${high.toFixed(2)}`;
}
