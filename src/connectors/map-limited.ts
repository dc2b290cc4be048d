/**
 * Processes all items, a few at a time. After a failure no further item is started.
 * @returns the results in the order of the items
 */
export async function mapLimited<Thing, Result>(
  things: readonly Thing[],
  atOnce: number,
  work: (thing: Thing) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const turns = things.entries();
  let isOver = false;
  const worker = async (): Promise<void> => {
    for (const [at, thing] of turns) {
      if (isOver) return;
      try {
        results[at] = await work(thing);
      } catch (error) {
        isOver = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, things.length) }, worker));
  return results;
}

/**
 * Processes items ahead, a few at a time, and yields the results in the order of the items. A failure is thrown when it is
 * the turn of its item. Once the caller stops, nothing further is started, and what runs is waited for.
 */
export async function* mapAhead<Thing, Result>(
  things: readonly Thing[],
  atOnce: number,
  work: (thing: Thing) => Promise<Result>,
): AsyncGenerator<Result, void> {
  const running: Promise<PromiseSettledResult<Result>>[] = [];
  const turns = things.values();
  const start = (): void => {
    const { done, value } = turns.next();
    if (done !== true) running.push(settled(work(value)));
  };
  try {
    for (let at = 0; at < atOnce; at++) start();
    for (let next = running.shift(); next !== undefined; next = running.shift()) {
      const result = await next;
      if (result.status === 'rejected') throw result.reason;
      start();
      yield result.value;
    }
  } finally {
    await Promise.all(running);
  }
}

async function settled<Result>(work: Promise<Result>): Promise<PromiseSettledResult<Result>> {
  const [result] = await Promise.allSettled([work]);
  return result;
}

/** As many as fit into one call each. */
export function* chunks<Thing>(things: readonly Thing[], size: number): Generator<readonly Thing[]> {
  for (let from = 0; from < things.length; from += size) yield things.slice(from, from + size);
}
