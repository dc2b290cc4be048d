/** The middle of several measurements and how far they spread. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** One contender: does the same work every time it is asked. */
export interface Candidate {
  readonly name: string;
  /** @returns how many pieces of work were done, and a sum over the answers, so that none can be left out */
  run(): Work | Promise<Work>;
  /** What the sum has to be. */
  readonly expected: number;
}

export interface Work {
  readonly pieces: number;
  readonly sum: number;
}

/** What one contender did, one figure per round. */
export interface Rates {
  readonly name: string;
  /** Pieces per second on the wall clock. */
  readonly perSecond: readonly number[];
  /** Pieces per second of processor time, all threads together: what one core does, however busy the machine is. */
  readonly perCpuSecond: readonly number[];
}

/** @param figures at least one */
export function spreadOf(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  const lower = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  return { min: sorted[0] ?? Number.NaN, median: (lower + upper) / 2, max: sorted.at(-1) ?? Number.NaN };
}

/**
 * Lets the candidates take turns, A B C A B C, so that a machine that slows down slows all of them.
 * @param rounds counted rounds; two more go before them as warm-up
 * @throws Error when a contender's answers do not add up: a fast wrong answer is no result
 */
export async function takeTurns(candidates: readonly Candidate[], rounds: number): Promise<Rates[]> {
  const rates = candidates.map(({ name }) => ({
    name,
    perSecond: [] as number[],
    perCpuSecond: [] as number[],
  }));
  for (let round = -2; round < rounds; round += 1) {
    for (const [index, contender] of candidates.entries()) {
      const started = performance.now();
      const before = process.cpuUsage();
      const { pieces, sum } = await contender.run();
      const { user, system } = process.cpuUsage(before);
      const seconds = (performance.now() - started) / 1_000;
      if (sum !== contender.expected) {
        throw new Error(`${contender.name}: the answers add up to ${sum}, not to ${contender.expected}.`);
      }
      if (round < 0) continue;
      rates[index]?.perSecond.push(pieces / seconds);
      rates[index]?.perCpuSecond.push(pieces / ((user + system) / 1e6));
    }
  }
  return rates;
}

/** How many times as much A was as B, round by round. */
export function pairedRatios(a: readonly number[], b: readonly number[]): number[] {
  return a.map((figure, round) => figure / (b[round] ?? Number.NaN));
}
