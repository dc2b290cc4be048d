/**
 * Writes src/server/api-docs/examples.json: for each call one body and one answer, as the tests of the routes made
 * them against the real database.
 *
 *   npm run api:examples     after a new call, or when the form of an old one has changed; two minutes
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SUMMARIES } from '#server/api-docs/summaries.ts';
import type { RecordedCall } from '#tests/support/example-recorder.ts';

const root = join(import.meta.dirname, '../..');
const RECORD = join(root, '.cache/examples.jsonl');
const EXAMPLES = join(root, 'src/server/api-docs/examples.json');
/** The tests of the routes. Not those with hostile input: their calls would be the longest, not the best. */
const TESTS = ['src/server/routes', 'src/server/api-tokens.test.ts', 'src/usecases/catalog/imports'];
/** Longer ones teach no more. */
const LONGEST = 2_000;
const MAX_ENTRIES = 2;
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;

/** What a test of the login with an identity provider has of a server on this machine, and by chance. */
const PROVIDER = 'https://login.example.com/realms/shop';
const PROVIDER_PAGE = `${PROVIDER}/auth?client_id=pricewright&response_type=code&code_challenge_method=S256&...`;
const PROVIDER_ANSWER = 'code=4f1c&state=n6Uq&iss=https%3A%2F%2Flogin.example.com%2Frealms%2Fshop';

mkdirSync(join(root, '.cache'), { recursive: true });
rmSync(RECORD, { force: true });
const { status } = spawnSync(
  join(root, 'node_modules/.bin/vitest'),
  ['run', '--project', 'db', ...TESTS, '--reporter=dot'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, RECORD_EXAMPLES: RECORD } },
);
if (status !== 0) throw new Error('The tests of the routes failed; the examples are as they were.');

const byRoute = new Map<string, RecordedCall[]>();
for (const line of readFileSync(RECORD, 'utf8').trim().split('\n')) {
  const call = JSON.parse(line) as RecordedCall;
  byRoute.set(call.route, [...(byRoute.get(call.route) ?? []), shortened(call)]);
}
const made = Object.fromEntries(
  [...byRoute].map(([route, calls]) => {
    const { url, body, answer } = best(calls);
    return [route, { url, body, answer }];
  }),
);
const former = JSON.parse(readFileSync(EXAMPLES, 'utf8')) as typeof made;
// A call that no test made this time keeps its example; a removed one loses it. Only calls of /api have a summary.
const exists = (route: string): boolean => SUMMARIES[route] !== undefined || !route.includes(' /api/');
const kept = Object.keys(former).filter((route) => made[route] === undefined && exists(route));
const examples = Object.fromEntries(
  Object.entries({ ...former, ...made })
    .filter(([route]) => made[route] !== undefined || kept.includes(route))
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);
writeFileSync(EXAMPLES, `${JSON.stringify(examples, null, 2)}\n`);
spawnSync(join(root, 'node_modules/.bin/biome'), ['check', '--write', EXAMPLES], {
  cwd: root,
  stdio: 'inherit',
});
console.log(`${byRoute.size} calls with a new example.`);
if (kept.length > 0) console.log(`No test made these, and their examples are as before: ${kept.join(', ')}.`);

/** The one that shows most, of those that are not too long; the same one whenever the same calls were made. */
function best(calls: readonly RecordedCall[]): RecordedCall {
  const weighed = calls.map((call) => ({ call, text: JSON.stringify([call.body, call.answer]) }));
  const fitting = weighed.filter(({ text }) => text.length <= LONGEST);
  const [chosen] = (fitting.length > 0 ? fitting : weighed).sort(
    (a, b) =>
      (fitting.length > 0 ? b.text.length - a.text.length : a.text.length - b.text.length) ||
      (a.text < b.text ? -1 : 1),
  );
  if (chosen === undefined) throw new Error('A route without calls has no example.');
  return chosen.call;
}

function shortened({ body, answer, ...call }: RecordedCall): RecordedCall {
  return withSameIds({ ...call, body: short(body), answer: short(answer) });
}

/** IDs are made by chance: in an example the first is always this one, the second another. */
function withSameIds(call: RecordedCall): RecordedCall {
  const seen: string[] = [];
  const same = (id: string): string => {
    if (!seen.includes(id)) seen.push(id);
    return `6f9619ff-8b86-4d01-b42d-00cf4fc96${seen.indexOf(id).toString(16).padStart(3, '0')}`;
  };
  return JSON.parse(JSON.stringify(call).replaceAll(UUID, same)) as RecordedCall;
}

function short(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map(short);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, sameEachTime(name, short(part))]),
  );
}

/** Replaces what is made by chance or of this machine, and secrets: those that tests search for, and those shown once. */
function sameEachTime(name: string, part: unknown): unknown {
  if (typeof part === 'string' && part.startsWith('canary-')) return 'a secret of yours';
  const secret = typeof part === 'string' ? /^(pwt|whsec)_/.exec(part) : null;
  if (secret !== null) return `${secret[0]}...`;
  if (name === 'query' && typeof part === 'string' && part.includes('code=')) return PROVIDER_ANSWER;
  if (name === 'address' && typeof part === 'string' && part.includes('code_challenge='))
    return PROVIDER_PAGE;
  if (name === 'issuer' && typeof part === 'string') return PROVIDER;
  return part;
}
