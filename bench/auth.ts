import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { accountsAt, anAddress, firstAdmin } from './auth-people.ts';
import { type OwnProgram, startOwnProgram } from './own-program.ts';
import { type Goal, type Line, printTable } from './table.ts';

/*
 * What a stranger can find out with a clock, and what a crowd at the door costs the others: against the built program
 * with its own PostgreSQL. `npm run proof:auth`; the tests prove the same without a clock.
 */

const { values } = parseArgs({ options: { tries: { type: 'string', default: '400' } } });
const TRIES = Number(values.tries);
/** The fifth wrong password in a row is still checked. */
const FREE_TRIES = 5;
const AT_ONCE = 200;
const CROWDS = 10;
const WRONG = 'not the password';
const PAGES = ['/api/stats', '/api/listings', '/api/user', '/healthz'] as const;

const program = await startOwnProgram(5_088);
try {
  const cookie = await firstAdmin(program);
  await timeTries(program, cookie);
  await timeLocked(program, cookie);
  await crowd(program, cookie);
  await guessAtOnce(program);
  console.log(
    `\nload of the machine: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}`,
  );
} finally {
  await program.stop();
}

/** A wrong password for accounts in every state and for unknown names, in turn. */
async function timeTries(own: OwnProgram, cookie: string): Promise<void> {
  const accounts = Math.ceil(TRIES / FREE_TRIES);
  const names: Record<string, string[]> = {};
  for (const stage of ['ready', 'unverified', 'unapproved', 'waiting'] as const) {
    names[stage] = await accountsAt(stage, accounts, own, cookie);
  }
  names.unknown = Array.from({ length: accounts }, (_, n) => `nobody${n}@example.com`);
  const kinds = Object.keys(names);
  const times = new Map(kinds.map((kind) => [kind, [] as number[]]));
  const work = new Map(kinds.map((kind) => [kind, [] as number[]]));
  for (let n = 0; n < TRIES; n += 1) {
    for (let k = 0; k < kinds.length; k += 1) {
      // Another one begins every time: none is always the one after a pause.
      const kind = kinds[(n + k) % kinds.length] ?? '';
      const before = own.processorTime();
      times.get(kind)?.push(await timedTry(own, names[kind]?.[n % accounts] ?? '', 401));
      const after = own.processorTime();
      if (before !== null && after !== null) work.get(kind)?.push(after - before);
    }
  }
  printTable(`a wrong password, ${TRIES} tries each in turn, ms`, differences(times, 'unknown'));
  printTable('the same, by the work of the server, ms', differences(work, 'unknown'));
}

/** Names that wait after too many tries, known ones and others. */
async function timeLocked(own: OwnProgram, cookie: string): Promise<void> {
  const rounds = 8;
  const known = await accountsAt('ready', rounds, own, cookie, 'locked');
  const times = new Map([
    ['locked, known', [] as number[]],
    ['locked, unknown', [] as number[]],
  ]);
  for (let round = 0; round < rounds; round += 1) {
    const pair = [known[round] ?? '', `locked-nobody${round}@example.com`];
    for (const name of pair) for (let n = 0; n < FREE_TRIES; n += 1) await tryToLogIn(own, name);
    for (let n = 0; n < TRIES / rounds; n += 1) {
      times.get('locked, known')?.push(await timedTry(own, pair[0] ?? '', 429));
      times.get('locked, unknown')?.push(await timedTry(own, pair[1] ?? '', 429));
    }
  }
  printTable(`a try that has to wait, ${TRIES} each in turn, ms`, differences(times, 'locked, unknown'));
}

/** How long pages take without logins, and during many logins at once, repeatedly. */
async function crowd(own: OwnProgram, cookie: string): Promise<void> {
  const statuses: number[] = [];
  const quiet = await waitsDuring(own, cookie, () => pause(5_000));
  const crowded = await waitsDuring(own, cookie, async () => {
    for (let round = 0; round < CROWDS; round += 1) {
      const names = Array.from({ length: AT_ONCE }, (_, n) => `crowd${round}-${n}@example.com`);
      statuses.push(...(await Promise.all(names.map((name) => tryToLogIn(own, name)))));
    }
  });
  const lines = (waits: readonly number[][], goal?: Goal) =>
    PAGES.map((page, index) => share(`${page}, 95 of 100`, waits[index] ?? [], 0.95, goal));
  printTable('pages without logins, ms', lines(quiet));
  printTable(`pages while ${AT_ONCE} log in at once, ${CROWDS} times, ms`, lines(crowded, { atMost: 500 }));
  const looked = statuses.filter((status) => status === 401).length;
  console.log(`${looked} of ${statuses.length} were checked, the others were rejected with 429`);
}

/** Asks for pages one after another while something happens. @returns how long each took, by page */
async function waitsDuring(
  own: OwnProgram,
  cookie: string,
  happening: () => Promise<void>,
): Promise<number[][]> {
  const over = new AbortController();
  const waits: number[][] = PAGES.map(() => []);
  const requested = PAGES.map(async (page, index) => {
    while (!over.signal.aborted) waits[index]?.push(await timed(() => own.call('GET', page, { cookie })));
  });
  await happening();
  over.abort();
  await Promise.all(requested);
  return waits;
}

/** One account, 300 tries in the same moment, each from another address. */
async function guessAtOnce(own: OwnProgram): Promise<void> {
  const tries = Array.from({ length: 300 }, () => tryToLogIn(own, 'boss@example.com'));
  const looked = (await Promise.all(tries)).filter((status) => status === 401).length;
  console.log(`300 tries at once for one account: ${looked} were checked`);
  if (looked > FREE_TRIES) throw new Error(`More than ${FREE_TRIES} passwords were checked.`);
}

async function tryToLogIn(own: OwnProgram, username: string): Promise<number> {
  const body = { username, password: WRONG, twoFactorToken: '' };
  const answer = await own.call('POST', '/api/login', { body, from: anAddress() });
  await answer.arrayBuffer();
  return answer.status;
}

async function timedTry(own: OwnProgram, name: string, expected: number): Promise<number> {
  let status = 0;
  const time = await timed(async () => {
    status = await tryToLogIn(own, name);
  });
  if (status !== expected) throw new Error(`${name} was answered ${status}, not ${expected}.`);
  return time;
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  const answer = await action();
  if (answer instanceof Response) await answer.arrayBuffer();
  return performance.now() - from;
}

/** The value below which this part of them lies. */
function at(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN;
}

/** The median of each kind, and how far it is from the yardstick's. */
function differences(times: ReadonlyMap<string, readonly number[]>, yardstick: string): Line[] {
  const standard = at(times.get(yardstick) ?? [], 0.5);
  return [...times].flatMap(([kind, all]) => {
    const spread = { min: at(all, 0), median: at(all, 0.5), max: at(all, 1) };
    const distance = Math.abs(spread.median - standard);
    const same = { min: distance, median: distance, max: distance };
    const line: Line = { name: kind, spread, unit: 'ms' };
    if (kind === yardstick) return [line];
    return [line, { name: `  from ${yardstick}`, spread: same, unit: 'ms', goal: { atMost: 2 } }];
  });
}

function share(name: string, waits: readonly number[], part: number, goal?: Goal): Line {
  const spread = { min: at(waits, 0), median: at(waits, part), max: at(waits, 1) };
  return { name, spread, unit: 'ms', ...(goal && { goal }) };
}
