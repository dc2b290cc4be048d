/** Every page of a reading, as one list. */
export async function allOf<Item>(pages: AsyncIterable<readonly Item[]> | undefined): Promise<Item[]> {
  const all: Item[] = [];
  for await (const page of pages ?? []) all.push(...page);
  return all;
}
