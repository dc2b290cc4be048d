import { PlainError } from './project.mjs';

/** The stages of `npm test` in their order, each with the groups that `--only` also knows it by. */
export const STAGES = [
  { name: 'lint', what: 'Biome: formatting, habits and imports between layers', groups: ['static'] },
  { name: 'types', what: 'the compiler: types and what each layer may know', groups: ['static'] },
  { name: 'unused', what: 'Knip: files, exports and packages that nobody uses', groups: ['static'] },
  { name: 'build', what: 'the production build, and its sizes', groups: [] },
  { name: 'domain', what: 'tests of the pure rules', groups: ['unit'] },
  { name: 'node', what: 'tests with files and processes', groups: ['unit'] },
  { name: 'db', what: 'tests on the PostgreSQL that Pricewright brings', groups: ['unit'] },
  { name: 'web', what: 'tests of the screens in a simulated browser', groups: ['unit'] },
  { name: 'e2e', what: 'tests of the whole program in a real Chromium', groups: [] },
  {
    name: 'postgres',
    what: "the SQL of the db tests once more, on this machine's own PostgreSQL",
    groups: [],
  },
];

/**
 * The names of the stages to run: all of them, or those that `--only a,b` names. Anything else on the command
 * line is refused: a mistyped filter must not look like a full run.
 */
export function chosenStages(args) {
  const [option, names, ...more] = args;
  if (option === undefined) return STAGES.map((stage) => stage.name);
  if (option !== '--only' || names === undefined || more.length > 0) throw usage();
  const wanted = names.split(',');
  const matches = (stage, name) => stage.name === name || stage.groups.includes(name);
  if (!wanted.every((name) => STAGES.some((stage) => matches(stage, name)))) throw usage();
  return STAGES.filter((stage) => wanted.some((name) => matches(stage, name))).map((stage) => stage.name);
}

function usage() {
  const groups = new Set(STAGES.flatMap((stage) => stage.groups));
  const names = [...STAGES.map((stage) => stage.name), ...groups].join(', ');
  return new PlainError(`Usage: npm test, or npm test -- --only NAME[,NAME...] with names out of: ${names}.`);
}
