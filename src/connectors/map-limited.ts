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

/** As many as fit into one call each. */
export function* chunks<Thing>(things: readonly Thing[], size: number): Generator<readonly Thing[]> {
  for (let from = 0; from < things.length; from += size) yield things.slice(from, from + size);
}
