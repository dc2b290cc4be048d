/** One thread of `bench/market.ts`: works through its share of the markets and answers once. */
import { parentPort, workerData } from 'node:worker_threads';
import { drawMarket } from './market/market.ts';
import { STRATEGY_POLICIES } from './market/policies.ts';
import { runAll } from './market/shares.ts';
import { ruleOfLines, TEMPLATE_POLICIES } from './market/templates.ts';
import { WORLDS } from './market/worlds.ts';

const {
  jobs,
  rules,
  only,
}: {
  readonly jobs: readonly { readonly world: string; readonly seed: number }[];
  /** Lines by the name of the rule. */
  readonly rules: Readonly<Record<string, string>>;
  /** Names of policies; null: all. Those of `rules` run in any case. */
  readonly only: readonly string[] | null;
} = workerData;

const policies = [
  ...[...STRATEGY_POLICIES, ...TEMPLATE_POLICIES].filter(({ name }) => only === null || only.includes(name)),
  ...Object.entries(rules).map(([name, text]) => ruleOfLines(name, text)),
];

parentPort?.postMessage(
  jobs.map(({ world, seed }) => {
    const found = WORLDS.find(({ name }) => name === world);
    if (found === undefined) throw new Error(`No world is called ${world}.`);
    return runAll(drawMarket(found, seed), policies);
  }),
);
