import type { CataloguePage } from '#connectors/connector.ts';

/** Every page of a reading, as one list. */
export async function allOf<Item>(pages: AsyncIterable<readonly Item[]> | undefined): Promise<Item[]> {
  const all: Item[] = [];
  for await (const page of pages ?? []) all.push(...page);
  return all;
}

/** What is on the pages of a catalogue, page by page. */
export async function* entriesOf(
  pages: AsyncIterable<CataloguePage>,
): AsyncGenerator<CataloguePage['entries']> {
  for await (const { entries } of pages) yield entries;
}
