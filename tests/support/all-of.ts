import type { CatalogPage } from '#connectors/connector.ts';

/** Every page of a reading, as one list. */
export async function allOf<Item>(pages: AsyncIterable<readonly Item[]> | undefined): Promise<Item[]> {
  const all: Item[] = [];
  for await (const page of pages ?? []) all.push(...page);
  return all;
}

/** Entries of a catalog's pages, page by page, and how it ends. */
export async function* entriesOf<End>(
  pages: AsyncGenerator<CatalogPage, End>,
): AsyncGenerator<CatalogPage['entries'], End> {
  for (;;) {
    const next = await pages.next();
    if (next.done === true) return next.value;
    yield next.value.entries;
  }
}
