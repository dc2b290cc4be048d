import { PlainError } from './project.mjs';

/** The stages of `npm test` in the order of its last lines, each with the groups that `--only` also knows it by. */
export const STAGES = [
  { name: 'lint', what: 'Biome: formatting, habits and imports between layers', groups: ['static'] },
  { name: 'types', what: 'the compiler: types and what each layer may know', groups: ['static'] },
  { name: 'unused', what: 'Knip: unused files, exports and packages', groups: ['static'] },
  { name: 'build', what: 'the production build, and its sizes', groups: [] },
  { name: 'domain', what: 'tests of the pure rules', groups: ['unit'] },
  { name: 'node', what: 'tests with files and processes', groups: ['unit'] },
  {
    name: 'db',
    what: 'tests on the PostgreSQL that Pricewright brings, and of whole programs',
    groups: ['unit'],
  },
  { name: 'web', what: 'tests of the screens in a simulated browser', groups: ['unit'] },
  { name: 'e2e', what: 'tests of the whole program in a real Chromium', groups: [], after: 'build' },
  { name: 'postgres', what: "SQL once more, on this machine's own PostgreSQL", groups: [], isBreadth: true },
];

/**
 * The build first, for e2e waits for it, then the longest. The tests with a database are last: the stage that begins
 * last has the workers of all lanes, and shares its files out among them until the end.
 */
const BEGUN = ['build', 'postgres', 'e2e', 'web', 'node', 'types', 'domain', 'unused', 'lint', 'db'];

/**
 * What to run, in the order in which the stages begin: all but those that are breadth alone, or those that `--only a,b`
 * names; with `--all` every stage, each in its whole breadth. Anything else on the command line is refused: a mistyped filter must not look like a full run.
 */
export function chosenStages(args) {
  const isAll = args[0] === '--all';
  const [option, names, ...more] = isAll ? args.slice(1) : args;
  if (option === undefined)
    return { isAll, stages: inOrder(STAGES.filter(({ isBreadth }) => isAll || !isBreadth)) };
  if (option !== '--only' || names === undefined || more.length > 0) throw usage();
  const wanted = names.split(',');
  const matches = (stage, name) => stage.name === name || stage.groups.includes(name);
  if (!wanted.every((name) => STAGES.some((stage) => matches(stage, name)))) throw usage();
  return { isAll, stages: inOrder(STAGES.filter((stage) => wanted.some((name) => matches(stage, name)))) };
}

const inOrder = (stages) => stages.toSorted((a, b) => BEGUN.indexOf(a.name) - BEGUN.indexOf(b.name));

function usage() {
  const groups = new Set(STAGES.flatMap((stage) => stage.groups));
  const names = [...STAGES.map((stage) => stage.name), ...groups].join(', ');
  return new PlainError(
    `Usage: npm test, npm test -- --all for everything in its whole breadth, or npm test -- [--all] --only NAME[,NAME...] with names out of: ${names}.`,
  );
}

/**
 * Runs stages side by side in so many lanes; each lane takes the first one that waits and whose `after` is over, if that
 * runs at all.
 * @param run of a stage, the results so far, and whether no other stage waits, so that lanes become free
 * @returns what `run` came to, by name
 */
export async function inLanes(stages, lanes, run) {
  const waiting = [...stages];
  const results = {};
  const under = new Map();
  const isOver = (name) => name in results || !stages.some((stage) => stage.name === name);
  while (waiting.length + under.size > 0) {
    const next = waiting.findIndex(({ after }) => after === undefined || isOver(after));
    if (next >= 0 && under.size < lanes) {
      const [stage] = waiting.splice(next, 1);
      const done = run(stage, results, waiting.length === 0).then((result) => {
        results[stage.name] = result;
        under.delete(stage.name);
      });
      under.set(stage.name, done);
    } else await Promise.race(under.values());
  }
  return results;
}
