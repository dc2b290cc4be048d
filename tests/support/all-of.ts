import type { CatalogEnd, CatalogPage, SaleLine } from '#connectors/connector.ts';
import { isUnreadable, readableOf, type UnreadableRow } from '#connectors/passed-over.ts';

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

/** How a catalog ends. */
export async function endOf(pages: AsyncGenerator<CatalogPage, CatalogEnd>): Promise<CatalogEnd> {
  for (;;) {
    const next = await pages.next();
    if (next.done === true) return next.value;
  }
}

/** The order lines that could be read. */
export async function linesOf(
  pages: AsyncIterable<readonly (SaleLine | UnreadableRow)[]> | undefined,
): Promise<SaleLine[]> {
  return readableOf(await allOf(pages));
}

/** The rows that could not be read: what they are, and which member. */
export async function unreadableOf(pages: AsyncIterable<readonly object[]> | undefined): Promise<string[]> {
  return (await allOf(pages)).filter(isUnreadable).map(({ what, member }) => `${what} ${member}`);
}
