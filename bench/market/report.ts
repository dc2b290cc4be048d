import { groupBy } from '#domain/group-by.ts';
import type { MarketResult, Reached } from './shares.ts';
import { type Estimate, estimate, lead, meanOf } from './statistics.ts';

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

/** What is kept of a run in the project: shares of the bound with three decimals, changes a day with two. */
export interface Measured {
  readonly seeds: readonly number[];
  /** The lines that were measured, by the name of the policy. */
  readonly lines: Readonly<Record<string, string>>;
  readonly policies: Readonly<Record<string, MeasuredPolicy>>;
  /** How much more the first template earned than these, as a share of what these earned: mean and interval. */
  readonly leads: Readonly<Record<string, readonly number[]>>;
}

export interface MeasuredPolicy {
  /** Of all worlds: the mean, and its interval. */
  readonly ofBound: readonly number[];
  readonly changesPerDay: number;
  /** The mean by world. */
  readonly worlds: Readonly<Record<string, number>>;
}

/**
 * @param lines of the templates and of rules given by hand, by their names; the first one is the recommended template
 * @param against names of policies that the first template is compared with
 */
export function measuredOf(
  { seeds, worlds, all, markets }: Report,
  lines: Readonly<Record<string, string>>,
  against: readonly string[],
): Measured {
  const [first = ''] = Object.keys(lines);
  const shares = (policy: string): number[] => meansBySeed(markets, policy)(({ ofBound }) => ofBound);
  const known = all.map(({ policy }) => policy);
  return {
    seeds,
    lines,
    policies: Object.fromEntries(
      all.map(({ policy, ofBound, changesPerDay }) => [
        policy,
        {
          ofBound: figuresOf(ofBound, 1_000),
          changesPerDay: rounded(changesPerDay, 100),
          worlds: Object.fromEntries(
            worlds.map(({ world, policies }) => [world, rounded(shareIn(policies, policy), 1_000)]),
          ),
        },
      ]),
    ),
    leads: Object.fromEntries(
      against
        .filter((other) => known.includes(first) && known.includes(other))
        .map((other) => [other, figuresOf(lead(shares(first), shares(other)), 1_000)]),
    ),
  };
}

function shareIn(policies: readonly Summary[], name: string): number {
  return policies.find(({ policy }) => policy === name)?.ofBound.mean ?? Number.NaN;
}

function figuresOf({ mean, low, high }: Estimate, parts: number): readonly number[] {
  return [mean, low, high].map((figure) => rounded(figure, parts));
}

function rounded(figure: number, parts: number): number {
  return Math.round(figure * parts) / parts;
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
